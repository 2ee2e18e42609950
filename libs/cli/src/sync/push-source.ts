import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError, usageError } from '../cli-error.ts';
import { missingIsUndefined } from './file-system.ts';
import { isMarkdown, isSkippedFolder } from './local-file.ts';
import { openSyncState, type SyncState } from './sync-state.ts';

/** A folder with more files is probably a whole disk rather than a team's notes. */
const maxFiles = 100_000;

/** A file to push and its row_key. */
export interface SourceFile {
  path: string;
  rowKey: string;
}

/**
 * Finds the Markdown files below a folder, ordered by name. Hidden folders, node_modules and symbolic links are skipped:
 * a link could lead out of the folder, and its target inside is found anyway. Throws CliError `too_many_files`.
 */
async function findMarkdownFiles(root: string): Promise<SourceFile[]> {
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

/** Files that share one sync state. */
export interface PushSource {
  /** Undefined for files outside the working directory, which have no state. */
  state: SyncState | undefined;
  files: SourceFile[];
}

/**
 * Turns the arguments of a push into sources. Each folder is a source with row_keys relative to it. The row_key of a
 * single file is relative to the working directory, or the bare name of a file outside of it. Throws a usage error for a
 * path that is neither a folder nor a Markdown file.
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
