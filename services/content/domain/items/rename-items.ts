import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { foldersOfOthers, namesOther } from '@teammemory/vocabulary/row-key.ts';
import { type FeedRow, type FeedRowState, liveRow, removedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { FeedWriter, Verdict } from '../feed/feed-writer.ts';
import { isUnchanged } from './push-items.ts';

/** Keys that are looked at together. */
const keysPerPage = 200;
/** Names that are tried for one item. Each one that is taken is an item that somebody has pushed under it. */
const maxNames = 100;
/** Who removed the old name, as the history of the item tells. */
const renamedBy = { handle: 'administrator' } as const;
/** The public JSON of an item ends with its time and its author. */
const endOfItem = ',"updated_at":"';

/** What renaming needs. */
export interface RenamingDependencies {
  items: FeedStore;
  writer: FeedWriter;
  /** Told once a name is gone. */
  onRenamed(renamed: { teamId: string; from: string; to: string }): void;
}

/**
 * Returns the step of a migration that gives other names to items which have names of decisions, tasks or projects
 * (`namesOther`): earlier versions accepted them. The feed has the item under its new name, and then the removal of the
 * old one, so that a process which is killed in between loses nothing. A step looks through one team after another until
 * it has renamed something, and returns how many items.
 */
export function renamingStep(dependencies: RenamingDependencies): () => Promise<number> {
  const { items } = dependencies;
  let afterTeam = '';

  async function renameIn(teamId: string, nextTurn: () => Promise<void> | undefined): Promise<number> {
    let renamed = 0;
    for (const folder of foldersOfOthers) {
      for (let keys = await items.keysStartingWith(teamId, folder, '', keysPerPage); keys.length > 0; ) {
        for (const key of keys)
          if (namesOther(key) && (await renameItem(dependencies, teamId, key))) renamed += 1;
        await nextTurn();
        keys = await items.keysStartingWith(teamId, folder, keys.at(-1) ?? '', keysPerPage);
      }
      await nextTurn();
    }
    return renamed;
  }

  return async () => {
    const nextTurn = eventLoopTurns();
    for (;;) {
      const teamId = await items.teamAfter(afterTeam);
      if (teamId === undefined) break;
      const renamed = await renameIn(teamId, nextTurn);
      afterTeam = teamId;
      if (renamed > 0) return renamed;
    }
    afterTeam = '';
    return 0;
  };
}

/** Returns whether an item was renamed; it may have changed or gone meanwhile. */
async function renameItem(
  { items, writer, onRenamed }: RenamingDependencies,
  teamId: string,
  from: string,
): Promise<boolean> {
  const row = await items.read(teamId, from);
  if (row === undefined || row.deleted) return false;
  const to = await storeUnderFreeName(writer, teamId, row);
  const outcome = await writer.write(teamId, {
    rowKey: from,
    judge: (current): Verdict =>
      current === undefined || current.seq !== row.seq
        ? { kind: 'unchanged' }
        : { kind: 'write', rowAt: (position) => removedRow(current, position, renamedBy) },
  });
  if (outcome.kind !== 'written') return false;
  onRenamed({ teamId, from, to });
  return true;
}

/** Stores an item under the first name that is free, or that has it already, and returns the name. */
async function storeUnderFreeName(writer: FeedWriter, teamId: string, row: FeedRow): Promise<string> {
  for (let attempt = 1; attempt <= maxNames; attempt += 1) {
    const rowKey = attempt === 1 ? `${row.rowKey}.md` : `${row.rowKey}-${attempt}.md`;
    const jsonAt = renamedJson(row, rowKey);
    const judge = (current: FeedRowState | undefined): Verdict =>
      current?.deleted === false
        ? { kind: 'unchanged' }
        : { kind: 'write', rowAt: (position) => liveRow({ ...row, rowKey, jsonAt }, current, position) };
    const owner = row.charge?.owner;
    const counted = await writer.write(teamId, { rowKey, judge, ...(owner === undefined ? {} : { owner }) });
    // The room of the old name is free only after this, so a full quota must not keep the name.
    const outcome = counted.kind === 'refused' ? await writer.write(teamId, { rowKey, judge }) : counted;
    const isThere = outcome.previous?.deleted === false && isUnchanged(row, outcome.previous);
    if (outcome.kind === 'written' || isThere) return rowKey;
  }
  throw new Error(`no name is free for an item of team ${teamId}`);
}

/** Returns the JSON of a row under another name. Nothing in it but the name and the time changes. */
function renamedJson({ rowKey, json }: FeedRow, to: string): (updatedAtMs: number) => Uint8Array {
  const text = Buffer.from(json);
  const start = Buffer.byteLength(nameMember(rowKey));
  const end = text.lastIndexOf(endOfItem);
  const time = end + endOfItem.length;
  const afterTime = text.indexOf('"', time);
  return (updatedAtMs) =>
    Buffer.concat([
      Buffer.from(nameMember(to)),
      text.subarray(start, time),
      Buffer.from(new Date(updatedAtMs).toISOString()),
      text.subarray(afterTime),
    ]);
}

/** Returns what the JSON of an item begins with. */
function nameMember(rowKey: string): string {
  return `{"row_key":${JSON.stringify(rowKey)}`;
}
