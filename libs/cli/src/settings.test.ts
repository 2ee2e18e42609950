import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

  it('prefers the file of the running server, and never mixes the two', async () => {
    const fromEnvironment = { rpcUrl: 'http://127.0.0.1:7100', token: 'from-env' };
    const context = { env: { DATA_DIR: 'data', ...environment }, cwd: folder };
    expect(await loadAdminCredential(context)).toEqual(fromEnvironment);
    await writeFile(
      join(folder, 'admin.json'),
      JSON.stringify({ rpc_url: 'http://127.0.0.1:9', token: 'from-file' }),
    );
    expect(await loadAdminCredential(context)).toEqual(fromEnvironment);
    const withFile = { env: { DATA_DIR: folder, ...environment }, cwd: '/' };
    expect(await loadAdminCredential(withFile)).toEqual({ rpcUrl: 'http://127.0.0.1:9', token: 'from-file' });
  });

  it('says where it looked when there is none, and refuses a damaged file', async () => {
    await expect(loadAdminCredential({ env: {}, cwd: folder })).rejects.toMatchObject({ exitCode: 2 });
    await writeFile(join(folder, 'admin.json'), '{"token":');
    const damaged = loadAdminCredential({ env: { DATA_DIR: folder }, cwd: folder });
    await expect(damaged).rejects.toMatchObject({ code: 'bad_admin_credential' });
  });
});
