import { join } from 'node:path';
import { maxContentBytes, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { isConflictCopy, isMarkdown, isNeverSynced } from '../format/row-names.ts';
import type { Fault, LocalFile } from '../plan/plan-types.ts';
import { type FileStat, type FileSystem, isTemporary } from '../state/file-system.ts';
import { stateFolder } from '../state/workspace.ts';
import type { SkippedFile } from '../summary.ts';
import { SyncError } from '../sync-error.ts';
import type { KnownFile } from './examine.ts';
import { builtInRules, type IgnoreRules, ignoreFileNames } from './ignore-rules.ts';

/** The service accepts no larger file. The YAML of front matter may be longer than its JSON, hence the factor of two. */
export const maxFileBytes = maxContentBytes + 2 * maxFrontmatterBytes;
/** A folder with more files is probably a whole disk rather than a team's notes. */
const maxFiles = 100_000;
const maxIgnoreFileBytes = 1024 * 1024;
/** No row_key has more segments, so nothing that was written is overlooked. */
const maxDepth = 520;
/** Attempts to read a file that changes meanwhile; after them it is left for the next run. */
const maxReads = 3;
const behindLink: Fault = { code: 'symlink', reason: 'lies behind a symbolic link, which is not followed' };
/**
 * A file that changed so shortly before it was read could change again within the same tick of the clock. What counts is
 * the later of its two times: tools set the time of its content back.
 */
const racyMs = 2_000;

/** The folder as it is. */
export interface LocalTree {
  root: string;
  files: Map<string, LocalFile>;
  /** Path on the disk, relative to the root, where it is spelled otherwise than the row_key. */
  paths: Map<string, string>;
  /** Path on the disk of folders that are spelled otherwise, by path in NFC. */
  folders: Map<string, string>;
  /** Paths of the copies of other versions. */
  copies: Set<string>;
  /** Markdown files, and folders with a slash at the end, that ignore rules leave out. */
  ignored: string[];
  /** What could not be taken into account, and belongs to no row. */
  skipped: SkippedFile[];
  /** Folders that cannot be read, became links, or are workspaces of their own: nothing is known about what lies below. */
  unreadable: { folder: string; fault: Fault }[];
  /** Files that a crash left behind while they were written. */
  leftovers: string[];
  known: Map<string, KnownFile>;
  /** Rules by folder, for names that arrive from the service. */
  ignores(rowKey: string): boolean;
}

export interface ScanOptions {
  files: FileSystem;
  root: string;
  /** What earlier scans found out. */
  known: ReadonlyMap<string, KnownFile>;
  /** Whether a file was in step before: ignore rules do not hold for it, as in git. */
  isTracked(rowKey: string): boolean;
  /** Whether a folder has such files: then it is looked into, even if rules leave it out. */
  hasTracked(folder: string): boolean;
  /** Whether a file or folder was named by the user: then it may be hidden. */
  isNamed(path: string): boolean;
  /** Milliseconds since 1970. */
  now: number;
  signal?: AbortSignal;
}

/** Reads the folder: Markdown files that are not ignored, in the order of their names. Throws SyncError `too_many_files`. */
export async function scanFolder(options: ScanOptions): Promise<LocalTree> {
  const rules = new Map<string, IgnoreRules>();
  const tree: LocalTree = {
    root: options.root,
    files: new Map(),
    paths: new Map(),
    folders: new Map(),
    copies: new Set(),
    ignored: [],
    skipped: [],
    unreadable: [],
    leftovers: [],
    known: new Map(),
    ignores: (rowKey) => isIgnoredAnywhere(rules, rowKey) && !options.isNamed(rowKey),
  };
  const folders = [{ path: '', rules: builtInRules(), depth: 0 }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    options.signal?.throwIfAborted();
    const below = await scanOneFolder(options, tree, folder.path, folder.rules);
    rules.set(folder.path.normalize('NFC'), below.rules);
    if (folder.depth === maxDepth) continue;
    for (const path of below.folders.toReversed())
      folders.push({ path, rules: below.rules, depth: folder.depth + 1 });
  }
  return tree;
}

/** Rules of folders that do not exist are those of the nearest one that does. */
function isIgnoredAnywhere(rules: ReadonlyMap<string, IgnoreRules>, rowKey: string): boolean {
  const names = rowKey.split('/');
  let nearest = rules.get('') ?? builtInRules();
  for (const index of names.keys()) {
    const path = names.slice(0, index + 1).join('/');
    const isLast = index === names.length - 1;
    if (nearest.ignores(isLast ? path : `${path}/`)) return true;
    nearest = rules.get(path) ?? nearest;
  }
  return false;
}

async function scanOneFolder(
  options: ScanOptions,
  tree: LocalTree,
  folder: string,
  inherited: IgnoreRules,
): Promise<{ rules: IgnoreRules; folders: string[] }> {
  const { files, root } = options;
  const folders: string[] = [];
  let entries: { name: string; kind: FileStat['kind'] }[];
  let texts: string[];
  try {
    entries = await files.list(join(root, folder));
    // What its rules would leave out must not be pushed because they cannot be read.
    texts = await ignoreTexts(options, folder, entries);
  } catch (cause) {
    tree.unreadable.push({ folder: folder.normalize('NFC'), fault: unreadable(cause) });
    return { rules: inherited, folders };
  }
  if (folder !== '' && entries.some(({ name, kind }) => name === stateFolder && kind === 'folder')) {
    // Its files belong to another team, perhaps, and must not be pushed to this one.
    const fault = { code: 'other_workspace', reason: 'lies in a folder that is a workspace of its own' };
    tree.unreadable.push({ folder: folder.normalize('NFC'), fault });
    tree.ignored.push(`${folder}/`);
    return { rules: inherited, folders };
  }
  if (folder !== folder.normalize('NFC')) tree.folders.set(folder.normalize('NFC'), folder);
  const rules = inherited.below(folder, texts);
  for (const { name, kind } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (isNeverSynced(name)) continue;
    if (isTemporary(path)) tree.leftovers.push(path);
    else if (kind === 'folder') {
      const key = path.normalize('NFC');
      const isLeftOut = rules.ignores(`${path}/`);
      if (!isLeftOut || options.isNamed(key) || options.hasTracked(key)) folders.push(path);
      if (isLeftOut && !options.isNamed(key)) tree.ignored.push(`${path}/`);
    } else if (kind === 'link' && options.hasTracked(path.normalize('NFC'))) {
      // Its files lie elsewhere now, which is no wish to remove them for the whole team.
      tree.unreadable.push({ folder: path.normalize('NFC'), fault: behindLink });
    } else if (isMarkdown(name)) await scanEntry(options, tree, rules, path, kind);
  }
  return { rules, folders };
}

async function ignoreTexts(
  { files, root }: ScanOptions,
  folder: string,
  entries: readonly { name: string; kind: FileStat['kind'] }[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const name of ignoreFileNames) {
    if (!entries.some((entry) => entry.name === name && entry.kind === 'file')) continue;
    const bytes = await files.read(join(root, folder, name), maxIgnoreFileBytes);
    if (bytes !== undefined) texts.push(Buffer.from(bytes).toString('utf8'));
  }
  return texts;
}

async function scanEntry(
  options: ScanOptions,
  tree: LocalTree,
  rules: IgnoreRules,
  path: string,
  kind: FileStat['kind'],
): Promise<void> {
  const rowKey = path.normalize('NFC');
  if (isConflictCopy(path)) {
    if (kind === 'file') tree.copies.add(rowKey);
    return;
  }
  if (!options.isTracked(rowKey) && rules.ignores(path) && !options.isNamed(rowKey)) {
    tree.ignored.push(rowKey);
    return;
  }
  if (tree.files.has(rowKey)) {
    tree.skipped.push({
      row_key: rowKey,
      code: 'duplicate_name',
      reason: 'has the same name as another file, written with other Unicode characters',
    });
    return;
  }
  if (tree.files.size === maxFiles) {
    throw new SyncError('too_many_files', `${options.root} has more than ${maxFiles} Markdown files.`);
  }
  if (path !== rowKey) tree.paths.set(rowKey, path);
  if (kind === 'link')
    tree.files.set(rowKey, unknown('symlink', 'is a symbolic link, which is not followed'));
  else if (kind !== 'file') tree.files.set(rowKey, unknown('not_a_file', 'is not a regular file'));
  else tree.files.set(rowKey, await scanFile(options, tree, rowKey, join(options.root, path)));
}

async function scanFile(
  { files, known, now }: ScanOptions,
  tree: LocalTree,
  rowKey: string,
  path: string,
): Promise<LocalFile> {
  for (let reads = 1; ; reads++) {
    try {
      const stat = await files.stat(path);
      if (stat === undefined) return unknown('changing', 'vanished while it was looked at');
      const before = known.get(rowKey);
      let found = before?.stamp === stat.stamp ? before : undefined;
      if (found === undefined) {
        const bytes = await files.read(path, maxFileBytes);
        // Loaded for the first file that changed: a parser of YAML takes as long as a thousand files that did not.
        const { examine } = await import('./examine.ts');
        found = { stamp: stat.stamp, ...examine(rowKey, bytes, stat) };
        if ((await files.stat(path))?.stamp !== stat.stamp)
          throw Object.assign(new Error(), { code: 'CHANGED' });
      }
      if (now - stat.changedAt > racyMs) tree.known.set(rowKey, found);
      else if (found.fault !== undefined) tree.known.set(rowKey, { ...found, stamp: '' });
      const { stamp: _, ...file } = found;
      return { ...file, kind: 'file' };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'CHANGED') {
        const fault = unreadable(cause);
        tree.known.set(rowKey, { stamp: '', fileChecksum: '', isPrivate: false, fault });
        return { kind: 'unknown', ...fault };
      }
      if (reads === maxReads) return unknown('changing', 'changes while it is read; the next run takes it');
    }
  }
}

function unknown(code: string, reason: string): LocalFile {
  return { kind: 'unknown', code, reason };
}

function unreadable(cause: unknown): Fault {
  const { code } = cause as NodeJS.ErrnoException;
  return { code: 'unreadable', reason: `cannot be read (${code ?? 'unknown error'})` };
}
