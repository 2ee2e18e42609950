import { join } from 'node:path';
import { nameRefusal } from '../format/row-names.ts';
import {
  type Fault,
  type HistoryVerdict,
  type LocalFile,
  type RemoteRecord,
  unwritable,
  type World,
} from '../plan/plan-types.ts';
import type { Workspace } from '../state/workspace.ts';
import type { SyncOptions } from '../summary.ts';
import type { KnownFile } from './examine.ts';
import { readKnownFiles, writeKnownFiles } from './known-files.ts';
import { type LocalTree, scanFolder } from './scan.ts';

export type LookOptions = Pick<SyncOptions, 'allowInstructions' | 'paths' | 'tier'> & {
  signal?: AbortSignal;
  history?: ReadonlyMap<string, HistoryVerdict>;
  /** Instead of what the state remembers of the service. */
  remote?: ReadonlyMap<string, RemoteRecord>;
  /** Keep what the scan found out for the next one, and clear up what a crash left behind. */
  writes: boolean;
  platform?: string;
};

/** Whether a row_key is one of the named paths, or below one. Without paths all are. */
export function isBelow(rowKey: string, paths: readonly string[] | undefined): boolean {
  return (
    paths === undefined ||
    paths.some((path) => path === '' || rowKey === path || rowKey.startsWith(`${path}/`))
  );
}

/** Looks at the folder and puts together what the planner needs. */
export async function lookAround(
  workspace: Workspace,
  options: LookOptions,
): Promise<{ tree: LocalTree; world: World; toldFaults: ReadonlySet<string> }> {
  const { files, root } = workspace;
  const known = await readKnownFiles(files, root);
  const named = options.paths ?? [];
  const tracked = trackedFolders(workspace);
  const tree = await scanFolder({
    files,
    root,
    known,
    isTracked: (rowKey) => isInStep(workspace, rowKey),
    hasTracked: (folder) => tracked.has(folder),
    isNamed: (path) => named.some((one) => names(one, path)),
    now: Date.now(),
    signal: options.signal,
  });
  if (options.writes) {
    await writeKnownFiles(files, root, known, tree.known);
    for (const path of tree.leftovers) await files.remove(join(root, path));
  }
  return { tree, world: worldOf(workspace, tree, options), toldFaults: toldFaults(known, tree.known) };
}

/** Returns the files that had the same fault in the last scan. */
function toldFaults(
  before: ReadonlyMap<string, KnownFile>,
  now: ReadonlyMap<string, KnownFile>,
): ReadonlySet<string> {
  const told = new Set<string>();
  for (const [rowKey, { fileChecksum, fault }] of now) {
    const old = before.get(rowKey);
    if (fault !== undefined && old?.fault?.code === fault.code && old.fileChecksum === fileChecksum)
      told.add(rowKey);
  }
  return told;
}

/** Whether a path was named by the user, leads to what was named, or lies in a hidden folder that was named. */
function names(named: string, path: string): boolean {
  if (named === path || named.startsWith(`${path}/`)) return true;
  return /(?:^|\/)\./.test(named) && path.startsWith(`${named}/`);
}

function trackedFolders(workspace: Workspace): Set<string> {
  const folders = new Set<string>();
  for (const rowKey of workspace.state.base.keys()) {
    if (!isInStep(workspace, rowKey)) continue;
    for (let end = rowKey.lastIndexOf('/'); end > 0; end = rowKey.lastIndexOf('/', end - 1)) {
      if (folders.has(rowKey.slice(0, end))) break;
      folders.add(rowKey.slice(0, end));
    }
  }
  return folders;
}

function isInStep({ state }: Workspace, rowKey: string): boolean {
  const record = state.base.get(rowKey);
  return record?.conflict !== undefined || (record?.inStep !== undefined && record.inStep !== 'gone');
}

