import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMemberSettings, loadSettings, type WorkspaceOrigin } from './settings.ts';

let folder: string;
let config: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
  config = join(folder, 'config.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const contextOf = (env: Record<string, string>) => ({
  env: { HOME: folder, ...env },
  cwd: folder,
  stderr: process.stderr,
});

function load(
  flags: Parameters<typeof loadSettings>[0],
  env: Record<string, string> = {},
  workspace?: WorkspaceOrigin,
) {
  return loadSettings(flags, contextOf(env), workspace);
}

async function writeConfig(settings: unknown): Promise<{ TMS_CONFIG: string }> {
  await writeFile(config, JSON.stringify(settings), { mode: 0o600 });
  return { TMS_CONFIG: config };
}

const usage = (message: RegExp) => ({ exitCode: 2, message: expect.stringMatching(message) });

describe('loadSettings', () => {
  it('takes flags before the environment before the config file before the default', async () => {
    const env = { ...(await writeConfig({ key: 'file-key', team: 'file-team' })), TMS_TEAM: 'env-team' };
    expect(await load({}, env)).toEqual({
      url: 'http://127.0.0.1:8080',
      key: 'file-key',
      team: 'env-team',
      origin: { url: 'the default', key: config, team: 'TMS_TEAM' },
    });
    expect(await load({ team: 'flag-team', url: 'http://x/' }, env)).toMatchObject({
      url: 'http://x',
      team: 'flag-team',
      origin: { url: '--url', team: '--team' },
    });
  });

  it('takes the key of agents for agents alone, before TMS_KEY, which is of their user', async () => {
    const team = 'http://127.0.0.1:8080 rivers';
    const env = await writeConfig({
      team: 'rivers',
      keys: { [team]: 'own' },
      agent_keys: { [team]: 'agent' },
    });
    const keyOf = async (more: Record<string, string>, forAgents: boolean) =>
      (await loadSettings({}, contextOf({ ...env, ...more }), undefined, { forAgents })).key;
    expect(await keyOf({}, true)).toBe('agent');
    expect(await keyOf({}, false)).toBe('own');
    expect(await keyOf({ TMS_KEY: 'given' }, true)).toBe('agent');
    expect(await keyOf({ TMS_KEY: 'given' }, false)).toBe('given');
    expect(await keyOf({ TMS_KEY: 'given', TMS_TEAM: 'lakes' }, true)).toBe('given');
    const flagged = await loadSettings({ key: 'flag' }, contextOf(env), undefined, { forAgents: true });
    expect(flagged.key).toBe('flag');
    expect(await keyOf(await writeConfig({ team: 'rivers', keys: { [team]: 'own' } }), true)).toBe('own');
  });

  it.each(['http://x.test/api/v1', 'http://x.test/api/', 'http://x.test/api/v1/items'])(
    'refuses %s, the address of the API, and names that of the service',
    async (url) => {
      const refusal = usage(/TMS_URL.*without \/api\/v1: http:\/\/x\.test$/);
      await expect(load({}, { TMS_URL: url, TMS_TEAM: 't', TMS_KEY: 'k' })).rejects.toMatchObject(refusal);
    },
  );

  it('takes the address and team of the folder behind flags and environment, before the config file', async () => {
    const env = await writeConfig({
      url: 'http://file.test',
      team: 'file-team',
      keys: { 'http://folder.test folder-team': 'k1', 'http://file.test file-team': 'k2' },
    });
    const workspace = { root: '/notes', url: 'http://folder.test', team: 'folder-team' };
    expect(await load({}, env, workspace)).toMatchObject({
      url: 'http://folder.test',
      team: 'folder-team',
      key: 'k1',
      origin: { url: 'the folder /notes' },
    });
    expect(await load({}, env)).toMatchObject({ url: 'http://file.test', key: 'k2' });
    const other = { ...env, TMS_URL: 'http://env.test', TMS_TEAM: 'env-team', TMS_KEY: 'k3' };
    expect(await load({}, other, workspace)).toMatchObject({ url: 'http://env.test', team: 'env-team' });
  });

  it('has one key for each service and team, and takes the plain key for all others', async () => {
    const env = await writeConfig({
      url: 'http://a.test/',
      key: 'plain',
      keys: { 'http://a.test/ one': 'k1', 'http://a.test two': 'k2' },
    });
    for (const [team, key] of Object.entries({ one: 'k1', two: 'k2', three: 'plain' })) {
      expect(await load({ team }, env)).toMatchObject({ key });
    }
    expect(await load({ team: 'one' }, { ...env, TMS_KEY: 'k3' })).toMatchObject({ key: 'k3' });
  });

  it('sends no key to an address that only a folder names, unless it was stored for it or the address is known', async () => {
    const workspace = { root: '/notes', url: 'http://evil.test', team: 'one' };
    const known = { ...workspace, url: 'http://known.test' };
    const env = await writeConfig({ key: 'plain', keys: { 'http://known.test two': 'k2' } });
    for (const [flags, more] of [
      [{}, {}],
      [{ key: 'k' }, {}],
      [{}, { TMS_KEY: 'k' }],
      [{}, { TMS_KEY: 'k', TMS_TEAM: 'one' }],
    ] as const) {
      await expect(load(flags, { ...env, ...more }, workspace)).rejects.toMatchObject(
        usage(/never used.*tms login/),
      );
      expect(await load(flags, { ...env, ...more }, known)).toMatchObject({ url: 'http://known.test' });
    }
    expect(await load({}, { ...env, TMS_URL: 'http://evil.test' }, workspace)).toMatchObject({
      key: 'plain',
    });
    const trusting = await writeConfig({ trusted_urls: ['http://evil.test'] });
    expect(await load({}, { ...trusting, TMS_KEY: 'k' }, workspace)).toMatchObject({ key: 'k' });
    const standard = { ...workspace, url: 'http://127.0.0.1:8080' };
    expect(await load({}, { TMS_KEY: 'k' }, standard)).toMatchObject({ key: 'k' });
  });

  it('needs a key and no team for what a member does over RPC', async () => {
    const load = (flags: object, env: Record<string, string>) => loadMemberSettings(flags, contextOf(env));
    expect(await load({}, { TMS_KEY: 'env-key' })).toMatchObject({
      key: 'env-key',
      rpcUrl: 'http://127.0.0.1:7100',
    });
    const set = { TMS_KEY: 'env-key', TMS_RPC_URL: 'http://x' };
    expect(await load({ key: 'flag-key' }, set)).toMatchObject({ key: 'flag-key', rpcUrl: 'http://x' });
    await expect(load({}, {})).rejects.toMatchObject({ code: 'usage' });
    const file = await writeConfig({
      team: 'one',
      rpc_url: 'http://y',
      keys: { 'http://127.0.0.1:8080 one': 'k1' },
    });
    expect(await load({}, file)).toMatchObject({ key: 'k1', rpcUrl: 'http://y' });
    expect(await load({}, { ...file, TMS_RPC_URL: 'http://x' })).toMatchObject({ rpcUrl: 'http://x' });
  });

  it('says what is missing and what to do, as a mistake of usage', async () => {
    await expect(load({ key: 'k' })).rejects.toMatchObject(usage(/^No team: .*tms login/));
    await expect(load({ team: 't' }, { TMS_KEY: '' })).rejects.toMatchObject(
      usage(/^No key for team t at http:\/\/127.0.0.1:8080\. Run: tms login --url/),
    );
  });
});
