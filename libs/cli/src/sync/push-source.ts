import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError, usageError } from '../cli-error.ts';
import { missingIsUndefined } from './file-system.ts';
import { isMarkdown, isSkippedFolder } from './local-file.ts';
import { openSyncState, type SyncState } from './sync-state.ts';

/** A folder with more is not a team's notes but, most likely, a whole disk. */
const maxFiles = 100_000;

/** A file to push and the row_key that it has. */
export interface SourceFile {
  path: string;
  rowKey: string;
}

/**
 * Finds the Markdown files below a folder, in the order of their names. Hidden
 * folders, node_modules and symbolic links are skipped: a link could lead out of
 * the folder, and what it leads to inside is found anyway. Throws CliError
 * `too_many_files`.
 */
export async function findMarkdownFiles(root: string): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) folders.push(relative);
      if (!entry.isFile() || !isMarkdown(entry.name)) continue;
      if (found.length === maxFiles) {
        throw new CliError('too_many_files', `${root} has more than ${maxFiles} Markdown files.`);
      }
      found.push({ path: join(root, relative), rowKey: relative.normalize('NFC') });
    }
  }
  return found.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
}

/** Files that share a memory of what was synced. */
export interface PushSource {
  /** Undefined for files outside the working directory, of which nothing is remembered. */
  state: SyncState | undefined;
  files: SourceFile[];
}

/**
 * Turns the arguments of a push into sources: each folder is one of its own, with
 * row_keys relative to it; single files are relative to the working directory, or
 * bare names outside of it. Throws a usage error for a path that is neither.
 */
export async function pushSources(
  paths: readonly string[],
  workingDirectory: string,
  remote: { url: string; team: string },
): Promise<PushSource[]> {
  const cwd = await realpath(workingDirectory);
  const filesByFolder = new Map<string, SourceFile[]>();
  const outside: SourceFile[] = [];
  for (const argument of paths) {
    const path = resolve(cwd, argument);
    const stats = await stat(path).catch(missingIsUndefined);
    if (stats?.isDirectory()) {
      const root = await realpath(path);
      filesByFolder.set(root, [...(filesByFolder.get(root) ?? []), ...(await findMarkdownFiles(root))]);
    } else if (stats?.isFile() && isMarkdown(path)) {
      const file = { path, rowKey: fileRowKey(path, cwd) };
      if (isBelow(path, cwd)) filesByFolder.set(cwd, [...(filesByFolder.get(cwd) ?? []), file]);
      else outside.push(file);
    } else {
      throw usageError(`${argument} is neither a folder nor a Markdown file.`);
    }
  }
  const folders = Array.from(filesByFolder, async ([folder, files]): Promise<PushSource> => {
    const state = await openSyncState(folder, remote);
    return { state, files: files.filter(({ rowKey }) => !state.conflictFiles.has(rowKey)) };
  });
  return [...(await Promise.all(folders)), { state: undefined, files: outside }];
}

function fileRowKey(path: string, cwd: string): string {
  const name = isBelow(path, cwd) ? relative(cwd, path).split(sep).join('/') : basename(path);
  return name.normalize('NFC');
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
