import { randomUUIDv7 } from 'node:crypto';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { erasedRow, type FeedRow, liveRow, type Position, removedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import { wholeTeam } from '../feed/quota.ts';
import { hasNewTitle } from './match-tasks.ts';
import type { SkippedText, SkippedTextStore, SkipReason, TextName } from './skipped-texts.ts';
import { keyBeginning, type StoredTask, storedTask, type TaskSource, taskContent } from './task.ts';
import { maxEntries, type TaskEntries, type TaskEntry } from './task-entries.ts';
import type { SourceText } from './task-source.ts';

/** Removed tasks of one text that may come back, the newest ones: as many as could exist at once. */
const maxRemoved = maxEntries;
/**
 * Rows of tasks that a team may have, some gigabytes, and among them those that external keys see. Removed rows stay, so
 * without a bound one text that is rewritten over and over would fill the disk.
 */
const defaultMaxTaskRows: Record<Tier, number> = { team: 5_000_000, external: 1_000_000 };

/** Tasks that are erased at a time, each with a title of a few hundred bytes. */
const maxErasedAtOnce = 200;

/** A change of a task that has no position yet. */
export interface PlannedChange {
  previous: FeedRow | undefined;
  rowAt(position: Position): FeedRow;
}

/** Reads and compares tasks beside the event loop, with a budget for each job. */
export interface TaskWorker {
  /**
   * Returns the tasks of a text; undefined if reading it takes more than the budget.
   * @throws AppError `unavailable` when the machine is too busy to tell.
   */
  read(text: string): Promise<TaskEntries | undefined>;
  /**
   * Does what `matchTasks` does; if that takes more than the budget, by equal titles alone.
   * @throws AppError `unavailable` when the machine is too busy to tell.
   */
  match(old: TaskEntry[], now: TaskEntry[], gone: TaskEntry[]): Promise<(number | undefined)[]>;
}

export interface TaskPlannerDependencies {
  tasks: FeedStore;
  skipped: SkippedTextStore;
  worker: TaskWorker;
  /** Rows of tasks, removed ones included: of a team, and of what its external keys see. Unset: millions. */
  maxTaskRows?: Record<Tier, number>;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Called for each text that is skipped, once for each version of it. */
  onSkipped?: (reason: SkipReason) => void;
}

/** Plans what has to change so that stored tasks are those of their texts. */
export interface TaskPlanner {
  /**
   * Returns the changes for one text. `known` is what is stored of it as a skipped text.
   * @throws AppError `unavailable`.
   */
  plan(teamId: string, source: SourceText, known: SkippedText | undefined): Promise<PlannedChange[]>;
  /**
   * Returns changes that take the titles out of a text's tasks for good, of all, or of the removed ones: some at a time, to
   * be called again once they are written, until there are none.
   * @throws AppError `unavailable`.
   */
  planErasure(teamId: string, source: TextName, which: 'all' | 'removed'): Promise<PlannedChange[]>;
}

/** Makes a planner that reads texts with the worker and notes those that are skipped. */
export function createTaskPlanner(dependencies: TaskPlannerDependencies): TaskPlanner {
  const { tasks, skipped, worker, clock } = dependencies;
  const { maxTaskRows = defaultMaxTaskRows, onSkipped = () => undefined } = dependencies;

  /**
   * Returns the entries of a text; none if reading it takes more than its budget. Such a text is noted before anything is
   * made of it, so that neither this nor another process tries it again. A process that dies in between loses no more
   * than the budget of one try.
   */
  async function entriesOf(
    teamId: string,
    { kind, id, seq, text, project }: SourceText,
    known: SkippedText | undefined,
  ): Promise<TaskEntry[]> {
    if (known?.seq === seq && known.reason === 'too_complex') return [];
    const result = await worker.read(text);
    const reason = result === undefined ? 'too_complex' : result.shortfall;
    if (reason === undefined) {
      if (known !== undefined) await skipped.forget(teamId, { kind, id, seq });
    } else if (known?.seq !== seq) {
      await skipped.keep(teamId, { kind, id, seq, reason, noticedAtMs: clock() });
      onSkipped(reason);
    }
    const entries = result?.entries ?? [];
    return entries.map((entry) => ({ ...entry, project: entry.project ?? project }));
  }

  /** Leaves out the new tasks that find no room, and notes that, as for any text with too many entries. */
  async function withinBounds(
    teamId: string,
    { kind, id, seq, tier }: SourceText,
    planned: PlannedChange[],
  ): Promise<PlannedChange[]> {
    const isNew = ({ previous }: PlannedChange) => previous === undefined;
    const wanted = planned.filter(isNew).length;
    if (wanted === 0) return planned;
    const usage = await tasks.usage(teamId, [wholeTeam, 'external']);
    const roomOf = (owner: string, most: number) => most - (usage.get(owner)?.rows ?? 0);
    const ofTeam = roomOf(wholeTeam, maxTaskRows.team);
    const ofTier = tier === 'external' ? roomOf('external', maxTaskRows.external) : ofTeam;
    let room = Math.max(0, Math.min(ofTeam, ofTier));
    if (wanted <= room) return planned;
    await skipped.keep(teamId, { kind, id, seq, reason: 'too_many', noticedAtMs: clock() });
    onSkipped('too_many');
    return planned.filter((change) => {
      if (!isNew(change)) return true;
      room -= 1;
      return room >= 0;
    });
  }

  async function removedTasks(teamId: string, beginning: string): Promise<StoredTask[]> {
    return (await tasks.removedStartingWith(teamId, beginning, maxRemoved)).map(storedTask);
  }

  return {
    async plan(teamId, source, known) {
      const { kind, id, tier, revision } = source;
      const entries = await entriesOf(teamId, source, known);
      // Most rows of most pages: a first version without entries, so there were none before.
      if (entries.length === 0 && revision === 1) return [];
      const turn = eventLoopTurns();
      const beginning = keyBeginning({ kind, id });
      const stored = (await tasks.startingWith(teamId, beginning, maxEntries)).map(storedTask);
      await turn();
      const old = stored.map(({ entry }) => entry);
      // An entry may be a removed task that comes back. Most edits bring no new title.
      const mayComeBack = revision > 1 && hasNewTitle(old, entries);
      await turn();
      const gone = mayComeBack ? await removedTasks(teamId, beginning) : [];
      await turn();
      const planned = await planTasks(worker, { kind, id, tier, entries }, stored, gone);
      return withinBounds(teamId, source, planned);
    },
    async planErasure(teamId, source, which) {
      const read = which === 'all' ? tasks.unerasedStartingWith : tasks.removedStartingWith;
      const rows = await read(teamId, keyBeginning(source), maxErasedAtOnce);
      return rows.map((row) => ({
        previous: row,
        rowAt: (position) => erasedRow(row, position, { from: 1 }),
      }));
    },
  };
}

/**
 * Returns the changes that turn the stored tasks of a source into those of its text. Entries that are the same task keep
 * their row, those that come back take theirs again from `removed`, new ones get an id, and rows without an entry are
 * removed.
 * @throws AppError `unavailable` when the machine is too busy to compare them.
 */
async function planTasks(
  worker: TaskWorker,
  source: TaskSource,
  stored: readonly StoredTask[],
  removed: readonly StoredTask[],
): Promise<PlannedChange[]> {
  const old = stored.toSorted((a, b) => a.entry.line - b.entry.line);
  const gone = removed
    .filter(({ row }) => canComeBack(row, source))
    .toSorted((a, b) => b.row.seq - a.row.seq);
  const entriesOf = (tasks: StoredTask[]) => tasks.map(({ entry }) => entry);
  const matches = await worker.match(entriesOf(old), source.entries, entriesOf(gone));
  const kept = new Set(matches);
  const removals = old
    .filter((_, index) => !kept.has(index))
    .map(
      ({ row }): PlannedChange => ({
        previous: row,
        rowAt: (position) => ({ ...removedRow(row, position), json: row.json }),
      }),
    )
    // The last line goes first: of equal titles that come back newest first, each finds its own row again.
    .toReversed();
  const known = [...old, ...gone];
  const writes = source.entries.flatMap((entry, index): PlannedChange[] => {
    const row = known[matches[index] ?? -1]?.row;
    const content = taskContent(row?.rowKey ?? `${keyBeginning(source)}${randomUUIDv7()}`, source, entry);
    if (row?.deleted === false && row.checksum === content.checksum) return [];
    return [{ previous: row, rowAt: (position) => liveRow(content, row, position) }];
  });
  return [...removals, ...writes];
}

/**
 * Whether a removed task may come back as an entry of the source. Ids reveal when they were made, so an external key
 * that pushes guessed titles must not learn which of them internal tasks once had.
 */
function canComeBack(row: FeedRow, source: TaskSource): boolean {
  return source.tier === 'team' || row.tier === 'external';
}
