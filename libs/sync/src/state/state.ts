import { join } from 'node:path';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import type {
  BaseRecord,
  ConflictRecord,
  InStep,
  RemoteRecord,
  RemoteVersion,
  Version,
} from '../plan/plan-types.ts';
import { SyncError } from '../sync-error.ts';
import { type FileSystem, writeAtomically } from './file-system.ts';
import { hasTexts, isRecord } from './stored.ts';

/** A million files with long names. More is not a journal of ours. */
const maxJournalBytes = 1024 * 1024 * 1024;
/** Superseded lines that are tolerated before the journal is written anew. */
const maxSurplusLines = 1_000;
const header = { journal: 1 };

/** One change of the state; null removes. `restart`: the feed begins anew, and nothing is known of the service. */
export type StateChange =
  | readonly ['base', rowKey: string, BaseRecord | null]
  | readonly ['remote', rowKey: string, RemoteRecord | null]
  | readonly ['moved', to: string, from: string | null]
  | readonly ['cursor', string]
  | readonly ['restart'];

/** What is remembered between runs, in `.tms/journal.ndjson`. */
export interface State {
  readonly base: ReadonlyMap<string, BaseRecord>;
  readonly remote: ReadonlyMap<string, RemoteRecord>;
  /** Former row_key by new one, as told by `tms mv`. */
  readonly movedFrom: ReadonlyMap<string, string>;
  /** Where the feed goes on. */
  readonly cursor: string | undefined;
  /**
   * Makes changes durable, all of them or, if the process dies, none. Callers change files first and the state after them,
   * so that a crash in between leaves what the planner recognises: the same bytes on both sides.
   */
  commit(changes: readonly StateChange[]): Promise<void>;
}

interface Trees {
  base: Map<string, BaseRecord>;
  remote: Map<string, RemoteRecord>;
  movedFrom: Map<string, string>;
  cursor: string | undefined;
}

/**
 * Opens the journal of a workspace: one line of JSON for each commit. A last line without an end, or with a hole, was being
 * written when the process died or the power went, and counts as not written. Throws SyncError `bad_state` for any other damage.
 */
export async function openState(
  files: FileSystem,
  folder: string,
  { readOnly }: { readOnly: boolean },
): Promise<State> {
  const path = join(folder, 'journal.ndjson');
  const trees: Trees = { base: new Map(), remote: new Map(), movedFrom: new Map(), cursor: undefined };
  const { lines, isWhole } = await readJournal(files, path, trees);
  let mustRewrite = !isWhole || lines > 2 * sizeOf(trees) + maxSurplusLines;
  const rewrite = async () => {
    await writeAtomically(files, path, Buffer.from(wholeJournal(trees)), { mode: 0o600, flush: true });
    // What is added to it is lost where its name is.
    await files.syncFolder(folder);
    mustRewrite = false;
  };
  if (mustRewrite && !readOnly) await rewrite();
  // One at a time, in the order of the calls.
  let last: Promise<unknown> = Promise.resolve();
  const write = async (changes: readonly StateChange[]) => {
    if (changes.length === 0) return;
    // After a failed append the last line may be cut off, and nothing may be added to it.
    if (mustRewrite) await rewrite();
    mustRewrite = true;
    await files.append(path, Buffer.from(`${JSON.stringify(changes)}\n`));
    mustRewrite = false;
    for (const one of changes) apply(trees, one);
  };
  return {
    base: trees.base,
    remote: trees.remote,
    movedFrom: trees.movedFrom,
    get cursor() {
      return trees.cursor;
    },
    commit: (changes) => {
      if (readOnly) throw new SyncError('bad_state', 'This workspace was opened for reading only.');
      const commit = last.then(() => write(changes));
      last = commit.catch(() => undefined);
      return commit;
    },
  };
}

function sizeOf({ base, remote, movedFrom }: Trees): number {
  return base.size + remote.size + movedFrom.size;
}

