// `npm run release -- 0.2.0`: checks this checkout, gives everything the version, and commits and tags it. Nothing is pushed.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const root = process.cwd();
const usage = `usage: npm run release -- <version> [--checked]

Makes a release of the main branch: <version> is the next patch, minor or major version.
  --checked   the whole check, .ci/run, has passed for this commit; do not run it again
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

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

/** Rewrites a JSON file. */
function changeJson<Content>(path: string, change: (content: Content) => void): void {
  const content = JSON.parse(read(path)) as Content;
  change(content);
  write(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

interface Manifest {
  version?: string;
  workspaces?: string[];
  lastRelease?: { version: string; commit: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The versions that may follow one. */
function nextVersions(version: string): string[] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}

/** Gives a manifest, or its copy in the lock file, the version, also where it names a package of this repository. */
function setVersion(manifest: Manifest, version: string): void {
  if (manifest.version !== undefined) manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies])
    for (const name of Object.keys(dependencies ?? {}))
      if (name.startsWith('@teammemory/') && dependencies) dependencies[name] = version;
}

/** Gives every package, the lock file, the chart, the steps for CI and the changelogs the version. */
function setVersions(version: string, day: string): void {
  const { workspaces = [] } = JSON.parse(read('package.json')) as Manifest;
  const manifests = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  for (const path of ['package.json', ...manifests]) {
    changeJson<Manifest>(path, (manifest) => setVersion(manifest, version));
  }
  const folders = new Set(manifests.map(dirname));
  changeJson<Manifest & { packages: Record<string, Manifest> }>('package-lock.json', (lock) => {
    lock.version = version;
    for (const [folder, manifest] of Object.entries(lock.packages))
      if (folder === '' || folders.has(folder)) setVersion(manifest, version);
  });
  const chart = 'deploy/helm/Chart.yaml';
  write(chart, read(chart).replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  for (const path of ['deploy/actions/scan/action.yml', 'deploy/actions/scan/gitlab.yml']) {
    write(path, read(path).replace(/@teammemory\/cli@[\w.-]+/, `@teammemory/cli@${version}`));
  }
  const changelogs = globSync(['CHANGELOG.md', 'libs/*/package/CHANGELOG.md'], { cwd: root });
  for (const path of changelogs)
    write(path, read(path).replace(/^## Unreleased$/m, `## ${version} (${day})`));
}

/** What changed since the last release, as CHANGELOG.md has it. */
function unreleased(): string {
  const [, section = ''] = read('CHANGELOG.md').split(/^## Unreleased$/m);
  return (section.split(/^## /m)[0] ?? '').trim();
}

const { values, positionals } = parseArgs({
  options: { checked: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const [version] = positionals;
const manifest = JSON.parse(read('package.json')) as Required<Manifest>;
const possible = nextVersions(manifest.version);
if (version === undefined || positionals.length > 1) fail(usage.trimEnd());
if (!possible.includes(version))
  fail(`${version} does not follow ${manifest.version}: the next version is ${possible.join(', ')}.`);
if (run('git', ['rev-parse', '--abbrev-ref', 'HEAD']) !== 'main')
  fail('Releases are made from the branch main.');
if (run('git', ['status', '--porcelain']) !== '') fail('There are changes that are not committed.');
if (run('git', ['tag', '--list', `v${version}`]) !== '') fail(`There is a tag v${version} already.`);
if (unreleased() === '') fail('CHANGELOG.md has nothing under "## Unreleased".');

const buf = join('node_modules', '.bin', 'buf');
if (!values.checked) {
  run('.ci/run', [], 'inherit');
  const earlier = `.git#format=git,ref=${manifest.lastRelease.commit},subdir=proto`;
  run(buf, ['breaking', 'proto', '--against', earlier], 'inherit');
}
setVersions(version, new Date().toISOString().slice(0, 'YYYY-MM-DD'.length));
run('git', ['commit', '--all', '--quiet', '--message', `Version ${version}`]);
run('git', ['tag', '--annotate', `v${version}`, '--message', unreleasedNotes(version)]);
const commit = run('git', ['rev-parse', 'HEAD']);
changeJson<Manifest>('package.json', (content) => {
  content.lastRelease = { version, commit };
});
run('git', ['commit', '--all', '--quiet', '--message', `Upgrades are tested from version ${version}`]);
process.stdout.write(
  `Version ${version} is commit ${commit.slice(0, 12)}, tagged v${version}. Publish it: git push origin main v${version}\n`,
);

/** The notes of a version, for its tag. */
function unreleasedNotes(released: string): string {
  const [, section = ''] = read('CHANGELOG.md').split(`## ${released} `);
  const [, ...lines] = (section.split(/^## /m)[0] ?? '').split('\n');
  return `Version ${released}\n\n${lines.join('\n').trim()}\n`;
}
