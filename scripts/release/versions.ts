import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is used here of a package.json, and of its copy in the lock file. */
export interface Manifest {
  version?: string;
  workspaces?: string[];
  lastRelease?: { version: string; commit: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Other texts that name the version: the files, and the pattern before and after which it stands. */
const mentions: readonly [files: string[], pattern: RegExp][] = [
  [['deploy/helm/Chart.yaml'], /(?<=^(version|appVersion): ).*$/gm],
  [['deploy/actions/scan/*.yml'], /(?<=@teammemory\/cli@)[\w.-]+/g],
  [['README.md', 'docs/*.md'], /(?<=\bteam-?memory-(service|cli|client)-)\d+\.\d+\.\d+(?=\.tgz)/g],
  // The example of an answer.
  [['gateway/public/operations.ts', 'docs/openapi.json'], /(?<=\bversion"?: ["'])\d+\.\d+\.\d+(?=\+)/g],
];

/** Rewrites a JSON file. */
export function changeJson<Content>(file: string, change: (content: Content) => void): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Content;
  change(content);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** The versions that may follow one. */
export function nextVersions(version: string): string[] {
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

/** Gives every package, the lock file, the chart, the steps for CI, the docs and the changelogs the version. */
export function setVersions(root: string, version: string, day: string): void {
  const { workspaces = [] }: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifests = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  for (const path of ['package.json', ...manifests])
    changeJson<Manifest>(join(root, path), (manifest) => setVersion(manifest, version));
  const folders = new Set(manifests.map(dirname));
  changeJson<Manifest & { packages: Record<string, Manifest> }>(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const [folder, manifest] of Object.entries(lock.packages))
      if (folder === '' || folders.has(folder)) setVersion(manifest, version);
  });
  const changelogs: (typeof mentions)[number] = [
    ['CHANGELOG.md', 'libs/*/package/CHANGELOG.md'],
    /(?<=^## )Unreleased$/gm,
  ];
  for (const [files, pattern] of [...mentions, changelogs]) {
    const text = pattern === changelogs[1] ? `${version} (${day})` : version;
    for (const file of globSync(files, { cwd: root }).map((path) => join(root, path)))
      writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text));
  }
}

/** Returns what CHANGELOG.md says about a version, or about what is `Unreleased`; empty if it has no such part. */
export function changes(root: string, version: string): string {
  const parts = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const part = parts.find((text) => text.split(/\s/, 1)[0] === version) ?? '';
  return part.slice(part.indexOf('\n') + 1).trim();
}
