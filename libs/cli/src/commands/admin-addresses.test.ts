import { fakeAuth, serveAuth } from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serveAuth(fakeAuth);
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl };
});

afterAll(() => {
  server.close();
});

const run = (...args: string[]) => runTms(['admin', 'address', ...args, '--team', 'rivers'], { env });

describe('tms admin address', () => {
  it('adds, removes and lists addresses, for people and as JSON', async () => {
    const added = await run('add', 'ada@example.org', '--member', 'ada');
    expect(added.stdout).toBe('ada signs in to rivers with ada@example.org.\n');
    expect(JSON.parse((await run('remove', 'ada@example.org', '--json')).stdout)).toEqual({
      team: 'rivers',
      address: 'ada@example.org',
    });
    expect((await run('list')).stdout).toBe('ada@example.org  ada\nbo@example.org  bo\n');
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject({
      team: 'rivers',
      addresses: [{ address: 'ada@example.org', member: 'ada' }, { member: 'bo' }],
    });
  });

  it('says that the team has an address already', async () => {
    const { exitCode, stderr } = await run('add', 'taken@example.org', '--member', 'ada');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The team has it.');
  });
});
