import { join } from 'node:path';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import { z } from 'zod';
import type { BaseRecord, RemoteRecord } from '../plan/plan-types.ts';
import { SyncError } from '../sync-error.ts';
import { type FileSystem, writeAtomically } from './file-system.ts';

/** A million files with long names. More is not a journal of ours. */
const maxJournalBytes = 1024 * 1024 * 1024;
/** Superseded lines that are tolerated before the journal is written anew. */
const maxSurplusLines = 1_000;
const header = { journal: 1 };

const version = z.object({ checksum: z.string(), fileChecksum: z.string(), tier: z.enum(tiers) });
const inStep = version.extend({ narrowed: z.literal(true).optional() });
const remoteVersion = version.extend({ updatedAt: z.string(), updatedBy: z.string() });
const baseRecord = z.object({
  inStep: z.union([inStep, z.literal('gone')]).optional(),
  conflict: z
    .object({
      kind: z.enum(['edited', 'removed', 'lost']),
      version: remoteVersion.optional(),
      copy: z.string().optional(),
    })
    .optional(),
  merging: z.object({ fileChecksum: z.string(), version: inStep }).optional(),
  withdrawn: z.literal(true).optional(),
});

/** One change of the state; null removes. `restart`: the feed begins anew, and nothing is known of the service. */
const change = z.union([
  z.tuple([z.literal('base'), z.string(), baseRecord.nullable()]),
  z.tuple([z.literal('remote'), z.string(), z.union([remoteVersion, z.literal('gone')]).nullable()]),
  z.tuple([z.literal('moved'), z.string(), z.string().nullable()]),
  z.tuple([z.literal('cursor'), z.string()]),
  z.tuple([z.literal('restart')]),
]);
const journalLine = z.array(change);

export type StateChange = z.infer<typeof change>;

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
      if (lines === 1) z.object({ journal: z.literal(header.journal) }).parse(JSON.parse(line));
      else for (const one of journalLine.parse(JSON.parse(line))) apply(trees, one);
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
