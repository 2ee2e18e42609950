import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadAdminCredential } from './admin-credential.ts';
import { loadMemberSettings, loadSettings } from './settings.ts';
import { runTms } from './testing/run-tms.fixture.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function load(flags: Parameters<typeof loadSettings>[0], env: Record<string, string> = {}) {
  return loadSettings(flags, { env: { HOME: folder, ...env }, cwd: folder, stderr: process.stderr });
}

async function writeConfig(config: unknown, mode = 0o600): Promise<string> {
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify(config));
  await chmod(path, mode);
  return path;
}

describe('loadSettings', () => {
  it('takes flags before the environment before the config file before the default', async () => {
    const config = await writeConfig({ key: 'file-key', team: 'file-team' });
    const env = { TMS_CONFIG: config, TMS_TEAM: 'env-team' };
    expect(await load({}, env)).toEqual({ url: 'http://127.0.0.1:8080', key: 'file-key', team: 'env-team' });
    expect(await load({ team: 'flag-team', url: 'http://x' }, env)).toMatchObject({
      url: 'http://x',
      team: 'flag-team',
    });
  });

  it('needs a key and no team for what a member does over RPC', async () => {
    const load = (flags: object, env: Record<string, string>) =>
      loadMemberSettings(flags, { env: { HOME: folder, ...env }, cwd: folder, stderr: process.stderr });
    const rpcUrl = 'http://127.0.0.1:7100';
    expect(await load({}, { TMS_KEY: 'env-key' })).toEqual({ key: 'env-key', rpcUrl });
    const set = { TMS_KEY: 'env-key', TMS_RPC_URL: 'http://x' };
    expect(await load({ key: 'flag-key' }, set)).toEqual({ key: 'flag-key', rpcUrl: 'http://x' });
    await expect(load({}, {})).rejects.toMatchObject({ code: 'usage' });
  });

  it('says what is missing, as a mistake of usage', async () => {
    await expect(load({ key: 'k' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^No team/),
    });
    await expect(load({ team: 't' }, { TMS_KEY: '' })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^No key/),
    });
  });

  it('refuses a config file that is missing or has unknown or malformed fields, without quoting it', async () => {
    await expect(load({ config: 'none.json' })).rejects.toMatchObject({ code: 'bad_config' });
    for (const config of [{ kye: 'secret' }, { key: 7 }, ['secret']]) {
      const failure = expect(load({ config: await writeConfig(config) })).rejects;
      await failure.toMatchObject({ code: 'bad_config', message: expect.stringMatching(/^(?!.*secret)/) });
    }
  });

  it('warns of a key that others on the machine can read', async () => {
    const config = await writeConfig({ key: 'tms_a_b', team: 'demo', url: 'http://127.0.0.1:1' }, 0o644);
    const args = ['ask', 'why?', '--config', config];
    expect((await runTms(args, { env: { HOME: folder } })).stderr).toContain('others can read it');
    await chmod(config, 0o600);
    expect((await runTms(args, { env: { HOME: folder } })).stderr).not.toContain('others can read it');
  });
});

describe('loadAdminCredential', () => {
  const environment = { TMS_ADMIN_TOKEN: 'from-env' };

  const put = async (directory: string, rpcUrl = 'http://127.0.0.1:9') => {
    await mkdir(directory, { mode: 0o700, recursive: true });
    const text = JSON.stringify({ rpc_url: rpcUrl, token: 'from-file' });
    await writeFile(join(directory, 'admin.json'), text, { mode: 0o600 });
  };
  const fromFile = { rpcUrl: 'http://127.0.0.1:9', token: 'from-file' };

  it('takes the token of the environment before any file, and never mixes the two', async () => {
    await put(join(folder, '.data'));
    await put(join(folder, 'data'), 'http://elsewhere.test:9');
    for (const env of [environment, { DATA_DIR: 'data', ...environment }]) {
      expect(await loadAdminCredential({ env, cwd: folder })).toEqual({
        rpcUrl: 'http://127.0.0.1:7100',
        token: 'from-env',
      });
    }
    const env = { TMS_RPC_URL: 'http://127.0.0.1:8' };
    expect(await loadAdminCredential({ env, cwd: folder })).toEqual(fromFile);
    expect(await loadAdminCredential({ env: { DATA_DIR: 'data' }, cwd: folder })).toMatchObject({
      rpcUrl: 'http://elsewhere.test:9',
    });
  });

  it('takes the file of the working directory only where it is of the user alone and leads to this machine', async () => {
    const data = join(folder, '.data');
    const load = () => loadAdminCredential({ env: {}, cwd: folder });
    const refused = (message: string) =>
      expect(load()).rejects.toMatchObject({
        code: 'untrusted_admin_credential',
        message: expect.stringContaining(message),
      });
    for (const url of ['http://evil.test:7100', 'http://127.0.0.1.evil.test', 'http://127.0.0.1@evil.test']) {
      await put(data, url);
      await refused('it leads to another machine');
    }
    for (const url of ['http://localhost:1', 'https://127.0.0.1:1', 'http://[::1]:1', 'http://0.0.0.0:1']) {
      await put(data, url);
      expect(await load()).toMatchObject({ rpcUrl: url });
    }
    if (process.platform === 'win32') return;
    await chmod(join(data, 'admin.json'), 0o644);
    await refused('other users can read or change it');
    await chmod(join(data, 'admin.json'), 0o600);
    await chmod(data, 0o777);
    await refused('other users can change its folder');
    await rename(data, join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), data);
    await refused('it lies behind a link');
  });

  it('refuses a config file that every user can change, and ignores a relative place for it', async () => {
    const config = await writeConfig({ url: 'http://127.0.0.1:1', team: 'demo' }, 0o666);
    await expect(load({ config, key: 'k' })).rejects.toMatchObject({ code: 'bad_config' });
    await mkdir(join(folder, 'xdg/tms'), { recursive: true });
    await writeFile(join(folder, 'xdg/tms/config.json'), '{"url":"http://evil.test"}');
    expect(await load({ key: 'k', team: 't' }, { XDG_CONFIG_HOME: 'xdg' })).toMatchObject({
      url: 'http://127.0.0.1:8080',
    });
  });

  it('says where it looked when there is none, and refuses a damaged file', async () => {
    await expect(loadAdminCredential({ env: {}, cwd: folder })).rejects.toMatchObject({ exitCode: 2 });
    await writeFile(join(folder, 'admin.json'), '{"token":');
    const damaged = loadAdminCredential({ env: { DATA_DIR: folder }, cwd: folder });
    await expect(damaged).rejects.toMatchObject({ code: 'bad_admin_credential' });
  });
});
