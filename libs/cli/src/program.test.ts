import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createdAt, fakeAuth, keyId, serveAuth } from '@teammemory/client/rpc/serve-auth.fixture.ts';
import { buildVersion } from '@teammemory/config/product-version.ts';
import { initWorkspace } from '@teammemory/sync/state/workspace.ts';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from './command-table.ts';
import { examples } from './examples.ts';
import { createWholeProgram } from './program.ts';
import { runTms } from './testing/run-tms.fixture.ts';

let server: Awaited<ReturnType<typeof serveAuth>>;
let env: Record<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
  server = await serveAuth(fakeAuth);
  env = { TMS_ADMIN_TOKEN: 'token', TMS_RPC_URL: server.rpcUrl };
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function runJson(...args: string[]): Promise<unknown> {
  const outcome = await runTms(args, { env });
  return { exitCode: outcome.exitCode, ...JSON.parse(outcome.stdout) };
}

const created_at = createdAt;

function decisionFlags(audience: string, status: string): string[] {
  return ['--title', 'Use it', '--body', 'why', '--audience', audience, '--status', status];
}

describe('tms admin', () => {
  it('creates a team, with --json anywhere', async () => {
    const expected = { exitCode: 0, team_id: 't1', slug: 'demo', name: 'Demo', created_at };
    expect(await runJson('--json', 'admin', 'team', 'create', 'demo', '--name', 'Demo')).toEqual(expected);
    expect(await runJson('admin', 'team', 'create', 'demo', '--json', '--name', 'Demo')).toEqual(expected);
  });

  it('adds a member', async () => {
    const added = await runJson(
      'admin',
      'member',
      'add',
      'ada',
      '--team',
      'demo',
      '--role',
      'admin',
      '--json',
    );
    expect(added).toEqual({
      exitCode: 0,
      member_id: 'm1',
      team: 'demo',
      handle: 'ada',
      role: 'admin',
      created_at,
    });
  });

  it('creates a key that expires', async () => {
    const args = ['admin', 'key', 'create', '--team', 'demo', '--member', 'ada', '--tier', 'external'];
    expect(await runJson(...args, '--expires', '90d', '--json')).toEqual({
      exitCode: 0,
      key_id: keyId,
      key: `tms_${keyId}_secret`,
      team: 'demo',
      member: 'ada',
      tier: 'external',
      access: 'write',
      item_writes_per_minute: null,
      created_at,
      expires_at: '2027-02-19T00:00:00.000Z',
    });
    expect(await runJson(...args, '--json')).toMatchObject({ expires_at: null });
    for (const limit of ['0', '1000001', '-1', '1e3', '', 'many']) {
      const refused = await runJson(...args, `--item-writes-per-minute=${limit}`, '--json');
      expect(refused, limit).toMatchObject({ exitCode: 2 });
    }
  });

  it('revokes and lists keys', async () => {
    expect(await runJson('admin', 'key', 'revoke', keyId, '--json')).toMatchObject({
      revoked_at: created_at,
    });
    const listed = await runJson('admin', 'key', 'list', '--team', 'demo', '--json');
    expect(listed).toMatchObject({
      exitCode: 0,
      team: 'demo',
      keys: [{ key_id: keyId, member: 'ada' }, { key_id: keyId }],
    });
  });

  it('sums up a team, as JSON and for people', async () => {
    const args = ['admin', 'rollup', '--team', 'demo', '--weeks', '1'];
    expect(await runJson(...args, '--json')).toMatchObject({
      exitCode: 0,
      team: 'demo',
      current: { members: 3, withheld: false, spines: { L2: 3 } },
      trend: [{ week: '2026-11-16', withheld: true, spines: null }],
    });
    const { stdout } = await runTms(args, { env });
    expect(stdout).toContain('3 members: L2 3');
    expect(stdout).toContain('2026-11-16  2 members; figures are withheld below 3');
  });

  it('scores the history of all teams again, or of one', async () => {
    const all = { exitCode: 0, teams: 2, scans: 4, snapshots: 1 };
    expect(await runJson('admin', 'rescore', '--json')).toEqual(all);
    expect(await runJson('admin', 'rescore', '--team', 'demo', '--json')).toEqual({ ...all, teams: 1 });
  });

  it('tells what a team used, as JSON and for people', async () => {
    const args = ['admin', 'usage', '--team', 'demo'];
    expect(await runJson(...args, '--from', '2026-11-01', '--to', '2026-11-30', '--json')).toMatchObject({
      exitCode: 0,
      team: 'demo',
      from: '2026-11-01',
      to: '2026-11-30',
      usage: [{ member: 'bob', model: 'gpt', cost_usd: 0.29 }, {}, { member: null, cost_usd: 0.000001 }],
    });
    const { stdout } = await runTms(args, { env });
    expect(stdout).toContain('2026-11-20  bob  gpt  2 calls, 1000 tokens in, 30 out  0.290000 USD\n');
    expect(stdout).toContain('2026-11-20  (the team)  gpt');
    expect(stdout).toMatch(/\ntotal {2}0\.580001 USD\n$/);
    expect(await runJson(...args, '--to', '2026-02-30', '--json')).toMatchObject({ exitCode: 1 });
  });

  it('tells how much of a team can be searched, as JSON and for people', async () => {
    const args = ['admin', 'index', '--team', 'demo'];
    expect(await runJson(...args, '--json')).toEqual({
      exitCode: 0,
      team: 'demo',
      team_keys: { passages: 300, missing_passages: 30 },
      external_keys: { passages: 20, missing_passages: 2 },
      bytes: 5_242_880,
    });
    const { stdout } = await runTms(args, { env });
    expect(stdout).toBe(
      [
        'demo  5.0 MB',
        'team keys      300 passages, 30 of them not indexed',
        'external keys  20 passages, 2 of them not indexed\n',
      ].join('\n'),
    );
  });

  it('creates a project', async () => {
    const args = ['admin', 'project', 'create', 'web', '--team', 'demo', '--name', 'Website', '--json'];
    expect(await runJson(...args)).toEqual({ exitCode: 0, slug: 'web', name: 'Website', brain_only: true });
  });

  it('renames a project', async () => {
    const args = ['admin', 'project', 'rename', 'web', '--team', 'demo', '--name', 'The website'];
    const renamed = { exitCode: 0, slug: 'web', name: 'The website', brain_only: true };
    expect(await runJson(...args, '--json')).toEqual(renamed);
  });

  it('removes projects and decisions', async () => {
    const projects = ['admin', 'project', 'remove', 'web', 'named', '--team', 'demo'];
    const removed = [
      { slug: 'web', still_named: false },
      { slug: 'named', still_named: true },
    ];
    expect(await runJson(...projects, '--json')).toEqual({ exitCode: 0, removed });
    expect((await runTms(projects, { env })).stdout).toContain('Project named removed; it stays in the list');
    const decision = ['admin', 'decision', 'remove', 'd1', '--team', 'demo'];
    expect(await runJson(...decision, '--json')).toEqual({ exitCode: 0, decision_id: 'd1', removed: true });
    expect(await runJson('admin', 'decision', 'remove', 'none', '--team', 'demo', '--json')).toMatchObject({
      exitCode: 1,
      error: { code: 'not_found' },
    });
  });

  it("fails with the service's own code and sentence", async () => {
    const outcome = await runTms(['admin', 'team', 'create', 'taken', '--name', 'X', '--json'], { env });
    expect(outcome).toMatchObject({ exitCode: 1, stderr: 'tms: The slug is taken.\n' });
    expect(JSON.parse(outcome.stdout)).toEqual({
      error: { code: 'already_exists', detail: 'The slug is taken.' },
    });
  });
});

