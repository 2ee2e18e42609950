// `npm run release -- 0.2.0`: checks this checkout, gives everything the version, and commits and tags it. `npm run release`
// makes the files of that release. Nothing is pushed.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReleaseFiles } from './release/files.ts';
import { changeJson, changes, type Manifest, nextVersions, setVersions } from './release/versions.ts';

const root = process.cwd();
const usage = `usage: npm run release -- <version> [--prepare] [--checked]
       npm run release [-- --repository <address>] [--builder <URI>] [--node <platform>=<file>]…

Makes a release of the main branch: <version> is the next patch, minor or major version.
  --prepare   only give everything the version and commit that; the same command without it checks and tags later
  --checked   the whole check, .ci/run, has passed for this commit; do not run it again

Without a version: puts the files to publish of the present version into dist/release.
  --repository   the address of the source, such as https://github.com/example/team-memory
  --builder      the URI of who builds, for the statement of provenance
  --node         also make an executable of this program of Node, such as win32-x64=/tmp/node.exe
`;

/** Ends with one sentence for people. */
function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs a command to its end and returns what it printed; ends the release if it fails. */
function run(command: string, parameters: readonly string[], output: 'pipe' | 'inherit' = 'pipe'): string {
  const { status, stdout } = spawnSync(command, parameters, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', output, 'inherit'],
  });
  if (status !== 0) fail(`${command} ${parameters.join(' ')} failed; nothing was released.`);
  return (stdout ?? '').trim();
}

const { values, positionals } = parseArgs({
  options: {
    prepare: { type: 'boolean', default: false },
    checked: { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: [] },
    /** Folders with what is built already, and where to put the files; for tests. */
    packages: { type: 'string' },
    executables: { type: 'string' },
    target: { type: 'string', default: join('dist', 'release') },
    repository: { type: 'string' },
    builder: { type: 'string', default: 'urn:team-memory-service:by-hand' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const [version] = positionals;
const manifest: Required<Manifest> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const last = manifest.lastRelease;
const isPrepared = manifest.version !== last.version;
const possible = isPrepared ? [manifest.version] : nextVersions(last.version);
if (positionals.length > 1 || (values.prepare && version === undefined)) fail(usage.trimEnd());
if (version !== undefined && !possible.includes(version))
  fail(`${version} does not follow ${last.version}: the next version is ${possible.join(', ')}.`);
if (isPrepared && values.prepare) fail(`Version ${version} is prepared already.`);
if (run('git', ['status', '--porcelain']) !== '') fail('There are changes that are not committed.');
const hasUnreleased = changes(root, 'Unreleased') !== '';
if (version !== undefined && isPrepared && hasUnreleased)
  fail(`Move what CHANGELOG.md has under "## Unreleased" to version ${version}.`);
if (version !== undefined && !isPrepared && !hasUnreleased)
  fail('CHANGELOG.md has nothing under "## Unreleased".');

/** Gives everything the version, in a commit. */
function prepare(next: string): void {
  setVersions(root, next, new Date().toISOString().slice(0, 'YYYY-MM-DD'.length));
  run('git', ['commit', '--all', '--quiet', '--message', `Version ${next}`]);
}

/** Checks and tags the version, and names it as the last release in a commit of its own. */
function release(next: string): void {
  if (run('git', ['rev-parse', '--abbrev-ref', 'HEAD']) !== 'main')
    fail('Releases are made from the branch main.');
  if (run('git', ['tag', '--list', `v${next}`]) !== '') fail(`There is a tag v${next} already.`);
  if (!values.checked) {
    run('.ci/run', [], 'inherit');
    const earlier = `.git#format=git,ref=${last.commit},subdir=proto`;
    run(join('node_modules', '.bin', 'buf'), ['breaking', 'proto', '--against', earlier], 'inherit');
  }
  if (!isPrepared) prepare(next);
  const notes = `Version ${next}\n\n${changes(root, next)}\n`;
  run('git', ['tag', '--annotate', `v${next}`, '--message', notes]);
  const commit = run('git', ['rev-parse', 'HEAD']);
  changeJson<Manifest>(join(root, 'package.json'), (content) => {
    content.lastRelease = { version: next, commit };
  });
  run('git', ['commit', '--all', '--quiet', '--message', `Upgrades are tested from version ${next}`]);
  process.stdout.write(
    `Version ${next} is commit ${commit.slice(0, 12)}, tagged v${next}. Publish it: git push origin main v${next}\n`,
  );
}

/** Makes the executable of this platform, and of those whose Node is named. */
function buildExecutables(packages: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  const others = values.node.map((named) => named.split('=', 2));
  for (const [platform = '', node = ''] of [
    [`${process.platform}-${process.arch}`, process.execPath],
    ...others,
  ]) {
    const flags = ['--packages', packages, '--platform', platform, '--node', node];
    run(process.execPath, [join('scripts', 'build-executable.ts'), target, ...flags], 'inherit');
  }
}

/** Makes the files of the present version. */
async function makeFiles(): Promise<void> {
  const { repository, builder } = values;
  const commit = run('git', ['rev-parse', 'HEAD']);
  if (!run('git', ['tag', '--points-at', 'HEAD']).split('\n').includes(`v${manifest.version}`))
    process.stderr.write(`This commit is not tagged v${manifest.version}.\n`);
  const origin = repository === undefined ? [] : ['--repository', repository];
  const packages = values.packages ?? join(root, 'dist', 'packages');
  if (values.packages === undefined)
    run(process.execPath, [join('scripts', 'build-packages.ts'), packages, ...origin], 'inherit');
  const executables = values.executables ?? join(root, 'dist', 'executables');
  if (values.executables === undefined) buildExecutables(packages, executables);
  const build = {
    version: manifest.version,
    commit,
    repository,
    builder,
    command: ['npm run release', ...(repository ? ['--', ...origin] : [])].join(' '),
    maintainer: run('git', ['log', '-1', '--format=%an <%ae>']),
    node: process.versions.node,
  };
  await makeReleaseFiles({ root, packages, executables, target: resolve(values.target) }, build);
  process.stdout.write(`${values.target} has the files of version ${manifest.version}.\n`);
}

if (version === undefined) await makeFiles();
else if (values.prepare) prepare(version);
else release(version);
