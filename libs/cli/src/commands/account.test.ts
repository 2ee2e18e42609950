import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

const key = 'tms_id_secret';
let workspace: Workspace;
let config: string;

beforeEach(async () => {
  workspace = await openWorkspace();
  config = join(workspace.folder, '.config/tms/config.json');
});

afterEach(() => workspace.close());

const stored = async () => JSON.parse(await readFile(config, 'utf8'));

/** Runs with nothing in the environment but the home folder. */
function run(args: string[], context: Parameters<typeof runTms>[1] = {}) {
  return runTms(args, { env: { HOME: workspace.folder }, cwd: workspace.folder, ...context });
}

const account = () => ['--url', workspace.service.url, '--team', 'demo'];

describe('tms login, logout and whoami', () => {
  it('store a key for its service and team, for the user only, and forget it', async () => {
    const login = await run(['login', ...account(), '--key', '-'], { stdin: Readable.from([`${key}\n`]) });
    expect(login).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('You are ada: tier team, access write'),
    });
    expect(login.stdout + login.stderr).not.toContain(key);
    const { url } = workspace.service;
    expect(await stored()).toEqual({ url, team: 'demo', keys: { [`${url} demo`]: key } });
    if (process.platform !== 'win32') expect((await stat(config)).mode & 0o777).toBe(0o600);

    const who = await run(['whoami']);
    expect(who).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ada of team demo') });
    expect(JSON.parse((await run(['whoami', '--json'])).stdout)).toMatchObject({
      team: 'demo',
      url,
      access: 'write',
    });

    expect(await run(['logout'])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual({ url, team: 'demo', keys: {} });
    expect(await run(['logout'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is stored'),
    });
    expect(await run(['whoami'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('tms login'),
    });
  });

  it('store when the key expires, and say so once that has passed', async () => {
    const expires_at = '2026-11-20T12:00:00.000Z';
    const who = { team: 'demo', member: 'ada', tier: 'team', access: 'write', key_id: 'id' };
    workspace.service.intercept('/api/v1/whoami', (response) =>
      sendJson(response, 200, { ...who, expires_at, item_writes_per_minute: 60 }),
    );
    expect(await run(['login', ...account(), '--key', key])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toMatchObject({ expiries: { id: expires_at } });
    workspace.service.intercept('/api/v1/items', (response) =>
      sendJson(response, 401, { code: 'invalid_key', detail: 'The key is not valid.' }),
    );
    const { stderr } = await run(['ls', ...account()]);
    expect(stderr).toContain(`next:  the key expired at ${expires_at}; ask an administrator for a new one`);
  });

  it('tell the RPC port of a service from its public one', async () => {
    workspace.service.intercept('/api/v1/whoami', (response) => response.writeHead(501).end('{}'));
    const { stderr } = await run(['login', ...account(), '--key', key]);
    expect(stderr).toContain('next:  that is the RPC port of a service: use its public address');
  });

  it('store and forget the key of agents beside the own one', async () => {
    await run(['login', ...account(), '--key', key]);
    expect(await run(['login', ...account(), '--agents', '--key', key])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('The key of agents for team demo'),
    });
    const name = `${workspace.service.url} demo`;
    expect(await stored()).toMatchObject({ keys: { [name]: key }, agent_keys: { [name]: key } });
    expect(await run(['logout', ...account(), '--agents'])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toMatchObject({ keys: { [name]: key }, agent_keys: {} });
    expect(await run(['logout', ...account(), '--agents'])).toMatchObject({ exitCode: 1 });
  });

  it('keep the keys of other teams, and a config file that was written by hand', async () => {
    await mkdir(join(workspace.folder, '.config/tms'), { recursive: true });
    const before = { url: 'http://a.test', team: 'one', key: 'k1', keys: { 'http://a.test two': 'k2' } };
    await writeFile(config, JSON.stringify(before), { mode: 0o600 });
    expect(await run(['login', ...account(), '--key', key])).toMatchObject({ exitCode: 0 });
    const { url } = workspace.service;
    expect(await stored()).toEqual({ ...before, keys: { ...before.keys, [`${url} demo`]: key } });
    expect(await run(['logout', '--url', 'http://a.test', '--team', 'one'])).toMatchObject({ exitCode: 0 });
    expect(await stored()).not.toHaveProperty('key');
  });

  it('store nothing that the service refuses, and say what was tried and what to do', async () => {
    const refused = await run(['login', ...account(), '--key', 'tms_id_wrong']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The key is not valid.') });
    expect(refused.stderr).toContain(`tried: ${workspace.service.url} (from --url), team demo`);
    expect(refused.stderr).toContain('next:  ask an administrator for a new key');
    const other = await run(['login', '--url', workspace.service.url, '--team', 'lakes', '--key', key]);
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The key is of team demo') });
    await expect(stat(config)).rejects.toThrow();
    const silent = await run(['login', ...account()]);
    expect(silent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--key -') });
  });

  it('check a key with a list where a service of the plain contract does not know whoami', async () => {
    const unknown = () =>
      workspace.service.intercept('/api/v1/whoami', (response) =>
        sendJson(response, 404, { code: 'not_found', detail: 'There is no such path.' }),
      );
    unknown();
    expect(await run(['login', ...account(), '--key', 'tms_id_wrong'])).toMatchObject({ exitCode: 1 });
    unknown();
    expect(await run(['login', ...account(), '--key', key])).toMatchObject({ exitCode: 0 });
  });

  it('send no key to an address that only the folder around names', async () => {
    await mkdir(join(workspace.folder, '.tms'));
    const settings = { version: 1, url: workspace.service.url, team: 'demo' };
    await writeFile(join(workspace.folder, '.tms/settings.json'), JSON.stringify(settings));
    for (const args of [
      ['login', '--key', key],
      ['login', '--key', '-'],
      ['whoami', '--key', key],
    ]) {
      const outcome = await run(args, { stdin: Readable.from([key]) });
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('names the address') });
    }
    expect(await run(['login', ...account(), '--key', key])).toMatchObject({ exitCode: 0 });
    expect(await run(['whoami'])).toMatchObject({ exitCode: 0 });
  });

  it('ask on a terminal for what is missing, without showing the key', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    let shown = '';
    const answers = [`${workspace.service.url}\r`, 'demo\r', `${key}\r`];
    stderr.on('data', (chunk) => {
      shown += chunk;
      if (String(chunk).includes(': ')) stdin.write(answers.shift() ?? '');
    });
    expect(await run(['login'], { stdin, stderr })).toMatchObject({ exitCode: 0 });
    expect(await stored()).toMatchObject({ keys: { [`${workspace.service.url} demo`]: key } });
    expect(shown).toContain('Key for team demo');
    expect(shown).not.toContain(key);
  });
});

describe('tms init', () => {
  it('makes the folder, keeps what it remembers out of version control, and stores the key it was given', async () => {
    const outcome = await run(['init', 'notes', ...account(), '--key', key, '--json']);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ team: 'demo', member: 'ada', config });
    expect(await readFile(join(workspace.folder, 'notes/.tms/.gitignore'), 'utf8')).toBe('*\n');
    const { url } = workspace.service;
    expect(await stored()).toMatchObject({ keys: { [`${url} demo`]: key } });
    const cwd = join(workspace.folder, 'notes');
    expect(await run(['sync'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(await run(['init', 'notes', ...account()])).toMatchObject({ exitCode: 0 });
  });

  it('leaves a key of the environment there, and lets it be sent to the address from now on', async () => {
    const env = { HOME: workspace.folder, TMS_KEY: key };
    expect(await run(['init', 'notes', ...account()], { env })).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual({ trusted_urls: [workspace.service.url] });
    expect(await run(['sync', 'notes'], { env })).toMatchObject({ exitCode: 0 });
  });

  it('makes nothing with a key that the service refuses, inside another such folder, or for another team', async () => {
    expect(await run(['init', 'notes', ...account(), '--key', 'wrong'])).toMatchObject({ exitCode: 1 });
    expect(await workspace.list('')).toEqual([]);
    expect(await run(['init', 'notes', ...account(), '--key', key])).toMatchObject({ exitCode: 0 });
    const inner = await run(['init', 'notes/inner', ...account()]);
    expect(inner).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('lies in') });
    workspace.service.intercept('/api/v1/whoami', (response) =>
      sendJson(response, 200, {
        team: 'lakes',
        member: 'ada',
        tier: 'team',
        access: 'write',
        key_id: 'id',
        expires_at: null,
        item_writes_per_minute: 60,
      }),
    );
    const other = await run([
      'init',
      'notes',
      '--url',
      workspace.service.url,
      '--team',
      'lakes',
      '--key',
      key,
    ]);
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('belongs to team demo') });
  });
});

describe('tms config', () => {
  it('shows each setting with its origin and no secret, and changes the file', async () => {
    expect(await run(['config', 'team', 'rivers'])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual({ team: 'rivers' });
    const env = { HOME: workspace.folder, TMS_KEY: key, TMS_ADMIN_TOKEN: 'very-secret' };
    const { stdout } = await run(['config'], { env });
    expect(stdout).toContain(`team         rivers  (${config})`);
    expect(stdout).toContain('key          tms_id_…  (TMS_KEY)');
    expect(stdout).not.toContain('secret');
    expect(await run(['config', 'team', '--unset'])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual({});
    expect(await run(['config', 'colour', 'red'])).toMatchObject({ exitCode: 2 });
  });
});
