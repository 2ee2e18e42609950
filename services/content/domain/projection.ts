import { setTimeout as delay } from 'node:timers/promises';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { positionsAfter } from './feed-change.ts';
import type { Item } from './item.ts';
import { type ItemSource, isLog, projectsOf } from './item-source.ts';
import type { ItemStore } from './item-store.ts';
import { hasNewTitle } from './match-tasks.ts';
import { createNamedProjects, type NamingItem } from './named-projects.ts';
import { type PlannedChange, planTasks } from './plan-tasks.ts';
import type { ProjectStore } from './project-store.ts';
import type { ProjectionPlace, ProjectionStore } from './projection-store.ts';
import { wholeTeam } from './quota.ts';
import type { SkippedText, SkippedTextStore, SkipReason } from './skipped-text-store.ts';
import { keyBeginning, type StoredTask, storedTask, type TaskSource } from './task.ts';
import { entriesMax, type TaskEntry } from './task-entries.ts';
import type { TaskWorker } from './task-worker.ts';
import type { Tier } from './tier.ts';

/** Rows of a feed read at once, and bytes with which a page of them ends: SQLite reads within one turn of the event loop. */
const page = { limit: 20, maxBytes: 1024 * 1024 };
/** Rows of one append: bounds the time of one write. */
const appendRows = 200;
/** Removed tasks of one text that may come back, the newest made: as many as were ever there at once. */
const removedMax = entriesMax;
/**
 * Rows of tasks that a team may have, those of external keys among them, some gigabytes: removed ones stay, so that
 * without a bound one text that is written over and over would fill the disk.
 */
const rowsMax: TaskRowBounds = { team: 5_000_000, external: 1_000_000 };
/** How often a place that does not fit is looked at again, and how long in between. */
const looks = 10;
const lookPauseMs = 50;
/** How long a write waits to be worked in, so that writes that follow each other are worked in together. */
const nudgeDelayMs = 200;
/** How often a run starts anew because another process wrote at the same time. */
const attempts = 50;

/** Keeps what is made from items and decisions up to date: tasks, and which projects items name. */
export interface Projection {
  /**
   * Works in everything that was durable when it is called.
   * @throws AppError `unavailable`; what was done until then is kept.
   */
  catchUp(teamId: string): Promise<void>;
  /** Catches up shortly and lets nobody wait: whoever reads catches up first, and is told of faults. */
  nudge(teamId: string): void;
  /** Forgets nudges and waits until nothing is under way. */
  close(): Promise<void>;
}

/** Rows of tasks, removed ones included: of a team, and of what its external keys see, and may have written. */
export type TaskRowBounds = Record<Tier, number>;

interface Dependencies {
  items: ItemStore;
  decisions: ItemStore;
  tasks: ItemStore;
  projects: ProjectStore;
  places: ProjectionStore;
  skipped: SkippedTextStore;
  /** Reads texts and compares tasks. */
  worker: TaskWorker;
  /** Projects that a team may create; items may name ten times as many. */
  projectsMax?: number;
  /** Unset: millions. */
  taskRowsMax?: TaskRowBounds;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Is told of each text that is skipped, once for each version of it. */
  onSkipped?: (reason: SkipReason) => void;
  /** Runs each catch-up of a team, which answers how many positions of the feeds it went on by. */
  watch?: (teamId: string, work: () => Promise<number>) => Promise<number>;
}

/** Another process wrote tasks meanwhile: what was planned rests on rows that are no longer the newest. */
class Overtaken extends Error {}

/**
 * Follows the feeds of items and decisions. It is safe in any number of
 * processes: tasks are written at the positions after the head at which the
 * kept place holds, and nowhere else, so a plan made of old state cannot be
 * written after a newer one. A process that dies between its rows and its
 * place leaves a place that does not fit the head; then everything is worked
 * in again, which changes no row that is right and keeps every task_id.
 */
