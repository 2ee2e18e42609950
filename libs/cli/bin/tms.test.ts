import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sendJson, serve } from '@teammemory/client/testing/serve.fixture.ts';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'tms.js');

const row = {
  row_key: 'a.md',
  title: '',
  tier: 'team',
  checksum: `sha256:${'0'.repeat(64)}`,
  updated_at: '2026-11-21T06:27:00.000Z',
  updated_by: 'ada',
};

async function exitOf(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

describe('bin/tms.js', () => {
  it('passes arguments, output and exit code through', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'ask', '--help']);
    expect(stdout).toMatch(/^Usage: tms ask/);
    const { code, stderr } = await exitOf(spawn(process.execPath, [script, 'log']));
    expect({ code, stderr }).toEqual({ code: 2, stderr: "tms: missing required argument 'file'\n" });
  });

  it('passes Ctrl-C on, which cancels the call', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await serve(() => resolve());
    const args = [script, 'ask', 'why?', '--url', server.url, '--key', 'k', '--team', 't'];
    const child = spawn(process.execPath, args);
    const exit = exitOf(child);
    await asked;
    child.kill('SIGINT');
    expect(await exit).toEqual({ code: 1, stderr: 'tms: The call was cancelled.\n' });
    await server.close();
  });

  it.each([
    ['with --help', ['--help']],
    ['with --version', ['--version']],
    ['of a list', ['ls']],
    ['of a list with --json', ['ls', '--json']],
  ])('ends in silence, as SIGPIPE ends others, when the reader %s has gone', async (_, args) => {
    const server = await serve((_request, response) => {
      sendJson(response, 200, { items: [row], next_cursor: 'c', has_more: false });
    });
    const service = ['--url', server.url, '--key', 'k', '--team', 't'];
    const child = spawn(process.execPath, [script, ...args, ...service]);
    child.stdout.destroy();
    expect(await exitOf(child)).toEqual({ code: 141, stderr: '' });
    await server.close();
  });

  it('says what to do where nothing is installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
    await copyFile(script, join(folder, 'tms.mjs'));
    const { code, stderr } = await exitOf(spawn(process.execPath, [join(folder, 'tms.mjs'), 'ask', 'why?']));
    await rm(folder, { recursive: true });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'tms: its own Node is not installed; run npm install first.\n',
    });
  });
});
