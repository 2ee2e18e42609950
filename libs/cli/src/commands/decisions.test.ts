import {
  createdAt as created_at,
  fakeAuth,
  keyId,
  serveAuth,
} from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serveAuth(fakeAuth);
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl, TMS_KEY: `tms_${keyId}_secret` };
});

afterAll(() => {
  server.close();
});

async function runJson(...args: string[]): Promise<unknown> {
  const outcome = await runTms(args, { env });
  return { exitCode: outcome.exitCode, ...JSON.parse(outcome.stdout) };
}

function decisionFlags(audience: string, status: string): string[] {
  return ['--title', 'Use it', '--body', 'why', '--audience', audience, '--status', status];
}

describe('tms admin decision', () => {
  const decision = {
    decision_id: 'd1',
    title: 'Use it',
    body: 'id-of-demo: why',
    status: 'accepted',
    audience: 'external',
    project: 'web',
    decided_on: '2026-11-20',
    updated_at: created_at,
    updated_by: '',
    hidden: false,
  };

  it('creates a decision', async () => {
    const args = [
      'admin',
      'decision',
      'create',
      '--team',
      'demo',
      ...decisionFlags('external', 'accepted'),
      '--project',
      'web',
    ];
    expect(await runJson(...args, '--decided-on', '2026-11-20', '--json')).toEqual({
      exitCode: 0,
      ...decision,
    });
  });

  it('edits, hides and shows a decision', async () => {
    const args = ['admin', 'decision', 'edit', 'd1', '--team', 'demo', '--json'];
    const base = '2026-11-21T01:00:00.123Z';
    expect(await runJson(...args, '--title', 'New', '--hide', '--base', base)).toMatchObject({
      title: 'New',
      hidden: true,
      updated_at: base,
    });
    expect(await runJson(...args, '--show')).toMatchObject({ title: 'Use SQLite', hidden: false });
  });

  it('is told that a decision has changed meanwhile', async () => {
    const args = ['admin', 'decision', 'edit', 'old', '--team', 'demo', '--title', 'x', '--json'];
    expect(await runJson(...args)).toEqual({
      exitCode: 1,
      error: { code: 'conflict', detail: 'It has changed.' },
    });
  });

  it('lists every page of decisions', async () => {
    const row = { decision_id: 'd1', updated_at: created_at, deleted: true };
    const args = ['admin', 'decision', 'list', '--team', 'demo'];
    expect(await runJson(...args, '--json')).toEqual({ exitCode: 0, team: 'demo', decisions: [row, row] });
    const { stdout } = await runTms(args, { env });
    expect(stdout).toBe(`d1  hidden  ${created_at}\n`.repeat(2));
  });

  it('hides and shows a decision, and tells its history', async () => {
    const of = ['d1', '--team', 'demo', '--json'];
    expect(await runJson('admin', 'decision', 'hide', ...of)).toMatchObject({
      decision_id: 'd1',
      hidden: true,
    });
    expect(await runJson('admin', 'decision', 'unhide', ...of)).toMatchObject({
      decision_id: 'd1',
      hidden: false,
    });
    expect(await runJson('admin', 'decision', 'history', ...of)).toMatchObject({
      exitCode: 0,
      decision: { title: 'Now' },
      versions: [{ title: 'Before now' }, { title: 'Before p2' }],
    });
    const { stdout } = await runTms(['admin', 'decision', 'history', 'd1', '--team', 'demo'], { env });
    expect(stdout.split('\n')[0]).toBe(`${created_at}  administrator  proposed  team  Now`);
  });
});

describe.each([
  ['tms admin decision create', ['admin', 'decision', 'create', '--team', 'demo']],
  ['tms decision create', ['decision', 'create']],
])('%s', (_name, command) => {
  const flags = ['--body', 'why', '--audience', 'team'];

  it('makes a proposed decision unless told where it stands', async () => {
    const created = await runJson(...command, '--title', 'Use it', ...flags, '--json');
    expect(created).toMatchObject({ exitCode: 0, status: 'proposed' });
  });

  it('tells people which field breaks which rule', async () => {
    expect(await runTms([...command, '--title', '', ...flags], { env })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'tms: The decision breaks a rule.\n  /title: must be 1 to 300 characters\n',
    });
  });
});

describe('tms decision', () => {
  it('writes and reads with the key of a member, whatever team is set', async () => {
    const created = await runJson('decision', 'create', ...decisionFlags('team', 'accepted'), '--json');
    expect(created).toMatchObject({ exitCode: 0, decision_id: 'd1', body: ': why' });
    const edited = await runJson('decision', 'edit', 'd1', '--team', 'demo', '--title', 'New', '--json');
    expect(edited).toMatchObject({ exitCode: 0, title: 'New' });
    expect(await runJson('decision', 'hide', 'd1', '--json')).toMatchObject({ hidden: true });
    expect(await runJson('decision', 'unhide', 'd1', '--json')).toMatchObject({ hidden: false });
    expect(await runJson('decision', 'history', 'd1', '--json')).toMatchObject({
      decision: { title: 'Now' },
    });
    const row = { decision_id: 'd1', updated_at: created_at, deleted: true };
    expect(await runJson('decision', 'list', '--json')).toEqual({ exitCode: 0, decisions: [row, row] });
  });

  it('says that a key is not good, and never shows it', async () => {
    const outcome = await runTms(['decision', 'list', '--key', 'not-good', '--json'], { env });
    expect(outcome.exitCode).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'invalid_key' } });
    expect(outcome.stdout + outcome.stderr).not.toContain('not-good');
  });
});
