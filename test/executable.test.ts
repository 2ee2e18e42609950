import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runToEnd } from './support/service/run-program.ts';

// Building one takes some seconds with a small package, and half a minute with that of the service.

const script = fileURLToPath(new URL('../scripts/build-executable.ts', import.meta.url));
/** Five seconds on a quiet machine; it writes 150 MB. */
const buildTimeoutMs = 240_000;
let directory: TemporaryDirectory;
let executable: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const service = join(directory.path, 'packages', 'service');
  mkdirSync(join(service, 'bin'), { recursive: true });
  writeFileSync(join(service, 'package.json'), '{ "version": "1.2.3", "type": "module" }');
  writeFileSync(join(service, 'name.js'), 'export const name = process.argv.slice(2).join();');
  for (const program of ['team-memory-service', 'tms'])
    writeFileSync(
      join(service, 'bin', `${program}.js`),
      `const { name } = await import('../name.js');\nconsole.log('${program}', name);`,
    );
  const target = relative(join(dirname(script), '..'), directory.path);
  const flags = ['--packages', join(target, 'packages'), target];
  const environment = { PATH: process.env.PATH ?? '' };
  const built = await runToEnd(process.execPath, [script, ...flags], environment, buildTimeoutMs);
  expect(built).toMatchObject({ code: 0, stderr: '' });
  executable = built.stdout.trim();
}, buildTimeoutMs + 10_000);
afterAll(() => directory?.remove());

/** What the program finds: no Node, and folders of a user who never started it. */
const environment = (cache: string) => ({
  HOME: directory.path,
  XDG_CACHE_HOME: join(directory.path, cache),
});

test('a single executable runs both programs without Node, by its first argument or its name', async () => {
  const link = join(directory.path, 'tms');
  symlinkSync(executable, link);
  const run = (file: string, ...parameters: string[]) => runToEnd(file, parameters, environment('both'));
  expect(await run(executable, '--port', '1')).toEqual({
    code: 0,
    stdout: 'team-memory-service --port,1\n',
    stderr: '',
  });
  expect(await run(executable, 'tms', 'ask')).toMatchObject({ code: 0, stdout: 'tms ask\n' });
  expect(await run(link, 'ask')).toMatchObject({ code: 0, stdout: 'tms ask\n' });
});

/** The folder with the unpacked package in a folder for caches. */
function unpacked(cache: string): string {
  const all = join(cache, 'team-memory-service', 'unpacked');
  const names = readdirSync(all);
  expect(names).toEqual([expect.stringMatching(/^1\.2\.3-[0-9a-f]{16}$/)]);
  return join(all, ...names);
}

test('a single executable is the same wherever the checkout is', () => {
  expect(readFileSync(executable).includes(dirname(script))).toBe(false);
});

test('starts at the same time share one unpacked package and leave no half of one', async () => {
  const starts = await Promise.all(
    [1, 2, 3].map((number) => runToEnd(executable, [String(number)], environment('shared'))),
  );
  expect(starts.map(({ stdout }) => stdout)).toEqual(
    [1, 2, 3].map((number) => `team-memory-service ${number}\n`),
  );
  expect(readdirSync(unpacked(join(directory.path, 'shared'))).toSorted()).toEqual([
    'LICENSE-NODE.txt',
    'bin',
    'compiled',
    'content',
    'load.cjs',
    'name.js',
    'package.json',
  ]);
});

test('what is missing of the unpacked package is unpacked again', async () => {
  const run = () => runToEnd(executable, [], environment('cleaned'));
  await run();
  const folder = unpacked(join(directory.path, 'cleaned'));
  for (const name of ['bin', 'load.cjs', 'name.js']) {
    rmSync(join(folder, name), { recursive: true });
    expect(await run(), name).toMatchObject({ code: 0, stderr: '' });
  }
});

test('an unpacked package is not run where others may write, or behind a link', async () => {
  const run = () => runToEnd(executable, [], environment('foreign'));
  await run();
  const folder = unpacked(join(directory.path, 'foreign'));
  const refused = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The program cannot be unpacked .+\n$/),
  };
  for (const path of [folder, join(folder, '..')]) {
    chmodSync(path, 0o770);
    expect(await run()).toEqual(refused);
    chmodSync(path, 0o700);
  }
  renameSync(folder, `${folder}.elsewhere`);
  symlinkSync(`${folder}.elsewhere`, folder);
  expect(await run()).toEqual(refused);
});

test('nobody else may put a folder of their own in the place of the one that is run', async () => {
  const run = () => runToEnd(executable, [], environment('open'));
  await run();
  const cache = join(directory.path, 'open');
  const product = join(cache, 'team-memory-service');
  const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/others may write to .+\n$/) };
  for (const path of [cache, product]) {
    chmodSync(path, 0o777);
    expect(await run(), path).toEqual(refused);
    // As /tmp is.
    chmodSync(path, 0o1777);
    expect(await run(), path).toMatchObject({ code: 0, stderr: '' });
    chmodSync(path, 0o700);
    if (process.geteuid?.() !== 0) continue;
    chownSync(path, 4711, 4711);
    expect(await run(), path).toEqual(refused);
    chownSync(path, 0, 0);
  }
});

test('a start removes versions that did not run for a month, and no other', async () => {
  const run = () => runToEnd(executable, [], environment('versions'));
  await run();
  const present = unpacked(join(directory.path, 'versions'));
  const age = (path: string, days: number) => {
    const then = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    utimesSync(path, then, then);
  };
  for (const days of [29, 31]) {
    const earlier = join(present, '..', `1.0.${days}`);
    mkdirSync(join(earlier, 'bin'), { recursive: true });
    age(earlier, days);
  }
  age(present, 31);
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(join(present, '..')).toSorted()).toEqual(['1.0.29', basename(present)]);
});

test('a file that cannot be written whole leaves nothing of itself', async () => {
  const command = 'ulimit -f 0; exec "$0"';
  const { code, stderr } = await runToEnd('/bin/sh', ['-c', command, executable], environment('full'));
  expect(code, stderr).toBe(1);
  const left = readdirSync(unpacked(join(directory.path, 'full')), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => !entry.isDirectory())).toEqual([]);
  expect(await runToEnd(executable, [], environment('full'))).toMatchObject({ code: 0, stderr: '' });
});

test('a folder for caches that is no absolute path is ignored', async () => {
  const home = join(directory.path, 'home');
  const variables = { HOME: home, XDG_CACHE_HOME: 'caches' };
  expect(await runToEnd(executable, [], variables)).toMatchObject({ code: 0, stderr: '' });
  unpacked(join(home, '.cache'));
});

test('a cache folder that cannot be written is named in one line', async () => {
  writeFileSync(join(directory.path, 'file'), '');
  const { code, stderr } = await runToEnd(executable, [], environment('file'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The program cannot be unpacked into .+, see XDG_CACHE_HOME: .+\n$/);
});
