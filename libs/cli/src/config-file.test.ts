import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeConfig, configPath, readConfig } from './config-file.ts';

let folder: string;
let warnings: string;

beforeEach(async () => {
  warnings = '';
  folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function contextOf(env: Record<string, string> = {}) {
  const stderr = new PassThrough();
  stderr.on('data', (chunk) => {
    warnings += chunk;
  });
  return { env: { HOME: folder, ...env }, cwd: folder, stderr };
}

async function configOf(settings: unknown, mode = 0o600) {
  const path = join(folder, 'config.json');
  await writeFile(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  await chmod(path, mode);
  return contextOf({ TMS_CONFIG: 'config.json' });
}

it('reads every setting, and the files of older versions', async () => {
  const old = { url: 'http://a.test', key: 'tms_a_b', team: 'demo' };
  expect(await readConfig(await configOf(old))).toEqual(old);
  const whole = {
    ...old,
    keys: { 'http://a.test demo': 'tms_c_d' },
    trusted_urls: ['http://b.test'],
    rpc_url: 'http://a.test:7100',
    admin_token: 't',
    data_dir: '.data',
  };
  expect(await readConfig(await configOf(whole))).toEqual(whole);
});

it('names the setting that is unknown or malformed, and never quotes a value', async () => {
  const cases = [
    [{ kye: 'secret' }, /unknown setting "kye" \(known: url, team, key, keys/],
    [{ key: 7, team: 'secret' }, /"key" has the wrong form/],
    [{ keys: ['secret'] }, /"keys" has the wrong form/],
    [['secret'], /it must be a JSON object/],
    ['{"key":"secret', /is not JSON/],
  ] as const;
  for (const [config, message] of cases) {
    const failure = expect(readConfig(await configOf(config))).rejects;
    await failure.toMatchObject({ code: 'bad_config', message: expect.stringMatching(message) });
    await failure.toMatchObject({ message: expect.stringMatching(/^(?!.*secret)/) });
  }
});

it('is optional unless the user names it, and a relative place for it is ignored', async () => {
  await expect(readConfig(contextOf({ TMS_CONFIG: 'none.json' }))).rejects.toMatchObject({
    code: 'bad_config',
  });
  expect(await readConfig(contextOf())).toEqual({});
  await mkdir(join(folder, 'xdg/tms'), { recursive: true });
  await writeFile(join(folder, 'xdg/tms/config.json'), '{"url":"http://evil.test"}');
  expect(await readConfig(contextOf({ XDG_CONFIG_HOME: 'xdg' }))).toEqual({});
  expect(configPath(contextOf({ XDG_CONFIG_HOME: join(folder, 'xdg') }))).toBe(
    join(folder, 'xdg/tms/config.json'),
  );
});

it.skipIf(process.platform === 'win32')(
  'is refused if every user can change it, and warns if others can read a key',
  async () => {
    await expect(readConfig(await configOf({ team: 'demo' }, 0o666))).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining('chmod 600'),
    });
    for (const secret of [{ key: 'k' }, { admin_token: 'k' }, { keys: { 'http://a.test one': 'k' } }]) {
      warnings = '';
      await readConfig(await configOf(secret, 0o644));
      expect(warnings).toContain('others can read it');
      warnings = '';
      await readConfig(await configOf(secret));
      expect(warnings).toBe('');
    }
  },
);

it('is written whole or not at all, for the user only, and leaves nothing beside it', async () => {
  const context = contextOf();
  const path = await changeConfig(context, (config) => ({ ...config, team: 'one' }));
  expect(path).toBe(join(folder, '.config/tms/config.json'));
  await changeConfig(context, (config) => ({ ...config, url: 'http://a.test' }));
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ team: 'one', url: 'http://a.test' });
  expect(await readdir(join(folder, '.config/tms'))).toEqual(['config.json']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, '{"kye":1}');
  await expect(changeConfig(context, () => ({}))).rejects.toMatchObject({ code: 'bad_config' });
  expect(await readFile(path, 'utf8')).toBe('{"kye":1}');
});
