import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One npm workspace. */
export interface WorkspacePackage {
  /** As in its package.json, such as `@teammemory/content`. */
  name: string;
  /** Relative to the repository, such as `services/content`. */
  folder: string;
}

/**
 * The workspaces that have test files, in the order of their folders; with
 * `wanted`, only those with such a name, with or without its scope, or in such a folder.
 *
 * @throws Error when that leaves none.
 */
export function testedPackages(root: string, wanted: string[]): WorkspacePackage[] {
  const { workspaces }: { workspaces: string[] } = readPackage(root);
  const packages = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  )
    .map((file) => ({ name: readPackage(join(root, dirname(file))).name, folder: dirname(file) }))
    .filter(({ folder }) => hasTests(join(root, folder)))
    .filter(({ name, folder }) => {
      const answersTo = [name, name.replace(/^@[^/]+\//, ''), folder];
      return wanted.length === 0 || wanted.some((word) => answersTo.includes(word.replace(/\/$/, '')));
    })
    .toSorted((one, other) => one.folder.localeCompare(other.folder));
  if (packages.length === 0) throw new Error(`no package with tests is named ${wanted.join(' or ')}`);
  return packages;
}

function readPackage(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function hasTests(folder: string): boolean {
  const exclude = ['**/node_modules/**', '**/dist/**', '**/fixtures/**'];
  return globSync('**/*.test.ts', { cwd: folder, exclude }).length > 0;
}
