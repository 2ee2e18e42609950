import { realpath } from 'node:fs/promises';
import platformPath, { dirname, join, resolve } from 'node:path';
import { SyncError } from '../sync-error.ts';
import { type FileSystem, makeFolders, nodeFileSystem, writeAtomically } from './file-system.ts';
import { type Lock, takeLock } from './lock.ts';
import { type ObjectStore, openObjectStore } from './object-store.ts';
import { openState, type State } from './state.ts';
import { hasTexts } from './stored.ts';

/** The folder that makes a folder a workspace. */
export const stateFolder = '.tms';
const maxSettingsBytes = 64 * 1024;
const pruneEveryMs = 24 * 60 * 60 * 1000;

export interface WorkspaceSettings {
  /** Base address of the service. */
  url: string;
  /** Slug of the team. */
  team: string;
}

/** An open workspace. Only one process has it open for changes at a time. */
export interface Workspace {
  /** Absolute path of the folder that contains `.tms/`, without symbolic links. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
  readonly files: FileSystem;
  readonly state: State;
  readonly objects: ObjectStore;
  /** Whether names that differ only in case are one file here. */
  readonly ignoresCase: boolean;
  /** Throws SyncError `lock_lost` if another process has the workspace by now. */
  checkLock(): Promise<void>;
  /** Frees the lock. */
  close(): Promise<void>;
}

/** Returns the nearest folder, from `startFolder` upwards, that contains `.tms/` with settings. */
export async function findWorkspace(startFolder: string): Promise<string | undefined> {
  const start = await realpath(startFolder).catch(() => undefined);
  if (start === undefined) return undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await nodeFileSystem.stat(join(folder, stateFolder, 'settings.json')))?.kind === 'file')
      return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Makes `.tms/` in a folder, which is created if it is missing, and returns the root. Doing it again with the same
 * settings changes nothing. Throws SyncError `other_workspace`, and `bad_state` if `.tms` is not a folder.
 */
export async function initWorkspace(
  folder: string,
  { url, team }: WorkspaceSettings,
  files: FileSystem = nodeFileSystem,
): Promise<string> {
  const path = resolve(folder);
  await makeFolders(files, path);
  const root = files === nodeFileSystem ? await realpath(path) : path;
  const inside = join(root, stateFolder);
  await refuseLink(files, inside);
  await makeFolders(files, inside);
  const known = await readSettings(files, root);
  if (known !== undefined && (known.url !== url || known.team !== team)) {
    const text = `${root} belongs to team ${known.team} of ${known.url}.`;
    throw new SyncError('other_workspace', `${text} To change that, delete its folder .tms first.`);
  }
  // What is remembered of a folder belongs to it alone, so that a clone of a repository starts without.
  await writeOnce(files, join(inside, '.gitignore'), '*\n');
  await writeOnce(files, join(inside, 'settings.json'), `${JSON.stringify({ version: 1, url, team })}\n`);
  return root;
}

async function writeOnce(files: FileSystem, path: string, text: string): Promise<void> {
  if ((await files.stat(path)) !== undefined) return;
  await writeAtomically(files, path, Buffer.from(text), { flush: true });
}

/** A folder from somebody else may contain a link named `.tms`, and nothing must be written to its target. */
async function refuseLink(files: FileSystem, path: string): Promise<void> {
  const stat = await files.stat(path);
  if (stat === undefined || stat.kind === 'folder') return;
  throw new SyncError('bad_state', `${path} must be a folder. Delete it, then run tms init again.`);
}

async function readSettings(files: FileSystem, root: string): Promise<WorkspaceSettings | undefined> {
  const path = join(root, stateFolder, 'settings.json');
  if ((await files.stat(path)) === undefined) return undefined;
  try {
    const bytes = await files.read(path, maxSettingsBytes);
    const stored: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    const isGood = hasTexts(stored, 'url', 'team') && stored.version === 1;
    if (!isGood || stored.url === '' || stored.team === '')
      throw new TypeError('not the settings of a workspace');
    return { url: stored.url, team: stored.team };
  } catch (cause) {
    throw new SyncError('bad_state', `${path} cannot be read. Delete it and run tms init again.`, cause);
  }
}