export function createProjection(dependencies: Dependencies): Projection {
  const { items, decisions, tasks, projects, places, skipped, worker, clock } = dependencies;
  const { watch = (_teamId, work) => work(), onSkipped = () => undefined } = dependencies;
  const { taskRowsMax = rowsMax } = dependencies;
  const named = createNamedProjects(dependencies);

  async function startingPlace(teamId: string): Promise<ProjectionPlace> {
    for (let look = 0; look < looks; look += 1) {
      if (look > 0) await delay(lookPauseMs);
      const place = await places.place(teamId);
      const head = await tasks.head(teamId);
      if (place.tasksSeq === head.seq) return place;
    }
    const head = await tasks.head(teamId);
    return { tasksSeq: head.seq, itemsSeq: 0, decisionsSeq: 0 };
  }

  /** Appends changes after the place's head and keeps the place at each step, for others who wait for it. */
  async function append(teamId: string, place: ProjectionPlace, planned: PlannedChange[]): Promise<void> {
    for (let start = 0; start < planned.length; start += appendRows) {
      const head = await tasks.head(teamId);
      if (head.seq !== place.tasksSeq) throw new Overtaken();
      const newestExternalMs = await tasks.newestPlace(teamId, 'external');
      const positions = positionsAfter({ ...head, newestExternalMs }, clock);
      const changes = planned
        .slice(start, start + appendRows)
        .map(({ previous, at }) => ({ item: charged(positions.take(at(positions.next()))), previous }));
      const written = await tasks.append(teamId, changes, 0);
      if (written < changes.length) throw new Overtaken();
      place.tasksSeq += written;
      await places.keep(teamId, place);
    }
  }

  /**
   * The entries of a text, none where reading it takes more than its budget.
   * Such a text is noted before anything is made of it, so that it is tried
   * again neither when its page is worked in anew nor by another process; a
   * process that dies while it tries loses no more than the budget of one try.
   */
  async function entriesOf(
    teamId: string,
    source: TextSource,
    known: SkippedText | undefined,
  ): Promise<TaskEntry[]> {
    const { kind, id, seq, text, project } = source;
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

  /** Leaves out the new tasks that find no room, which is noted as of any text with too many. */
  async function withinBounds(
    teamId: string,
    { kind, id, seq, tier }: TextSource,
    planned: PlannedChange[],
  ): Promise<PlannedChange[]> {
    const isNew = ({ previous }: PlannedChange) => previous === undefined;
    const wanted = planned.filter(isNew).length;
    if (wanted === 0) return planned;
    const usage = await tasks.usage(teamId, [wholeTeam, 'external']);
    const roomOf = (owner: string, most: number) => most - (usage.get(owner)?.rows ?? 0);
    const ofTeam = roomOf(wholeTeam, taskRowsMax.team);
    const ofTier = tier === 'external' ? roomOf('external', taskRowsMax.external) : ofTeam;
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

  /** What has to change so that the tasks of a row are those of its text. */
  async function plan(
    teamId: string,
    source: TextSource,
    known: SkippedText | undefined,
  ): Promise<PlannedChange[]> {
    const { kind, id, tier, revision } = source;
    const entries = await entriesOf(teamId, source, known);
    // Most rows of most pages: nothing in their first version, so that there was nothing before.
    if (entries.length === 0 && revision === 1) return [];
    const turn = eventLoopTurns();
    const beginning = keyBeginning({ kind, id });
    const stored = (await tasks.startingWith(teamId, beginning, entriesMax)).map(storedTask);
    await turn();
    const old = stored.map(({ entry }) => entry);
    // An entry may be a removed task again; most edits bring no new title.
    const mayComeBack = revision > 1 && hasNewTitle(old, entries);
    await turn();
    const gone = mayComeBack ? await removedTasks(teamId, beginning) : [];
    await turn();
    const planned = await planTasks(worker, { kind, id, tier, entries }, stored, gone);
    return withinBounds(teamId, source, planned);
  }

  async function removedTasks(teamId: string, beginning: string): Promise<StoredTask[]> {
    const rows = await tasks.removedStartingWith(teamId, beginning, removedMax);
    // What an earlier version of this program removed kept no text.
    return rows.filter(({ json }) => json.length > 0).map(storedTask);
  }

  async function followItems(teamId: string, place: ProjectionPlace): Promise<void> {
    const turn = eventLoopTurns();
    for (;;) {
      const rows = await items.readFrom(teamId, place.itemsSeq, page);
      if (rows.length === 0) return;
      const rowKeys = rows.map(({ rowKey }) => rowKey);
      const known = await skipped.find(teamId, 'item', rowKeys);
      const sources: TextSource[] = [];
      const naming: NamingItem[] = [];
      for (const row of rows) {
        const { source, slugs } = readItem(row);
        sources.push(source);
        const { rowKey, seq, tier, revision } = row;
        if (slugs.length > 0 || revision > 1) naming.push({ rowKey, seq, tier, slugs });
        await turn();
      }
      if (naming.length > 0) {
        await projects.setNamed(teamId, await named.admitted(teamId, naming));
        await places.raiseProjectsVersion(teamId);
      }
      for (const source of sources) {
        await append(teamId, place, await plan(teamId, source, known.get(source.id)));
        place.itemsSeq = source.seq;
        await turn();
      }
      await places.keep(teamId, place);
    }
  }

  async function followDecisions(teamId: string, place: ProjectionPlace): Promise<void> {
    const turn = eventLoopTurns();
    for (;;) {
      const rows = await decisions.readFrom(teamId, place.decisionsSeq, page);
      if (rows.length === 0) return;
      const ids = rows.map(({ rowKey }) => rowKey);
      const known = await skipped.find(teamId, 'decision', ids);
      for (const row of rows) {
        await append(teamId, place, await plan(teamId, readDecision(row), known.get(row.rowKey)));
        place.decisionsSeq = row.seq;
        await turn();
      }
      await places.keep(teamId, place);
    }
  }

  async function follow(teamId: string): Promise<number> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        const start = await startingPlace(teamId);
        const place = { ...start };
        await followItems(teamId, place);
        await followDecisions(teamId, place);
        return place.itemsSeq - start.itemsSeq + place.decisionsSeq - start.decisionsSeq;
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
    throw new AppError('unavailable', 'Too many writers at once; try again shortly.');
  }
  const runs = createSingleFlight(async (teamId) => {
    await watch(teamId, () => follow(teamId));
  });

  const nudges = new Map<string, NodeJS.Timeout>();
  function runNudged(teamId: string): void {
    nudges.delete(teamId);
    // Whoever watches was told of it; whoever reads will be.
    runs.run(teamId).catch(() => undefined);
  }

  return {
    catchUp: runs.run,
    nudge(teamId) {
      if (!nudges.has(teamId)) nudges.set(teamId, setTimeout(runNudged, nudgeDelayMs, teamId));
    },
    async close() {
      for (const timer of nudges.values()) clearTimeout(timer);
      await runs.settled();
    },
  };
}

/** A task's row with what it takes, counted by who may see it. */
function charged(row: Item): Item {
  return { ...row, charge: { owner: row.tier, bytes: row.json.length, keptBytes: 0 } };
}

/** The text of a row, in which tasks may stand. */
interface TextSource extends Omit<TaskSource, 'entries'> {
  seq: number;
  revision: number;
  /** Empty where there is none: of what was removed, and of items that are no logs. */
  text: string;
  /** Of the tasks that name none. */
  project: string | null;
}

/** An item's text, if it is a log, and the projects that it names. */
function readItem(row: Item): { source: TextSource; slugs: string[] } {
  const { rowKey: id, tier, seq, revision } = row;
  const none = { kind: 'item', id, tier, seq, revision, text: '', project: null } as const;
  if (row.deleted) return { source: none, slugs: [] };
  const { frontmatter, content } = JSON.parse(Buffer.from(row.json).toString());
  const item: ItemSource = { rowKey: id, frontmatter };
  const slugs = projectsOf(item);
  return { source: isLog(item) ? { ...none, text: content, project: slugs[0] ?? null } : none, slugs };
}

function readDecision(row: Item): TextSource {
  const { rowKey: id, tier, seq, revision } = row;
  const none = { kind: 'decision', id, tier, seq, revision, text: '', project: null } as const;
  if (row.deleted) return none;
  const { body, project } = JSON.parse(Buffer.from(row.json).toString());
  return { ...none, text: body, project };
}
