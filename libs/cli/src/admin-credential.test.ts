import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadAdminCredential } from './admin-credential.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const credential = (env: Record<string, string>) =>
  loadAdminCredential({ env: { HOME: folder, ...env }, cwd: folder, stderr: process.stderr });

describe('loadAdminCredential', () => {
  const environment = { TMS_ADMIN_TOKEN: 'from-env' };

  const put = async (directory: string, rpcUrl = 'http://127.0.0.1:9') => {
    await mkdir(directory, { mode: 0o700, recursive: true });
    const text = JSON.stringify({ rpc_url: rpcUrl, token: 'from-file' });
    await writeFile(join(directory, 'admin.json'), text, { mode: 0o600 });
  };
  const fromFile = () => ({
    rpcUrl: 'http://127.0.0.1:9',
    token: 'from-file',
    from: join(folder, '.data/admin.json'),
  });

  it('takes the token of the environment before any file, and never mixes the two', async () => {
    await put(join(folder, '.data'));
    await put(join(folder, 'data'), 'http://elsewhere.test:9');
    for (const env of [environment, { DATA_DIR: 'data', ...environment }]) {
      expect(await credential(env)).toEqual({
        rpcUrl: 'http://127.0.0.1:7100',
        token: 'from-env',
        from: expect.any(String),
      });
    }
    const env = { TMS_RPC_URL: 'http://127.0.0.1:8' };
    expect(await credential(env)).toEqual(fromFile());
    expect(await credential({ DATA_DIR: 'data' })).toMatchObject({
      rpcUrl: 'http://elsewhere.test:9',
    });
  });

  it('takes the file of the working directory only where it is of the user alone and leads to this machine', async () => {
    const data = join(folder, '.data');
    const load = () => credential({});
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

  it('says where it looked when there is none, and refuses a damaged file', async () => {
    await expect(credential({})).rejects.toMatchObject({ exitCode: 2 });
    await writeFile(join(folder, 'admin.json'), '{"token":');
    const damaged = credential({ DATA_DIR: folder });
    await expect(damaged).rejects.toMatchObject({ code: 'bad_admin_credential' });
  });

  it('takes what the config file names where the environment names nothing', async () => {
    const config = join(folder, 'config.json');
    const write = (settings: object) => writeFile(config, JSON.stringify(settings), { mode: 0o600 });
    const env = { TMS_CONFIG: config };
    await write({ admin_token: 'from-config', rpc_url: 'http://rpc.test' });
    const found = { rpcUrl: 'http://rpc.test', token: 'from-config', from: config };
    expect(await credential(env)).toEqual(found);
    expect(await credential({ ...env, ...environment })).toMatchObject({
      token: 'from-env',
      rpcUrl: 'http://127.0.0.1:7100',
    });
    await put(join(folder, 'data'), 'http://elsewhere.test:9');
    await write({ data_dir: 'data' });
    expect(await credential(env)).toMatchObject({ rpcUrl: 'http://elsewhere.test:9' });
    await put(join(folder, 'other'));
    expect(await credential({ ...env, DATA_DIR: 'other' })).toMatchObject({ rpcUrl: 'http://127.0.0.1:9' });
  });
});