async function readJournal(
  files: FileSystem,
  path: string,
  trees: Trees,
): Promise<{ lines: number; isWhole: boolean }> {
  if ((await files.stat(path)) === undefined) return { lines: 0, isWhole: false };
  const bytes = await files.read(path, maxJournalBytes);
  if (bytes === undefined) throw damaged(path, 'it is too large');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let lines = 0;
  let start = 0;
  for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, start)) {
    const line = buffer.toString('utf8', start, end);
    // What a power loss takes of a line that no sync followed are zeros, which JSON has none of.
    if (end === buffer.length - 1 && lines > 0 && line.includes('\0')) return { lines, isWhole: false };
    start = end + 1;
    lines += 1;
    try {
      const value: unknown = JSON.parse(line);
      if (lines === 1 ? !isHeader(value) : !isJournalLine(value))
        throw new TypeError('not a line of this journal');
      if (lines > 1) for (const one of value as StateChange[]) apply(trees, one);
    } catch (cause) {
      throw damaged(path, `line ${lines} cannot be read`, cause);
    }
  }
  return { lines, isWhole: lines > 0 && start === buffer.length };
}

function damaged(path: string, reason: string, cause?: unknown): SyncError {
  const next =
    'Delete it to start over: none of your files is lost, and equal files are found to be in step.';
  return new SyncError('bad_state', `${path} is damaged: ${reason}. ${next}`, cause);
}

function apply(trees: Trees, one: StateChange): void {
  switch (one[0]) {
    case 'base':
      set(trees.base, one[1], one[2]);
      return;
    case 'remote':
      set(trees.remote, one[1], one[2]);
      return;
    case 'moved':
      set(trees.movedFrom, one[1], one[2]);
      return;
    case 'cursor':
      trees.cursor = one[1];
      return;
    case 'restart':
      trees.cursor = undefined;
      trees.remote.clear();
  }
}

function set<Value>(map: Map<string, Value>, key: string, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function wholeJournal(trees: Trees): string {
  const changes: StateChange[] = [];
  for (const [rowKey, record] of trees.base) changes.push(['base', rowKey, record]);
  for (const [rowKey, row] of trees.remote) changes.push(['remote', rowKey, row]);
  for (const [to, from] of trees.movedFrom) changes.push(['moved', to, from]);
  if (trees.cursor !== undefined) changes.push(['cursor', trees.cursor]);
  return [header, ...changes.map((one) => [one])].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function isHeader(value: unknown): boolean {
  return isRecord(value) && value.journal === header.journal;
}

function isJournalLine(value: unknown): value is StateChange[] {
  return Array.isArray(value) && value.every(isChange);
}

function isChange(value: unknown): value is StateChange {
  if (!Array.isArray(value)) return false;
  const [kind, name, record] = value as unknown[];
  if (kind === 'restart') return value.length === 1;
  if (typeof name !== 'string') return false;
  if (kind === 'cursor') return value.length === 2;
  if (value.length !== 3) return false;
  if (kind === 'base') return record === null || isBaseRecord(record);
  if (kind === 'remote') return record === null || record === 'gone' || isRemoteVersion(record);
  return kind === 'moved' && (record === null || typeof record === 'string');
}

function isBaseRecord(value: unknown): value is BaseRecord {
  if (!isRecord(value)) return false;
  const { inStep, conflict, merging, withdrawn } = value;
  return (
    (inStep === undefined || inStep === 'gone' || isInStep(inStep)) &&
    (conflict === undefined || isConflict(conflict)) &&
    (merging === undefined || (hasTexts(merging, 'fileChecksum') && isInStep(merging.version))) &&
    (withdrawn === undefined || withdrawn === true)
  );
}

function isVersion(value: unknown): value is Version {
  return hasTexts(value, 'checksum', 'fileChecksum', 'tier') && tiers.some((tier) => tier === value.tier);
}

function isInStep(value: unknown): value is InStep {
  return isVersion(value) && (!('narrowed' in value) || value.narrowed === true);
}

function isRemoteVersion(value: unknown): value is RemoteVersion {
  return isVersion(value) && hasTexts(value, 'updatedAt', 'updatedBy');
}

function isConflict(value: unknown): value is ConflictRecord {
  return (
    hasTexts(value, 'kind') &&
    ['edited', 'removed', 'lost'].includes(value.kind) &&
    (value.version === undefined || isRemoteVersion(value.version)) &&
    (value.copy === undefined || typeof value.copy === 'string')
  );
}
