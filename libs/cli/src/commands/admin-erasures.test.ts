import { fakeAuth, fakeContent, serveAuth } from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serveAuth(fakeAuth, { content: fakeContent });
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl };
});

afterAll(() => {
  server.close();
});

const erase = (...args: string[]) => runTms(['admin', 'member', 'erase', 'ada', ...args], { env });

it('counts what a member wrote, and erases it page by page only if that is confirmed', async () => {
  const counted = await erase('--team', 'demo', '--dry-run');
  expect(counted.stdout).toBe(
    '1 items, 0 decisions, 2 earlier versions, 4 proposals and 3 ratings would be erased.\n',
  );
  expect(await erase('--team', 'demo')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Add --yes'),
  });
  const { exitCode, stdout } = await erase('--team', 'demo', '--yes', '--json');
  const erased = { items: 1, decisions: 0, versions: 2, proposals: 4, ratings: 3 };
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    { team: 'demo', member: 'ada', dry_run: false, ...erased },
  ]);
  expect(await erase('--yes')).toMatchObject({ exitCode: 2 });
});