/** Returns which service and team a workspace belongs to, without opening it. Throws SyncError `no_workspace` and `bad_state`. */
export async function workspaceSettings(
  root: string,
  files: FileSystem = nodeFileSystem,
): Promise<WorkspaceSettings> {
  const settings = await readSettings(files, root);
  if (settings !== undefined) return { url: settings.url, team: settings.team };
  throw new SyncError('no_workspace', `${root} is not a workspace. Run tms init in it first.`);
}

export interface OpenOptions {
  /** No lock is needed and nothing is written; for status and differences. */
  readOnly?: boolean;
  /** Default: the one of this machine. */
  files?: FileSystem;
}

/** Opens a workspace and takes its lock. Throws SyncError `no_workspace`, `missing_root`, `locked` and `bad_state`. */
export async function openWorkspace(
  root: string,
  { readOnly = false, files = nodeFileSystem }: OpenOptions = {},
): Promise<Workspace> {
  if ((await files.stat(root))?.kind !== 'folder') {
    throw new SyncError('missing_root', `${root} is not there. Is its disk connected?`);
  }
  const inside = join(root, stateFolder);
  await refuseLink(files, inside);
  const settings = await workspaceSettings(root, files);
  const lock = readOnly ? undefined : await takeLock(files, inside);
  try {
    return await assemble(root, settings, lock, files);
  } catch (cause) {
    await lock?.release();
    throw cause;
  }
}

async function assemble(
  root: string,
  { url, team }: WorkspaceSettings,
  lock: Lock | undefined,
  files: FileSystem,
): Promise<Workspace> {
  const inside = join(root, stateFolder);
  const state = await openState(files, inside, { readOnly: lock === undefined });
  return {
    root,
    settings: { url, team },
    files,
    state,
    objects: openObjectStore(files, join(inside, 'objects')),
    ignoresCase: (await files.stat(join(root, stateFolder.toUpperCase()))) !== undefined,
    checkLock: async () => lock?.check(),
    close: async () => lock?.release(),
  };
}

/**
 * Returns the row_key of a path that a user typed: absolute, or relative to `workingDirectory`. The root itself is the empty
 * text. Throws SyncError `bad_path` for a path outside the workspace.
 */
export function rowKeyOf(
  workspace: Pick<Workspace, 'root'>,
  path: string,
  workingDirectory: string,
  /** The rules of the system; tests have those of others. */
  { relative, resolve, isAbsolute, sep }: PathRules = platformPath,
): string {
  const way = relative(workspace.root, resolve(workingDirectory, path));
  if (isAbsolute(way) || way.split(sep)[0] === '..') {
    throw new SyncError('bad_path', `${path} is outside the workspace ${workspace.root}.`);
  }
  return way.split(sep).join('/').normalize('NFC');
}

type PathRules = Pick<typeof platformPath, 'relative' | 'resolve' | 'isAbsolute' | 'sep'>;

/** Removes versions that are no longer needed, at most once a day. */
export async function pruneObjects({ files, objects, root, state }: Workspace, now: number): Promise<void> {
  const marker = join(root, stateFolder, 'pruned');
  const last = await files.stat(marker);
  if (last !== undefined && now - last.modifiedAt < pruneEveryMs) return;
  await writeAtomically(files, marker, new Uint8Array(), { mode: 0o600, flush: false });
  const used = new Set<string>();
  for (const { inStep, conflict, merging } of state.base.values()) {
    if (inStep !== undefined && inStep !== 'gone') used.add(inStep.fileChecksum);
    if (conflict?.version !== undefined) used.add(conflict.version.fileChecksum);
    if (merging !== undefined) used.add(merging.fileChecksum).add(merging.version.fileChecksum);
  }
  for (const row of state.remote.values()) if (row !== 'gone') used.add(row.fileChecksum);
  await objects.prune(used, now);
}
