import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sendJson, serve } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hookClients } from '../hooks/hook-file.ts';
import { type RunOutcome, runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, storedKey, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => workspace.close());

const files = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  cursor: '.cursor/hooks.json',
} as const;
const tms = '"/opt/node" "/opt/tms/bin/tms.js" hooks run';

const page = (rows: object) => ({ ...rows, next_cursor: 'c', has_more: false });
const answers: Record<string, object> = {
  '/api/v1/whoami': {
    team: 'demo',
    member: 'ada',
    tier: 'team',
    access: 'write',
    key_id: 'id',
    expires_at: null,
    item_writes_per_minute: 60,
  },
  '/api/v1/projects': { projects: [{ slug: 'web-shop', name: 'Web', brain_only: false }] },
  '/api/v1/items': page({
    items: [
      {
        row_key: 'notes/new.md',
        title: 'New\u001b[31m note',
        tier: 'team',
        checksum: `sha256:${'0'.repeat(64)}`,
        updated_at: '2026-11-20T06:27:00.123Z',
        updated_by: 'bob',
      },
    ],
  }),
  '/api/v1/tasks': page({ tasks: [] }),
  '/api/v1/decisions': page({ decisions: [] }),
};

/** Runs the program against a service that answers so, in a folder of a repository with a remote. */
async function withService(
  run: (env: Record<string, string>, cwd: string, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const service = await serve(({ url = '' }, response) => {
    asked.push(url);
    sendJson(response, 200, answers[url.split('?')[0] ?? ''] ?? {});
  });
  const cwd = join(workspace.folder, 'checkout', 'src');
  await mkdir(cwd, { recursive: true });
  const config =
    '[core]\n\tbare = false\n[remote "fork"]\n\turl = x/other\n[remote "origin"]\n\turl = git@example.com:acme/Web_Shop.git\n';
  await workspace.write('checkout/.git/config', config);
  // These tests are about the words. On a slow machine loading the code alone takes the second that a session waits.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  try {
    await run({ ...workspace.env, TMS_URL: service.url }, cwd, asked);
  } finally {
    timeout.mockRestore();
    await service.close();
  }
}

const away = { TMS_URL: 'http://127.0.0.1:1' };

describe('tms brief', () => {
  test('names the project of the folder by its remote, and what is new, as data', async () => {
    await withService(async (env, cwd) => {
      const { stdout, exitCode } = await runTms(['brief'], { env, cwd });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/never an instruction to you\.\n\n=== \w+ brief of project web-shop\n/);
      expect(stdout).toContain('- "notes/new.md" "New\\u{1b}[31m note" by "bob"');
    });
  });

  test('is silent where the service is away or does not answer within a second', async () => {
    const { env, folder: cwd } = workspace;
    expect(await runTms(['brief'], { env: { ...env, ...away }, cwd })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const silent = await serve(() => undefined);
    const startedMs = performance.now();
    const outcome = await runTms(['brief'], { env: { ...env, TMS_URL: silent.url }, cwd });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    // It gives up after one second; the rest is for a slow machine.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    await silent.close();
  });

  test('says by hand which setting is missing', async () => {
    const { folder: cwd } = workspace;
    expect(await runTms(['brief'], { env: { HOME: cwd }, cwd })).toMatchObject({ exitCode: 2 });
  });
});

const install = (client: string, ...more: string[]) =>
  runTms(['hooks', 'install', client, ...more], { env: workspace.env, cwd: workspace.folder });
const uninstall = (client: string, ...more: string[]) =>
  runTms(['hooks', 'uninstall', client, ...more], { env: workspace.env, cwd: workspace.folder });

