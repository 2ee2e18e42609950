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
  cwd: string,
  remote: { url: string; team: string },
): Promise<PushSource[]> {
  const folders: PushSource[] = [];
  const inside: SourceFile[] = [];
  const outside: SourceFile[] = [];
  for (const argument of paths) {
    const path = resolve(cwd, argument);
    const stats = await stat(path).catch(missingIsUndefined);
    if (stats?.isDirectory()) folders.push(await folderSource(await realpath(path), remote));
    else if (stats?.isFile() && isMarkdown(path)) addFile(path, cwd, inside, outside);
    else throw usageError(`${argument} is neither a folder nor a Markdown file.`);
  }
  const sources = [...folders, { state: undefined, files: outside }];
  if (inside.length > 0) sources.push({ state: await openSyncState(cwd, remote), files: inside });
  return sources;
}

async function folderSource(root: string, remote: { url: string; team: string }): Promise<PushSource> {
  const state = await openSyncState(root, remote);
  const files = await findMarkdownFiles(root);
  return { state, files: files.filter(({ rowKey }) => !state.conflictFiles.has(rowKey)) };
}

function addFile(path: string, cwd: string, inside: SourceFile[], outside: SourceFile[]): void {
  const fromCwd = relative(cwd, path);
  const leaves = isAbsolute(fromCwd) || fromCwd.split(sep)[0] === '..';
  const rowKey = leaves ? basename(path) : fromCwd.split(sep).join('/');
  (leaves ? outside : inside).push({ path, rowKey: rowKey.normalize('NFC') });
}
