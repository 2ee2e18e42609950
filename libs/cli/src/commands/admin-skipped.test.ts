import {
  fakeAuth,
  fakeContent,
  createdAt as noticed_at,
  serveAuth,
} from '@teammemory/client/rpc/serve-auth.fixture.ts';
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

const list = (...args: string[]) => runTms(['admin', 'skipped', 'list', ...args], { env });

it('lists what makes no tasks, page by page, with its reason', async () => {
  const { exitCode, stdout } = await list('--team', 'demo', '--json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    {
      team: 'demo',
      skipped: [
        { row_key: null, decision_id: 'd1', reason: 'no tasks: too complex', noticed_at },
        {
          row_key: 'a\u001b[2Jtasks.md',
          decision_id: null,
          noticed_at,
          reason: 'no tasks beyond the first 2,000: too many',
        },
      ],
    },
  ]);
});

it('shows it to people without what could move their cursor', async () => {
  const { stdout } = await list('--team', 'demo');
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    `decision d1  no tasks: too complex  since ${noticed_at}`,
    `a[2Jtasks.md  no tasks beyond the first 2,000: too many  since ${noticed_at}`,
  ]);
});

it('says so where there is none, and needs a team', async () => {
  expect((await list('--team', 'other')).stdout).toBe('Everything of other was read for tasks.\n');
  expect(await list()).toMatchObject({ exitCode: 2 });
});

it('counts again what all teams have, page by page, and says which could not be counted', async () => {
  const repair = (...args: string[]) => runTms(['admin', 'usage', 'repair', ...args], { env });
  expect((await repair()).stdout).toBe(
    'Counted 3 teams; corrected 1. 1 were written to all the time: run the command again later.\n',
  );
  expect(JSON.parse((await repair('--json')).stdout)).toEqual({ checked: 3, repaired: 1, busy: 1 });
});
