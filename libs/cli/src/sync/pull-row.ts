import { rm } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import type { DeletedItem, Item } from '@teammemory/client/item.ts';
import { CliError } from '../cli-error.ts';
import { makeDirectory, writeFileAtomically } from './file-system.ts';
import { checksumOf, fileFromItem } from './item-file.ts';
import { findLocalFile, type LocalFile } from './local-file.ts';
import { obeyedName } from './obeyed-name.ts';
import type { SyncState } from './sync-state.ts';

/** Conflict copies of one file. A user with more has stopped merging. */
const maxConflictCopies = 99;

/** An incoming change that was not written to its file. */
export interface PullConflict {
  row_key: string;
  code: 'conflict' | 'removed' | 'unsafe_path' | 'invalid_item';
  detail: string;
  /** For `conflict`: path of the incoming version, relative to the folder. */
  file?: string;
}

/** `obeyed`: the file was written, and tools may take it for instructions. `skipped`: it was not written for that reason. */
export type PullOutcome =
  | 'written'
  | 'obeyed'
  | 'skipped'
  | 'removed'
  | 'unchanged'
  | 'ignored'
  | PullConflict;

/** Whether files from guests are written if tools would take them for instructions. */
export type InstructionRule = 'skip' | 'take';

/**
 * Applies one row of the feed to the folder `root`, a real path. Local edits are never overwritten. Instructions for
 * tools are not taken from guests unless the rule says so; the state lists them as skipped.
 */
export async function pullRow(
  root: string,
  row: Item | DeletedItem,
  state: SyncState,
  rule: InstructionRule,
): Promise<PullOutcome> {
  const { row_key } = row;
  state.skipped.delete(row_key);
  // A file that was never synced only has the same name as the removed item.
  if (row.deleted && !state.files.has(row_key)) return 'ignored';
  const local = await findLocalFile(root, row_key);
  if (local.kind === 'refused') {
    return { row_key, code: 'unsafe_path', detail: `It was not written: its path ${local.reason}.` };
  }
  if (row.deleted) return removeFile(row_key, local, state);
  try {
    return await takeItem(root, row, local, state, rule);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    return { row_key, code: 'invalid_item', detail: thrown.message };
  }
}

type PlaceForFile = Exclude<LocalFile, { kind: 'refused' }>;

async function removeFile(rowKey: string, local: PlaceForFile, state: SyncState): Promise<PullOutcome> {
  const known = state.files.get(rowKey);
  state.files.delete(rowKey);
  if (local.kind === 'missing') return 'ignored';
  if (local.checksum !== known?.file_checksum) {
    return {
      row_key: rowKey,
      code: 'removed',
      detail: 'Others removed it; your edited file was kept.',
    };
  }
  await rm(local.path);
  return 'removed';
}

async function takeItem(
  root: string,
  item: Item,
  local: PlaceForFile,
  state: SyncState,
  rule: InstructionRule,
): Promise<PullOutcome> {
  const { row_key, checksum, tier } = item;
  const known = state.files.get(row_key);
  if (known?.checksum === checksum) {
    state.files.set(row_key, { ...known, tier });
    return 'unchanged';
  }
  const bytes = fileFromItem(item);
  const incoming = { row_key, checksum, file_checksum: checksumOf(bytes), tier };
  if (local.kind === 'file' && [checksum, incoming.file_checksum].includes(local.checksum)) {
    state.files.set(row_key, { ...incoming, file_checksum: local.checksum });
    return 'unchanged';
  }
  const isObeyed = obeyedName(row_key) !== undefined;
  // A guest's key writes only items of this tier.
  if (isObeyed && tier === 'external' && rule === 'skip') {
    state.skipped.add(row_key);
    return 'skipped';
  }
  if (local.kind === 'missing' || local.checksum === known?.file_checksum) {
    await makeDirectory(dirname(local.path));
    await writeFileAtomically(local.path, bytes, local.kind === 'file' ? local.mode : undefined);
    state.files.set(row_key, incoming);
    return isObeyed ? 'obeyed' : 'written';
  }
  const file = await writeConflictCopy(root, row_key, bytes);
  state.files.set(row_key, { ...incoming, conflict_file: file });
  return { row_key, code: 'conflict', detail: 'You and others changed it; yours was kept.', file };
}

/** Writes `a.remote.md` beside `a.md`, or `a.remote-2.md` if that name is taken. */
async function writeConflictCopy(root: string, rowKey: string, bytes: Buffer): Promise<string> {
  const extension = posix.extname(rowKey);
  const stem = rowKey.slice(0, rowKey.length - extension.length);
  for (let number = 1; number <= maxConflictCopies; number++) {
    const file = `${stem}.remote${number === 1 ? '' : `-${number}`}${extension}`;
    const place = await findLocalFile(root, file);
    if (place.kind === 'refused') continue;
    if (place.kind === 'missing') await writeFileAtomically(place.path, bytes);
    if (place.kind === 'missing' || place.checksum === checksumOf(bytes)) return file;
  }
  throw new CliError(
    'too_many_conflicts',
    'There are too many conflict copies of this file; merge and delete them first.',
  );
}
