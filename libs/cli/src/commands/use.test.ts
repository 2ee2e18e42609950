import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;
const config = '.config/tms/config.json';
const stored = async () => JSON.parse(await workspace.read(config));
const use = (env: Record<string, string>, ...args: string[]) =>
  runTms(['use', ...args], { env: { HOME: workspace.folder, ...env }, cwd: workspace.folder });

beforeEach(async () => {
  workspace = await openWorkspace();
  const keys = {
    'http://a.test rivers': 'k1',
    'http://b.test:8080 rivers': 'k2',
    'http://b.test:8080 lakes': 'k3',
  };
  await workspace.write(config, JSON.stringify({ url: 'http://a.test', team: 'rivers', keys }));
  await chmod(join(workspace.folder, config), 0o600);
});

afterEach(() => workspace.close());

test('tms use switches to a service and team whose key is stored, and lists them', async () => {
  expect(await use({}, 'lakes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await stored()).toMatchObject({ url: 'http://b.test:8080', team: 'lakes' });
  expect(await use({}, 'b.test:8080', 'rivers')).toMatchObject({ exitCode: 0 });
  const { stdout } = await use({});
  expect(stdout).toBe('  http://a.test rivers\n* http://b.test:8080 rivers\n  http://b.test:8080 lakes\n');
  const shadowed = await use({ TMS_URL: 'http://c.test' }, 'http://a.test/');
  expect(shadowed.stdout).toContain('Only TMS_URL still comes before it.');
});

test('tms use changes nothing for a name that is unknown or fits several', async () => {
  expect(await use({}, 'oceans')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('No key is stored for oceans'),
  });
  expect(await use({}, 'rivers')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('http://a.test rivers, http://b.test:8080 rivers'),
  });
  expect(await stored()).toMatchObject({ url: 'http://a.test', team: 'rivers' });
});
