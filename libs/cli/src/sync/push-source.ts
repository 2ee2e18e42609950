import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { usageError } from '../cli-error.ts';
import { findMarkdownFiles, type SourceFile } from './find-markdown-files.ts';
import { missingIsUndefined } from './missing-is-undefined.ts';
import { isMarkdown } from './row-key.ts';
import { openSyncState, type SyncState } from './sync-state.ts';

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