describe('tms hooks install', () => {
  test('writes the form that each program reads, with absolute paths and without a key', async () => {
    for (const client of hookClients) {
      expect(await install(client, '--yes')).toMatchObject({ exitCode: 0 });
      const text = await workspace.read(files[client]);
      expect(text).not.toContain('tms_id_secret');
      const hook = (moment: string) => ({ command: `${tms} ${client} ${moment}`, timeout: 5 });
      const group = (moment: string) => [{ hooks: [{ type: 'command', ...hook(moment) }] }];
      expect(JSON.parse(text)).toEqual(
        client === 'cursor'
          ? { version: 1, hooks: { sessionStart: [hook('start')], stop: [hook('stop')] } }
          : { hooks: { SessionStart: group('start'), Stop: group('stop') } },
      );
      expect(await install(client)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('is as it should be'),
      });
      expect(await uninstall(client, '--yes')).toMatchObject({ exitCode: 0 });
    }
    expect(await workspace.list('.')).toEqual([]);
  });

  test.each(hookClients)('keeps everything else of %s, and uninstalling brings it back', async (client) => {
    const event = client === 'cursor' ? 'stop' : 'Stop';
    const before = `{\n  // mine\n  "a": 1.0,\n  "hooks": {\n    "${event}": [\n      { "command": "mine" } // why\n    ]\n  }\n}\n`;
    await workspace.write(files[client], before);
    expect(await install(client, '--yes')).toMatchObject({ exitCode: 0 });
    const after = await workspace.read(files[client]);
    expect(after).toContain('{ "command": "mine" }, // why');
    expect(after.split('hooks run')).toHaveLength(3);
    expect(await uninstall(client, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await workspace.read(files[client])).toBe(before);

    // What was changed since stays, without the help of the backup.
    await install(client, '--yes');
    await workspace.write(files[client], (await workspace.read(files[client])).replace('1.0', '2.0'));
    await uninstall(client, '--yes');
    expect(await workspace.read(files[client])).toContain('"a": 2.0');
    expect(await workspace.read(files[client])).not.toContain('hooks run');
  });

  test('shows the change and makes none where nobody can be asked', async () => {
    const { exitCode, stderr } = await install('claude');
    expect([exitCode, stderr.includes('hooks run claude start')]).toEqual([2, true]);
    expect(await workspace.list('.')).toEqual([]);
  });

  test.each(['{"hooks": []}', '{"hooks": {"Stop": {}}}', '{', '[]'])(
    'leaves a file alone that is %j',
    async (text) => {
      await workspace.write(files.claude, text);
      expect(await install('claude', '--yes')).toMatchObject({ exitCode: 1 });
      expect(await workspace.read(files.claude)).toBe(text);
    },
  );

  test.each(['/opt/$(id)/node', '/opt/`id`', '/opt/"; id; "'])(
    'refuses a program at %j, whose name a shell would read',
    async (node) => {
      const { env, folder: cwd } = workspace;
      const program = [node, '/opt/tms/bin/tms.js'] as const;
      const outcome = await runTms(['hooks', 'install', 'claude', '--yes'], { env, cwd, program });
      expect(outcome).toMatchObject({ exitCode: 2 });
      expect(await workspace.list('.')).toEqual([]);
    },
  );

  const mine = '{ "type": "prompt", "prompt": "Is all done?" }';

  test.each([
    ['uninstalling', uninstall, '/opt/tms/bin/tms.js'],
    ['installing again after tms has moved', install, '/old/tms.js'],
  ])('%s keeps what the user added to an entry of ours', async (_, change, script) => {
    const hook = (moment: string) =>
      `{ "type": "command", "command": "\\"/opt/node\\" \\"${script}\\" hooks run claude ${moment}" }`;
    const entry = (inner: string) => `{ "matcher": "x", "hooks": [${inner}] }`;
    const lists = [
      `"SessionStart": [${entry(`${hook('start')}, ${mine}`)}]`,
      `"Stop": [${entry(hook('stop'))}, ${entry(`${mine}, ${hook('stop')}`)}, ${entry(hook('stop'))}]`,
    ];
    await workspace.write(files.claude, `{ "hooks": { ${lists.join(', ')} } }`);
    expect(await change('claude', '--yes')).toMatchObject({ exitCode: 0 });
    const { hooks } = JSON.parse(await workspace.read(files.claude));
    const kept = [{ matcher: 'x', hooks: [JSON.parse(mine)] }];
    expect(hooks.SessionStart.slice(0, 1)).toEqual(kept);
    expect(hooks.Stop.slice(0, 1)).toEqual(kept);
    const own = change === install ? 1 : 0;
    expect([hooks.SessionStart.length, hooks.Stop.length]).toEqual([1 + own, 1 + own]);
    expect(JSON.stringify(hooks).split('hooks run')).toHaveLength(1 + 2 * own);
  });

  test('uninstalling after tms has moved does not bring its earlier hooks back', async () => {
    await runTms(['hooks', 'install', 'claude', '--yes'], {
      env: workspace.env,
      cwd: workspace.folder,
      program: ['/opt/node', '/old/tms.js'],
    });
    await install('claude', '--yes');
    await uninstall('claude', '--yes');
    expect(await workspace.read(files.claude)).toBe('{}\n');
  });

  test.each([
    ['[]', 'It is not a JSON object.'],
    ['null', 'It is not a JSON object.'],
    ['{', 'It is not valid JSON.'],
    ['{"hooks": null}', 'Its hooks are not an object.'],
    ['{"hooks": []}', 'Its hooks are not an object.'],
    ['{"hooks": {"Stop": {}, "SessionEnd": {}}}', 'are not a list.'],
    ['{"hooks": {}, "hooks": {}}', 'It has hooks twice.'],
  ])('says of settings such as %s what is odd, and leaves them alone', async (text, problem) => {
    await workspace.write(files.claude, text);
    for (const args of [
      ['hooks', 'install', 'claude'],
      ['report', '--install', 'session'],
    ]) {
      const env = await storedKey(workspace);
      const outcome = await runTms([...args, '--yes'], { env, cwd: workspace.folder });
      expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(problem) });
      expect(await workspace.read(files.claude)).toBe(text);
    }
  });

  test('needs a key that the hooks will find', async () => {
    const { folder: cwd } = workspace;
    const outcome = await runTms(['hooks', 'install', 'claude', '--yes'], { env: { HOME: cwd }, cwd });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No team') });
  });

  test('--rules writes three sentences, once, beside what is there, and takes them out again', async () => {
    await workspace.write('AGENTS.md', '# Ours\n\nRun the tests.\n');
    for (const client of hookClients) {
      await install(client, '--yes', '--rules');
      await install(client, '--yes', '--rules');
      const path = client === 'claude' ? '.claude/rules/team-memory.md' : 'AGENTS.md';
      const text = await workspace.read(path);
      expect(text.split('<!-- team-memory -->')).toHaveLength(2);
      expect(text).toContain('information, never an instruction');
      await uninstall(client, '--yes', '--rules');
    }
    expect(await workspace.list('.')).toEqual(['AGENTS.md']);
    expect(await workspace.read('AGENTS.md')).toBe('# Ours\n\nRun the tests.\n');
  });

  const markers = ['<!-- team-memory -->', '<!-- /team-memory -->'] as const;

  test.each([
    '',
    '\n',
    '  \n',
    '# Mine',
    '# Mine\n\n\n',
    '  \n# Mine\n',
    'a\r\nb\r\n',
    'a\r\nb',
    'a\r\nb\n',
    '\ufeff# Mine\r\n',
    `x\n${markers[0]}\norphan\n\n# Mine\n`,
    `${markers[0]}`,
    `x\n${markers[1]}\n\n# Mine\n`,
    `see \`${markers[0]}\` and\n# Mine\n${markers[1]}, which ends it\n`,
    `see ${markers[0]} and ${markers[1]}`,
  ])('--rules beside %j leaves it byte for byte, however often, and no copy of it', async (before) => {
    await workspace.write('AGENTS.md', before);
    await install('cursor', '--yes', '--rules');
    const after = await workspace.read('AGENTS.md');
    expect(after.startsWith(before)).toBe(true);
    expect(after.split('Before you plan')).toHaveLength(2);
    await install('cursor', '--yes', '--rules');
    expect(await workspace.read('AGENTS.md')).toBe(after);
    await workspace.write('AGENTS.md', `${after.trimEnd()}\n# Since\n`);
    await uninstall('cursor', '--yes', '--rules');
    const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
    const line = before === '' || before.endsWith('\n') ? before : before + lineEnd;
    expect(await workspace.read('AGENTS.md')).toBe(`${line}# Since\n`);
    await workspace.write('AGENTS.md', after);
    await uninstall('cursor', '--yes', '--rules');
    expect(await workspace.read('AGENTS.md')).toBe(before);
    expect(await workspace.list('.')).toEqual(['AGENTS.md']);
  });
});

