import { setTimeout as delay } from 'node:timers/promises';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type FeedRow, positionsAfter } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { Progress, ProgressStore, Projection } from '../feed/progress.ts';
import { createNamedProjects, type NamingItem } from '../projects/named-projects.ts';
import type { ProjectStore } from '../projects/projects.ts';
import { createTaskPlanner, type PlannedChange, type TaskPlannerDependencies } from './plan-tasks.ts';
import type { SkippedText, TextName } from './skipped-texts.ts';
import { taskForm } from './task.ts';
import { readDecision, readItem, type SourceText } from './task-source.ts';

/** Rows of a feed read at once, and bytes that end a page of them: SQLite reads within one turn of the event loop. */
const pageRange = { limit: 20, maxBytes: 1024 * 1024 };
/** Rows of one append: bounds the time of one write. */
const maxAppendRows = 200;
/** How often progress that does not fit the task feed is read again, and the pause in between. */
const maxLooks = 10;
const lookPauseMs = 50;
/** How long a nudge waits, so that writes that follow each other are processed together. */
const nudgeDelayMs = 200;
/** How often a run starts again because another process wrote at the same time. */
const maxAttempts = 50;

interface ProjectionDependencies extends TaskPlannerDependencies {
  items: FeedStore;
  decisions: FeedStore;
  projects: ProjectStore;
  progress: ProgressStore;
  /** Projects that a team may create; items may name ten times as many. */
  maxProjects?: number;
  /** Wraps each catch-up of a team, which returns how many positions of the feeds it processed. */
  watch?: (teamId: string, work: () => Promise<number>) => Promise<number>;
}

/** Another process wrote tasks in the meantime, so the plan rests on rows that are no longer the newest. */
class Overtaken extends Error {}

/**
 * Follows the feeds of items and decisions and makes tasks and named projects of them. Safe in any number of processes:
 * tasks are written only at the positions right after the head that the stored progress names, so a plan made of old
 * state cannot be written after a newer one. A process that dies between writing rows and progress leaves progress that
 * does not fit the head. Then everything is processed again, which changes no row that is right and keeps every task_id.
 */
export function createProjection(dependencies: ProjectionDependencies): Projection {
  const { watch = (_teamId, work) => work() } = dependencies;
  const { startingProgress, followItems, followDecisions, eraseTasks } = followFeeds(dependencies);
  /** Texts whose removed tasks somebody waits to be forgotten, by team. */
  const toForget = new Map<string, readonly TextName[]>();

  async function follow(teamId: string): Promise<number> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      try {
        const start = await startingProgress(teamId);
        const progress = { ...start };
        await followItems(teamId, progress);
        await followDecisions(teamId, progress);
        for (const text of toForget.get(teamId) ?? []) await eraseTasks(teamId, progress, text, 'removed');
        return progress.itemsSeq - start.itemsSeq + progress.decisionsSeq - start.decisionsSeq;
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
    // `watch` has seen the error, and the next reader gets it.
    runs.run(teamId).catch(() => undefined);
  }

  return {
    catchUp: runs.run,
    async forgetRemovedTasks(teamId, texts) {
      // A run that goes on for another caller is done with what it has, and this one begins after it.
      toForget.set(teamId, [...(toForget.get(teamId) ?? []), ...texts]);
      try {
        await runs.run(teamId);
      } finally {
        const others = (toForget.get(teamId) ?? []).filter((text) => !texts.includes(text));
        if (others.length === 0) toForget.delete(teamId);
        else toForget.set(teamId, others);
      }
    },
    nudge(teamId) {
      if (!nudges.has(teamId)) nudges.set(teamId, setTimeout(runNudged, nudgeDelayMs, teamId));
    },
    async close() {
      for (const timer of nudges.values()) clearTimeout(timer);
      await runs.settled();
    },
  };
}

