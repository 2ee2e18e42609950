import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Finding } from './check-imports.ts';
import { testFiles } from './rules.ts';
import type { Manifest, Package, SourceTree } from './source-tree.ts';

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Holds every package.json against what its files import: nothing missing, nothing left over, all pinned and locked. */
export function checkManifests(tree: SourceTree): Finding[] {
  const [root, ...workspaces] = tree.packages;
  const tools = Object.keys(root?.manifest.devDependencies ?? {});
  return [
    ...tree.packages.flatMap(unpinned),
    ...tree.packages.flatMap((owner) => unlocked(owner, tree.locked[owner.folder])),
    ...workspaces.flatMap((owner) => mismatches(owner, tools)),
  ];
}

/** The installation trusts the lock file, so it has to know what every package.json asks for. */
function unlocked({ folder, manifest }: Package, locked: Manifest | undefined): Finding[] {
  const same =
    isDeepStrictEqual(manifest.dependencies ?? {}, locked?.dependencies ?? {}) &&
    isDeepStrictEqual(manifest.devDependencies ?? {}, locked?.devDependencies ?? {});
  return same
    ? []
    : [finding(folder, 'unlocked', 'package-lock.json has other dependencies: run npm install')];
}

function unpinned(owner: Package): Finding[] {
  const { dependencies, devDependencies } = owner.manifest;
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !exactVersion.test(version))
    .map(([name, version]) =>
      finding(owner.folder, 'unpinned', `${name} is ${version}, not one exact version`),
    );
}

/** Packages that nothing but tests, benchmarks and scripts import: `npm start` installs none of their dependencies. */
const onlyForTests = ['test', 'libs/testkit'];

/** `tools` are the development dependencies of the root, which every test may import without naming them again. */
function mismatches(owner: Package, tools: string[]): Finding[] {
  const isForTests = onlyForTests.includes(owner.folder);
  const isTest = (path: string) => isForTests || testFiles.files.test(path);
  const runtime = importedPackages(owner, (path) => !isTest(path));
  const tests = importedPackages(owner, isTest);
  const dependencies = Object.keys(owner.manifest.dependencies ?? {});
  const development = Object.keys(owner.manifest.devDependencies ?? {});
  const forTests = [...dependencies, ...development, ...tools];
  const describesDependency = (name: string) =>
    name.startsWith('@types/') && [...dependencies, ...development].includes(name.slice('@types/'.length));
  const missing = [
    ...runtime.difference(new Set(dependencies)),
    ...tests.difference(runtime).difference(new Set(forTests)),
  ];
  const unused = [
    ...dependencies.filter((name) => !(isForTests ? tests : runtime).has(name)),
    ...development.filter((name) => !tests.has(name) && !describesDependency(name)),
  ];
  const installedByStart = isForTests ? dependencies.filter((name) => !name.startsWith('@teammemory/')) : [];
  return [
    ...installedByStart.map((name) =>
      finding(owner.folder, 'for-tests', `${name} is only for tests: it belongs to devDependencies`),
    ),
    ...missing.map((name) => finding(owner.folder, 'undeclared', `${name} is imported but not declared`)),
    ...unused.map((name) =>
      finding(owner.folder, 'unused', `${name} is declared but not imported, or only by tests`),
    ),
  ];
}

function importedPackages(owner: Package, fits: (path: string) => boolean): Set<string> {
  const names = owner.files
    .filter(({ path }) => fits(path))
    .flatMap(({ specifiers }) => specifiers)
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return new Set(names.filter((name) => name !== owner.manifest.name));
}

function finding(folder: string, rule: string, detail: string): Finding {
  return { file: posix.join(folder, 'package.json'), rule, detail };
}