describe('tms', () => {
  const mistakes = [
    [],
    ['frobnicate'],
    ['push'],
    ['ask'],
    ['ask', 'why', 'not'],
    ['search'],
    ['search', 'why?', '--limit', '0', '--key', 'k', '--team', 't'],
    ['search', 'why?', '--limit', 'ten', '--key', 'k', '--team', 't'],
    ['search', 'why?', '--kind', 'task', '--key', 'k', '--team', 't'],
    ['pull', '--depth', '1', 'x'],
    ['admin'],
    ['admin', 'key', 'create', '--member', 'ada', '--tier', 'team'],
    ['admin', 'key', 'create', '--team', 'demo', '--member', 'ada', '--tier', 'admin'],
    ['admin', 'key', 'create', '--team', 'demo', '--member', 'ada', '--tier', 'team', '--expires', 'soon'],
    ['admin', 'decision', 'create', '--team', 'demo', '--title', 'x'],
    ['admin', 'decision', 'create', '--team', 'demo', ...decisionFlags('admin', 'accepted')],
    ['admin', 'decision', 'create', '--team', 'demo', ...decisionFlags('team', 'done')],
    ['admin', 'decision', 'create', ...decisionFlags('team', 'accepted')],
    ['admin', 'decision', 'edit', 'd1', '--team', 'demo', '--hide', '--show'],
    ['admin', 'decision', 'edit', 'd1', '--team', 'demo', '--base', '5'],
    ['admin', 'decision', 'edit', '--team', 'demo'],
    ['admin', 'decision', 'list'],
    ['admin', 'decision', 'history', 'd1'],
    ['admin', 'decision', 'remove', 'd1'],
    ['admin', 'project', 'remove', '--team', 'demo'],
    ['admin', 'project', 'remove', 'web'],
    ['admin', 'project', 'rename', 'web', '--team', 'demo'],
    ['admin', 'service', 'create', 'search'],
    ['admin', 'service', 'create', 'search', '--scopes', 'feed:read', '--expires', 'soon'],
    ['decision', 'create', '--title', 'x'],
    ['decision', 'show'],
    ['admin', 'project', 'create', 'web', '--name', 'Website'],
    ['admin', 'project', 'create', 'web', '--team', 'demo'],
    ['admin', 'member', 'add', 'ada', '--team', 'demo', '--role', 'king'],
    ['admin', 'rollup'],
    ['admin', 'rollup', '--team', 'demo', '--weeks', 'some'],
    ['admin', 'usage'],
    ['admin', 'usage', '--team', 'demo', '--from', 'monday'],
    ['push', 'x', '--tier', 'public', '--key', 'k', '--team', 't'],
    ['push', '/does/not/exist', '--key', 'k', '--team', 't'],
    ['ask', 'why?', '--key', 'k\n', '--team', 't'],
    ['ask', 'why?', '--url', 'ftp://x', '--key', 'k', '--team', 't'],
  ];
  for (const args of mistakes) {
    it(`exits 2 with one JSON object for: tms ${args.join(' ').replace('\n', '\\n')}`, async () => {
      const outcome = await runTms([...args, '--json'], { env });
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^tms: ./) });
      expect(JSON.parse(outcome.stdout)).toEqual({ error: { code: 'usage', detail: expect.any(String) } });
      expect(await runTms(args, { env })).toMatchObject({ exitCode: 2, stdout: '' });
    });
  }

  it('prints help on stdout and exits 0', async () => {
    expect(await runTms(['push', '--help'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Usage: tms push/),
      stderr: '',
    });
  });

  it.for([['--version'], ['-V']])('prints its version for %s', async ([flag = '']) => {
    expect(await runTms([flag])).toMatchObject({ exitCode: 0, stdout: `${buildVersion}\n`, stderr: '' });
    expect(JSON.parse((await runTms([flag, '--json'])).stdout)).toEqual({ version: buildVersion });
  });

  it('suggests the command that was meant', async () => {
    expect((await runTms(['pul'])).stderr).toContain('Did you mean pull?');
    expect((await runTms(['admin', 'kye'])).stderr).toContain('Did you mean key?');
  });

  it('says that the administration does not read the team of the environment', async () => {
    const outcome = await runTms(['admin', 'key', 'list'], { env: { ...env, TMS_TEAM: 'rivers' } });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not read TMS_TEAM') });
  });

  const eager = /commands|settings|zod|libs\/(client|sync)/;
  it.for([
    { arg: '--version', unwanted: eager },
    { arg: '--help', unwanted: eager },
    { arg: 'frobnicate', unwanted: eager },
    // It runs often, and most of its time went into loading what it does not use.
    { arg: 'status', unwanted: /settings|\/zod\/|\/yaml\/|libs\/client/ },
  ])('loads only what it needs for $arg', async ({ arg, unwanted }) => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + '\\n'), next(url, context)) });`;
    const program = fileURLToPath(new URL('./main.ts', import.meta.url));
    await initWorkspace(folder, { url: 'http://127.0.0.1:1', team: 'demo' });
    const child = promisify(execFile)(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, program, arg],
      { cwd: folder },
    );
    const { stderr } = await child.catch((failed: { stderr: string }) => failed);
    const loaded = [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url);
    expect(loaded.some((url) => url.endsWith('/program.ts'))).toBe(true);
    expect(loaded.filter((url) => unwanted.test(url))).toEqual([]);
  });

  it('shows examples in the help of every command, and each runs what it promises', async () => {
    const host = {
      context: undefined as never,
      paint: undefined as never,
      finish: () => undefined,
      wholeProgram: undefined as never,
    };
    const program = await createWholeProgram(host);
    const wordsOf = (command: Command, words: readonly string[]): string[][] => [
      [...words],
      ...command.commands.flatMap((child) => wordsOf(child, [...words, child.name()])),
    ];
    const all = wordsOf(program, []);
    expect(all.length).toBeGreaterThan(20);
    expect(Object.keys(examples).sort()).toEqual(all.map((words) => words.join(' ')).sort());
    for (const words of all) {
      const { stdout } = await runTms([...words, '--help']);
      expect(stdout, words.join(' ')).toMatch(/\nExamples:\n {2}tms /);
      const [example = ''] = examples[words.join(' ')] ?? [];
      expect(example).toMatch(new RegExp(`^tms ${words.join(' ')}`));
    }
  });

  it('has in --help the summary that the command itself has', async () => {
    const host = {
      context: undefined as never,
      paint: undefined as never,
      finish: () => undefined,
      wholeProgram: undefined as never,
    };
    const program = await createWholeProgram(host);
    expect(program.commands.map((command) => [command.name(), command.description()])).toEqual(
      commandTable.map(({ name, summary }) => [name, summary]),
    );
  });

  it('names the address, where it came from and the next step when the service does not answer', async () => {
    const args = ['ask', 'why?', '--key', 'k', '--team', 't', '--url', 'http://127.0.0.1:1'];
    const { stderr, exitCode } = await runTms(args, { env: {} });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('tried: http://127.0.0.1:1 (from --url), team t, key from --key');
    expect(stderr).toContain('next:  check that the service runs there');
    const admin = ['admin', 'key', 'list', '--team', 'demo'];
    const env = { TMS_ADMIN_TOKEN: 'x', TMS_RPC_URL: 'http://127.0.0.1:1' };
    expect((await runTms(admin, { env })).stderr).toContain('TMS_RPC_URL');
    const member = ['decisions', 'list', '--key', 'tms_k'];
    expect((await runTms(member, { env })).stderr).toContain('the address of its RPC port in TMS_RPC_URL');
  });

  it('takes a question that looks like a flag behind --', async () => {
    const outcome = await runTms([
      'ask',
      '--key',
      'k',
      '--team',
      't',
      '--url',
      'http://127.0.0.1:1',
      '--',
      '--json',
    ]);
    expect(outcome).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/cannot be reached/),
    });
  });
});

describe('the documentation of tms', () => {
  const read = (page: string) => readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const names = commandTable.map(({ name }) => name).join('|');
  const commandLine = new RegExp(`\\btms ((?:${names})\\b[^\`\\n|&)#]*)`, 'g');
  const commandLines = ['README.md', 'docs/cli.md'].flatMap((page) =>
    [...read(page).matchAll(commandLine)].map(([, rest = '']) => rest.trim()),
  );

  it.for([...new Set(commandLines)])('has in its own help what is documented: tms %s', async (line) => {
    const [words = ''] = /^[a-z]+(?: [a-z]+)*/.exec(line) ?? [];
    const { stdout } = await runTms([...words.split(' '), '--help']);
    // A group with another name has that behind a bar.
    const usage = stdout.split('\n', 1)[0]?.replace(/\|[a-z]+/g, '') ?? '';
    const [, command = ''] = /^Usage: tms ((?:[a-z]+ )+)/.exec(usage) ?? [];
    // What follows the name of a command are arguments; what follows that of a group must be a command.
    if (/^Commands:/m.test(stdout)) expect(command).toBe(`${words} `);
    else expect(`${words} `).toContain(command);
    const flags = line.match(/--[a-z-]+/g) ?? [];
    expect(flags.filter((flag) => !stdout.includes(`\n  ${flag} `))).toEqual([]);
  });
});