/** The steps of a catch-up, each of which begins and ends with what the stores have. */
function followFeeds(dependencies: ProjectionDependencies) {
  const { items, decisions, tasks, projects, progress: store, skipped, clock } = dependencies;
  const planner = createTaskPlanner(dependencies);
  const named = createNamedProjects(dependencies);

  async function startingProgress(teamId: string): Promise<Progress> {
    for (let look = 0; look < maxLooks; look += 1) {
      if (look > 0) await delay(lookPauseMs);
      const progress = await store.progress(teamId);
      const head = await tasks.head(teamId);
      if (progress.tasksSeq !== head.seq) continue;
      return progress.taskForm < taskForm ? { ...progress, decisionsSeq: 0, taskForm } : progress;
    }
    const head = await tasks.head(teamId);
    return { tasksSeq: head.seq, itemsSeq: 0, decisionsSeq: 0, taskForm };
  }

  /** Appends changes after the head and stores progress after each append, for processes that wait for it. */
  async function append(teamId: string, progress: Progress, planned: PlannedChange[]): Promise<void> {
    for (let start = 0; start < planned.length; start += maxAppendRows) {
      const head = await tasks.head(teamId);
      if (head.seq !== progress.tasksSeq) throw new Overtaken();
      const newestExternalMs = await tasks.newestAtMs(teamId, 'external');
      const positions = positionsAfter({ ...head, newestExternalMs }, clock);
      const changes = planned
        .slice(start, start + maxAppendRows)
        .map(({ previous, rowAt }) => ({ row: charged(positions.take(rowAt(positions.next()))), previous }));
      const written = await tasks.append(teamId, changes, 0);
      if (written < changes.length) throw new Overtaken();
      progress.tasksSeq += written;
      await store.keep(teamId, progress);
    }
  }

  /**
   * Makes the tasks of a page of texts, and ends the erasure of those that were erased. Progress stays before the first of
   * these until its end, so a process that dies begins there again.
   */
  async function followTexts(
    teamId: string,
    progress: Progress,
    feed: FeedStore,
    page: {
      sources: readonly SourceText[];
      known: ReadonlyMap<string, SkippedText>;
      position: 'itemsSeq' | 'decisionsSeq';
    },
  ): Promise<void> {
    const { sources, known, position } = page;
    const turn = eventLoopTurns();
    const erased: FeedRow[] = [];
    for (const source of sources) {
      await append(teamId, progress, await planner.plan(teamId, source, known.get(source.id)));
      if (source.erased !== undefined) {
        await eraseTasks(teamId, progress, source, 'all');
        erased.push(source.erased);
      }
      if (erased.length === 0) progress[position] = source.seq;
      await turn();
    }
    if (erased.length > 0) await feed.scrub(teamId, erased);
    progress[position] = sources.at(-1)?.seq ?? progress[position];
    await store.keep(teamId, progress);
  }

  async function eraseTasks(teamId: string, progress: Progress, text: TextName, which: 'all' | 'removed') {
    for (;;) {
      const planned = await planner.planErasure(teamId, text, which);
      if (planned.length === 0) return;
      await append(teamId, progress, planned);
    }
  }

  async function followItems(teamId: string, progress: Progress): Promise<void> {
    const turn = eventLoopTurns();
    for (;;) {
      const rows = await items.readFrom(teamId, progress.itemsSeq, pageRange);
      if (rows.length === 0) return;
      const rowKeys = rows.map(({ rowKey }) => rowKey);
      const known = await skipped.find(teamId, 'item', rowKeys);
      const sources: SourceText[] = [];
      const naming: NamingItem[] = [];
      for (const row of rows) {
        const { source, slugs } = readItem(row);
        sources.push(source);
        const { rowKey, seq, tier, revision } = row;
        if (slugs.length > 0 || revision > 1) naming.push({ rowKey, seq, tier, slugs });
        await turn();
      }
      if (naming.length > 0) {
        const isChanged = await projects.setNamed(teamId, await named.admitted(teamId, naming));
        if (isChanged) await store.raiseProjectsVersion(teamId);
      }
      await followTexts(teamId, progress, items, { sources, known, position: 'itemsSeq' });
    }
  }

  async function followDecisions(teamId: string, progress: Progress): Promise<void> {
    for (;;) {
      const rows = await decisions.readFrom(teamId, progress.decisionsSeq, pageRange);
      if (rows.length === 0) return;
      const ids = rows.map(({ rowKey }) => rowKey);
      const known = await skipped.find(teamId, 'decision', ids);
      const sources = rows.map(readDecision);
      await followTexts(teamId, progress, decisions, { sources, known, position: 'decisionsSeq' });
    }
  }

  return { startingProgress, followItems, followDecisions, eraseTasks };
}

/** Returns a task's row with its charge, counted by who may see it. */
function charged(row: FeedRow): FeedRow {
  return { ...row, charge: { owner: row.tier, bytes: row.json.length, keptBytes: 0 } };
}