/** Puts together what the planner needs. */
export function worldOf(workspace: Workspace, tree: LocalTree, options: LookOptions): World {
  const { state, ignoresCase } = workspace;
  const fold = (name: string) => (ignoresCase ? name.toLowerCase().normalize('NFC') : name);
  const remote = options.remote ?? state.remote;
  const local = withUnreadable(
    workspace,
    tree,
    ignoresCase ? spelledAsKnown(workspace, tree, remote, fold) : tree.files,
  );
  const { allowInstructions = false, platform = process.platform } = options;
  const select = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    options.paths === undefined
      ? map
      : new Map([...map].filter(([rowKey]) => isBelow(rowKey, options.paths)));
  return {
    base: select(state.base),
    local: select(local),
    remote: select(remote),
    history: options.history ?? new Map(),
    movedFrom: state.movedFrom,
    hasUnreadable:
      tree.unreadable.some(({ fault }) => fault.code === 'unreadable') ||
      [...tree.files].some(isUnreadable(workspace)),
    copies: tree.copies,
    refusal: (rowKey, version) => {
      if (version.fileChecksum === unwritable) {
        return { code: 'invalid_item', reason: 'has front matter that cannot be written as a file' };
      }
      const fault = nameRefusal(rowKey, version, { platform, allowInstructions });
      if (fault !== undefined) return fault;
      if (isInStep(workspace, rowKey) || !tree.ignores(rowKey)) return undefined;
      return { code: 'ignored', reason: 'is hidden, or left out by .gitignore or .tmsignore' };
    },
    fold,
    askedTier: (rowKey) =>
      options.paths !== undefined && isBelow(rowKey, options.paths) ? options.tier : undefined,
  };
}

/** A file that is in step and cannot be read is known; a new one could be any file that is missing elsewhere. */
function isUnreadable(workspace: Workspace) {
  return ([rowKey, file]: [string, LocalFile]) =>
    file.kind === 'unknown' && ['unreadable', 'changing'].includes(file.code) && !isInStep(workspace, rowKey);
}

/** What lies in a folder that cannot be read is neither there nor missing. */
function withUnreadable(
  { state }: Workspace,
  tree: LocalTree,
  files: ReadonlyMap<string, LocalFile>,
): ReadonlyMap<string, LocalFile> {
  const blocked: { prefix: string; fault: Fault }[] = [];
  for (const { folder, fault } of tree.unreadable)
    blocked.push({ prefix: folder === '' ? '' : `${folder}/`, fault });
  if (blocked.length === 0) return files;
  const local = new Map(files);
  for (const rowKey of [...state.base.keys(), ...state.remote.keys()]) {
    const folder = blocked.find(({ prefix }) => rowKey.startsWith(prefix));
    if (folder !== undefined) local.set(rowKey, { kind: 'unknown', ...folder.fault });
  }
  return local;
}

/**
 * Where case does not count, a folder `Docs` here may be `docs` on the service: its files keep the known row_keys, so that two
 * machines with different spellings do not rename each other's files for ever. The name of the file itself does count.
 */
function spelledAsKnown(
  { state }: Workspace,
  tree: LocalTree,
  remote: ReadonlyMap<string, RemoteRecord>,
  fold: (name: string) => string,
): ReadonlyMap<string, LocalFile> {
  const spelling = new Map<string, string>();
  const shape = (rowKey: string) => {
    const cut = rowKey.lastIndexOf('/') + 1;
    return fold(rowKey.slice(0, cut)) + rowKey.slice(cut);
  };
  for (const [rowKey, row] of remote) if (row !== 'gone') spelling.set(shape(rowKey), rowKey);
  for (const [rowKey, { inStep }] of state.base) {
    if (inStep !== undefined && inStep !== 'gone') spelling.set(shape(rowKey), rowKey);
  }
  const local = new Map<string, LocalFile>();
  for (const [rowKey, file] of tree.files) {
    const known = tree.files.has(spelling.get(shape(rowKey)) ?? rowKey)
      ? rowKey
      : spelling.get(shape(rowKey));
    const name = known ?? rowKey;
    if (name !== rowKey) tree.paths.set(name, tree.paths.get(rowKey) ?? rowKey);
    local.set(name, file);
  }
  return local;
}