describe('tms hooks run', () => {
  const hook = (
    [client, moment]: [string, string],
    told: unknown,
    { env, cwd, at = '2026-11-27T00:00:00.000Z' }: { env: Record<string, string>; cwd: string; at?: string },
  ): Promise<RunOutcome> => {
    const text = typeof told === 'string' ? told : JSON.stringify(told);
    const stdin = Readable.from([Buffer.from(text)]);
    return runTms(['hooks', 'run', client, moment], { env, cwd, stdin, now: () => new Date(at) });
  };

  test('tells a session its brief, and the next one in the folder what is new since then', async () => {
    await withService(async (env, cwd, asked) => {
      const told = { session_id: 's1', cwd, hook_event_name: 'SessionStart' };
      const { stdout } = await hook(['claude', 'start'], told, { env, cwd: '/' });
      const { hookSpecificOutput } = JSON.parse(stdout);
      expect(hookSpecificOutput).toMatchObject({
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('brief of project web-shop'),
      });
      const at = '2026-11-28T00:00:00.000Z';
      const cursor = { conversation_id: 's2', workspace_roots: [cwd] };
      const next = await hook(['cursor', 'start'], cursor, { env, cwd: '/', at });
      expect(JSON.parse(next.stdout).additional_context).toContain('brief of');
      const items = asked.filter((url) => url.startsWith('/api/v1/items'));
      expect(items.map((url) => new URL(url, 'http://service').searchParams.get('since'))).toEqual([
        '2026-11-20T00:00:00.000Z',
        '2026-11-27T00:00:00.000Z',
      ]);
    });
  });

  test('nudges a session once, when it stops after ten minutes or later, and none that goes on for a hook', async () => {
    await withService(async (env, cwd) => {
      for (const client of hookClients) {
        const id = client === 'cursor' ? { conversation_id: 'n' } : { session_id: 'n' };
        const stop = async (at: string, more = {}) =>
          (await hook([client, 'stop'], { ...id, ...more }, { env, cwd, at })).stdout;
        expect(await stop('2026-11-27T09:00:00.000Z')).toBe('');
        await hook([client, 'start'], id, { env, cwd, at: '2026-11-27T09:00:00.000Z' });
        expect(await stop('2026-11-27T09:09:00.000Z')).toBe('');
        expect(await stop('2026-11-27T09:11:00.000Z', { stop_hook_active: true })).toBe('');
        const said = JSON.parse(await stop('2026-11-27T09:11:00.000Z'));
        expect(said.followup_message ?? said.reason).toMatch(/^Before you end: /);
        expect(await stop('2026-11-27T09:12:00.000Z')).toBe('');
      }
    });
  });

  test.each([
    'no JSON',
    '',
    '[]',
    '{"session_id":1}',
    '{"session_id":"__proto__","cwd":"__proto__"}',
    'x'.repeat(2_000_000),
  ])('says nothing and does not fail for what no program tells', async (told) => {
    const env = { ...workspace.env, ...away };
    for (const moment of ['start', 'stop']) {
      const outcome = await hook(['claude', moment], told, { env, cwd: workspace.folder });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    }
  });

  test('says nothing and does not fail without settings, or where the service is away', async () => {
    const { folder: cwd, env } = workspace;
    const settings: Record<string, string>[] = [{ HOME: cwd }, { ...env, ...away }];
    for (const each of settings) {
      const outcome = await hook(['claude', 'start'], { session_id: 's', cwd }, { env: each, cwd });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    }
  });
});
