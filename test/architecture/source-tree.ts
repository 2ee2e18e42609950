import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSourceFile, type SourceFile } from './source-file.ts';

/** What the rules want to know of a package.json. */
export interface Manifest {
  name: string;
  exports?: Record<string, string>;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** One npm workspace, or the root with what is in none. */
export interface Package {
  /** Relative to the root of the tree; empty for the root. */
  folder: string;
  manifest: Manifest;
  files: SourceFile[];
}

/** A repository with all its packages, the root first. */
export interface SourceTree {
  root: string;
  /** What package-lock.json says of each package, by its folder. */
  locked: Record<string, Manifest>;
  packages: Package[];
}

/** Programs of the docs are for others: they import only published packages and code that they generate. */
const notSource = ['**/node_modules/**', '**/dist/**', '**/.*/**', '**/fixtures/**', 'docs/examples/**'];

/** Reads every package and every source file of a repository. */
export function readSourceTree(root: string): SourceTree {
  const manifest = readManifest(root, '');
  const patterns = (manifest.workspaces ?? []).map((pattern) => `${pattern}/package.json`);
  const folders = globSync(patterns, { cwd: root }).map(dirname).toSorted();
  const packages: Package[] = [
    { folder: '', manifest, files: [] },
    ...folders.map((folder) => ({ folder, manifest: readManifest(root, folder), files: [] })),
  ];
  for (const path of globSync('**/*.{ts,tsx,js,mjs}', { cwd: root, exclude: notSource }).toSorted()) {
    const owner = packages.findLast(({ folder }) => folder === '' || path.startsWith(`${folder}/`));
    owner?.files.push(parseSourceFile(path, readFileSync(join(root, path), 'utf8')));
  }
  const { packages: locked } = readJson(join(root, 'package-lock.json'));
  return { root, locked, packages };
}

function readManifest(root: string, folder: string): Manifest {
  return readJson(join(root, folder, 'package.json'));
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
