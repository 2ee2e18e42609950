import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createFreshRuns } from './fresh-runs.ts';
import type { Item } from './item.ts';
import { type ItemSource, isLog, projectsOf } from './item-source.ts';
import type { ItemStore } from './item-store.ts';
import { hasNewTitle } from './match-tasks.ts';
import { createNamedProjects } from './named-projects.ts';
import { type PlannedChange, planTasks } from './plan-tasks.ts';
import type { ProjectStore } from './project-store.ts';
import type { ProjectionPlace, ProjectionStore } from './projection-store.ts';
import { keyBeginning, type StoredTask, storedTask, type TaskSource } from './task.ts';
import { entriesMax, taskEntries } from './task-entries.ts';

/** Rows of a feed read at once: each may have a text of 1 MiB. */
const pageRows = 20;
/** Rows of one append: bounds the time of one write. */
const appendRows = 400;
/** Removed tasks of one text that may come back, the newest made: as many as were ever there at once. */
const removedMax = entriesMax;
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

interface Dependencies {
  items: ItemStore;
  decisions: ItemStore;
  tasks: ItemStore;
  projects: ProjectStore;
  places: ProjectionStore;
  /** Projects that a team may create; items may name ten times as many. */
  projectsMax?: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
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
  const { items, decisions, tasks, projects, places, clock } = dependencies;
  const { watch = (_teamId, work) => work() } = dependencies;
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
      let { updatedAtMs } = head;
      const changes = planned.slice(start, start + appendRows).map((change, index) => {
        updatedAtMs = Math.max(clock(), updatedAtMs + 1);
        return change({ seq: head.seq + index + 1, updatedAtMs });
      });
      const written = await tasks.append(teamId, changes, 0);
      if (written < changes.length) throw new Overtaken();
      place.tasksSeq += written;
      await places.keep(teamId, place);
    }
  }

  /** What has to change for each row of a page; their tasks have nothing in common. */
  async function planPage(
    teamId: string,
    page: readonly Item[],
    sourceFrom: (row: Item) => TaskSource,
    kind: TaskSource['kind'],
  ): Promise<PlannedChange[][]> {
    const plans: PlannedChange[][] = [];
    for (const row of page) {
      const source = sourceFrom(row);
      if (isNewsOfNothing(row, source.entries)) {
        plans.push([]);
        continue;
      }
      // A long log takes its time; whoever else has work gets a turn between two of them.
      await nextTurn();
      const beginning = keyBeginning({ kind, id: row.rowKey });
      const stored = (await tasks.startingWith(teamId, beginning, entriesMax)).map(storedTask);
      const gone = mayComeBack(row, source, stored) ? await removedTasks(teamId, beginning) : [];
      plans.push(planTasks(source, stored, gone));
    }
    return plans;
  }

  async function removedTasks(teamId: string, beginning: string): Promise<StoredTask[]> {
    const rows = await tasks.removedStartingWith(teamId, beginning, removedMax);
    // What an earlier version of this program removed kept no text.
    return rows.filter(({ json }) => json.length > 0).map(storedTask);
  }

  async function followItems(teamId: string, place: ProjectionPlace): Promise<void> {
    for (;;) {
      const page = await items.readFrom(teamId, place.itemsSeq, pageRows);
      if (page.length === 0) return;
      const naming = page
        .map((row) => ({ row, slugs: projectsIn(row) }))
        .filter(({ row, slugs }) => !isNewsOfNothing(row, slugs))
        .map(({ row: { rowKey, seq, tier }, slugs }) => ({ rowKey, seq, tier, slugs }));
      if (naming.length > 0) await projects.setNamed(teamId, await named.admitted(teamId, naming));
      const plans = await planPage(teamId, page, taskSourceFromItem, 'item');
      for (const [index, row] of page.entries()) {
        await append(teamId, place, plans[index] ?? []);
        place.itemsSeq = row.seq;
      }
      await places.keep(teamId, place);
    }
  }

  async function followDecisions(teamId: string, place: ProjectionPlace): Promise<void> {
    for (;;) {
      const page = await decisions.readFrom(teamId, place.decisionsSeq, pageRows);
      if (page.length === 0) return;
      const plans = await planPage(teamId, page, taskSourceFromDecision, 'decision');
      for (const [index, row] of page.entries()) {
        await append(teamId, place, plans[index] ?? []);
        place.decisionsSeq = row.seq;
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
  const runs = createFreshRuns(async (teamId) => {
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

function projectsIn(row: Item): string[] {
  return row.deleted ? [] : projectsOf(itemFrom(row));
}

function taskSourceFromItem(row: Item): TaskSource {
  const source = { kind: 'item', id: row.rowKey, tier: row.tier } as const;
  if (row.deleted) return { ...source, entries: [] };
  const item = itemFrom(row);
  if (!isLog(item)) return { ...source, entries: [] };
  const [project = null] = projectsOf(item);
  return { ...source, entries: entriesOf(item.content, project) };
}

function taskSourceFromDecision(row: Item): TaskSource {
  const source = { kind: 'decision', id: row.rowKey, tier: row.tier } as const;
  if (row.deleted) return { ...source, entries: [] };
  const { body, project } = JSON.parse(Buffer.from(row.json).toString());
  return { ...source, entries: entriesOf(body, project) };
}

function entriesOf(text: string, project: string | null) {
  return taskEntries(text).map((entry) => ({ ...entry, project: entry.project ?? project }));
}

/** Whether a row has nothing now and is in its first version, so that it had nothing before: most rows of most pages. */
function isNewsOfNothing(row: Item, found: readonly unknown[]): boolean {
  return found.length === 0 && row.revision === 1;
}

/** Whether an entry may be a removed task again: a first version had none, and most edits bring no new title. */
function mayComeBack(row: Item, source: TaskSource, stored: readonly StoredTask[]): boolean {
  const old = stored.map(({ entry }) => entry);
  return row.revision > 1 && hasNewTitle(old, source.entries);
}

function itemFrom(row: Item): ItemSource & { content: string } {
  const { frontmatter, content } = JSON.parse(Buffer.from(row.json).toString());
  return { rowKey: row.rowKey, frontmatter, content };
}
