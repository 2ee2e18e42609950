import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeConfiguration, readConfiguration } from '../mcp-clients/configuration-file.ts';
import { type RunOutcome, runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;
let notes: string;

beforeEach(async () => {
  workspace = await openWorkspace();
  notes = join(workspace.folder, 'notes');
  await workspace.run('init', 'notes');
});

afterEach(() => workspace.close());

/** Runs `tms mcp` in the folder. */
const mcp = (...args: string[]): Promise<RunOutcome> =>
  runTms(['mcp', ...args], { env: workspace.env, cwd: notes });

/** Runs it as somebody at a terminal who types an answer. */
async function answer(typed: string, ...args: string[]): Promise<RunOutcome> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const asked: string[] = [];
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  stderr.on('data', (chunk) => {
    asked.push(String(chunk));
    if (asked.join('').includes('[y/N]') && stdin.writable) stdin.end(`${typed}\n`);
  });
  const outcome = await runTms(['mcp', ...args], { env: workspace.env, cwd: notes, stdin, stderr });
  return { ...outcome, stderr: asked.join('') };
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('in a folder made by tms init', () => {
  test('the change is shown and made, the old file is kept, and uninstalling brings it back', async () => {
    const before = '{\n  "mcpServers": {\n    "other": { "env": { "A": "b" } }\n  }\n}\n';
    await workspace.write('notes/.mcp.json', before);
    await chmod(join(notes, '.mcp.json'), 0o640);
    const outcome = await mcp('install', 'claude', '--yes');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr).toContain('+    "team-memory": {');
    expect(outcome.stdout).toContain(`Claude Code: team-memory added, in ${join(notes, '.mcp.json')}.`);
    const after = await workspace.read('notes/.mcp.json');
    expect(JSON.parse(after).mcpServers).toEqual({
      other: { env: { A: 'b' } },
      'team-memory': { command: 'tms', args: ['mcp'] },
    });
    expect(await workspace.read('notes/.mcp.json.tms-backup')).toBe(before);
    for (const name of ['.mcp.json', '.mcp.json.tms-backup'])
      expect(await modeOf(join(notes, name))).toBe(0o640);

    expect(await mcp('install', 'claude')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Nothing to do'),
    });
    expect(await mcp('uninstall', 'claude', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await workspace.read('notes/.mcp.json')).toBe(before);
    expect(await workspace.list('notes')).toEqual(['.mcp.json']);
  });

  test('no file ever has the key, and what was made goes again', async () => {
    for (const client of ['claude', 'cursor', 'vscode']) {
      for (const options of [[], ['--http'], ['--user'], ['--user', '--http']]) {
        expect(await mcp('install', client, '--yes', ...options)).toMatchObject({ exitCode: 0 });
        for (const name of await workspace.list('.')) {
          expect(await workspace.read(name)).not.toContain(workspace.env.TMS_KEY);
        }
      }
      expect(await mcp('uninstall', client, '--yes')).toMatchObject({ exitCode: 0 });
      expect(await mcp('uninstall', client, '--yes', '--user')).toMatchObject({ exitCode: 0 });
    }
  });

  test('a key of the environment is told about, since the client may not hand it on', async () => {
    const { stderr } = await mcp('install', 'claude', '--yes');
    expect(stderr).toContain('warning: the key comes from TMS_KEY');
    expect(stderr).toContain(`tms login --agents --url ${workspace.service.url} --team demo`);
    await workspace.run('login', '--agents', '--key', 'tms_id_secret');
    expect((await mcp('install', 'cursor', '--yes')).stderr).not.toContain('warning');
  });

  test('a team that is not that of the folder needs --user', async () => {
    expect(await mcp('install', 'claude', '--yes', '--team', 'lakes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('belongs to team demo'),
    });
  });
});

describe('for the user', () => {
  test('a new file is readable by nobody else', async () => {
    expect(await mcp('install', 'codex', '--yes')).toMatchObject({ exitCode: 0 });
    const path = join(workspace.folder, '.codex', 'config.toml');
    expect(await readFile(path, 'utf8')).toBe(
      `[mcp_servers.team-memory]\ncommand = "/opt/node"\nargs = ["/opt/tms/bin/tms.js", "mcp", "--url", "${workspace.service.url}", "--team", "demo"]\n`,
    );
    expect([await modeOf(path), await modeOf(join(workspace.folder, '.codex'))]).toEqual([0o600, 0o700]);
    expect(await mcp('uninstall', 'codex', '--yes')).toMatchObject({ exitCode: 0 });
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  test('is what a folder that no tms init made needs', async () => {
    const elsewhere = { env: workspace.env, cwd: workspace.folder };
    expect(await runTms(['mcp', 'install', 'cursor', '--yes'], elsewhere)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Use --user for the configuration of Cursor'),
    });
    const outcome = await runTms(['mcp', 'install', 'cursor', '--yes', '--user', '--json'], elsewhere);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      client: 'cursor',
      entry: 'team-memory',
      change: 'added',
      backup: null,
      file: expect.stringMatching(/\.cursor\/mcp\.json$/),
      patch: expect.stringContaining('+++'),
    });
  });
});

describe('nothing is changed', () => {
  test('where nobody can be asked, without --yes', async () => {
    expect(await mcp('install', 'claude')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/\+\+\+[\s\S]*nobody can be asked here\. Use --yes/),
    });
    expect(await workspace.list('notes')).toEqual([]);
  });

  test('unless the answer is yes', async () => {
    expect(await answer('', 'install', 'claude')).toMatchObject({ exitCode: 1 });
    expect(await workspace.list('notes')).toEqual([]);
    expect(await answer('y', 'install', 'claude')).toMatchObject({ exitCode: 0 });
    expect(await workspace.list('notes')).toEqual(['.mcp.json']);
  });

  test('in a file that is not valid', async () => {
    await workspace.write('notes/.mcp.json', '{ "mcpServers": ');
    expect(await mcp('install', 'claude', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not valid JSON'),
    });
    await workspace.write('notes/.mcp.json', new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(await mcp('install', 'claude', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not UTF-8'),
    });
    expect(await workspace.list('notes')).toEqual(['.mcp.json']);
  });

  test('behind a symbolic link that leads out of the folder, or to nothing', async () => {
    const outside = join(workspace.folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'file.json'), '{}');
    await symlink(outside, join(notes, '.cursor'));
    await symlink(join(outside, 'file.json'), join(notes, '.mcp.json'));
    await mkdir(join(notes, '.vscode'));
    await symlink(join(outside, 'missing.json'), join(notes, '.vscode', 'mcp.json'));
    for (const client of ['cursor', 'claude', 'vscode']) {
      expect(await mcp('install', client, '--yes')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('symbolic link'),
      });
    }
    expect(await workspace.list('outside')).toEqual(['file.json']);
    expect(await workspace.read('outside/file.json')).toBe('{}');
  });

  test('in a file that another program has changed since it was read', async () => {
    const path = join(notes, '.mcp.json');
    const file = await readConfiguration(notes, path, 'project');
    await writeFile(path, '{"later": true}');
    await expect(changeConfiguration(file, '{}')).rejects.toThrow('has just been changed');
    expect(await readFile(path, 'utf8')).toBe('{"later": true}');
  });
});
