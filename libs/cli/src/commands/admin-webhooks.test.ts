import { happenedAt as at, fakeWebhooks, lists } from '@teammemory/client/rpc/fake-webhooks.fixture.ts';
import { fakeAuth, serveAuth } from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';

const { content, requests } = fakeWebhooks();
const record = {
  webhook_id: 'w1',
  url: 'https://hooks.example.org/',
  created_at: at,
  lists: ['items', 'decisions'],
  tier: 'external',
  on: true,
};

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;
beforeAll(async () => {
  server = await serveAuth(fakeAuth, { content });
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl };
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  requests.length = 0;
});

const run = (...args: string[]) => runTms(['admin', 'webhook', ...args, '--team', 'demo'], { env });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

describe('tms admin webhook', () => {
  it('registers a URL and shows the secret once, for people and as JSON', async () => {
    const parameters = [
      'create',
      'https://hooks.example.org/',
      '--lists',
      'items, tasks',
      '--tier',
      'external',
    ];
    expect(await json(...parameters)).toMatchObject({ ...record, secret: 'whsec_one' });
    expect(requests).toMatchObject([
      {
        teamId: 'id-of-demo',
        teamSlug: 'demo',
        url: 'https://hooks.example.org/',
        lists: [lists.items, lists.tasks],
      },
    ]);
    expect((await run(...parameters)).stdout).toContain('Its secret, shown only now: whsec_one\n');
  });

  it('lists how each one fares', async () => {
    expect((await run('list')).stdout.split('\n').slice(0, 3)).toEqual([
      `w1  https://hooks.example.org/  items, decisions as tier external  on, delivered last ${at}`,
      `w2  https://hooks.example.org/  items, decisions as tier external  failing since ${at}, next attempt ${at}, last error ${at}: answered with status 500`,
      `w3  https://hooks.example.org/  items, decisions as tier external  off since ${at} (failed)`,
    ]);
    const { webhooks } = await json('list');
    expect(webhooks[2]).toMatchObject({ webhook_id: 'w3', on: false, off_reason: 'failed', off_since: at });
  });

  it('edits, rotates, replays and removes', async () => {
    expect(await json('edit', 'w1', '--off', '--lists', 'tasks')).toMatchObject({
      on: false,
      off_reason: 'administrator',
    });
    expect((await run('rotate', 'w1', '--overlap', '7d')).stdout).toBe(
      `Its secret, shown only now: whsec_two\nThe secret before is used until ${at}.\n`,
    );
    expect((await run('replay', 'w1', '--list', 'items', '--cursor', 'c1')).stdout).toBe(
      'Replaying items. Events follow.\n',
    );
    await run('replay', 'w1', '--since', at);
    expect(await json('remove', 'w1')).toEqual({ webhook_id: 'w1' });
    expect(requests).toMatchObject([
      { webhookId: 'w1', on: false, lists: [lists.tasks] },
      { overlapSeconds: 604_800 },
      { list: lists.items, cursor: 'c1' },
      { list: lists.none, cursor: '', since: { nanos: 0 } },
      { webhookId: 'w1' },
    ]);
  });

  it('tests, and ends with 1 if the event was not delivered', async () => {
    expect(await json('test', 'w1')).toEqual({ delivered: true, result: 'answered with status 204' });
    const { exitCode, stderr } = await run('test', 'w2');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('The ping was not delivered: the connection was refused.'),
    ]);
  });

  it.each([
    [['edit', 'w1'], 'Say what to change'],
    [['edit', 'w1', '--on', '--off'], 'exclude each other'],
    [['create', 'https://a.org/', '--lists', 'notes'], 'There is no list notes'],
    [['create', 'https://a.org/', '--tier', 'admin'], '--tier is team or external'],
    [['replay', 'w1'], 'Give either --cursor or --since'],
    [['replay', 'w1', '--cursor', 'c'], '--cursor needs --list'],
    [['replay', 'w1', '--since', 'yesterday'], '--since takes a time'],
    [['rotate', 'w1', '--overlap', 'long'], '--overlap takes'],
  ])('refuses %j with a usage error', async (args, said) => {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(requests).toEqual([]);
  });
});
