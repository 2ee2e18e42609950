import { AppError } from '@teammemory/errors/app-error.ts';
import { decisionIdOf } from '../passages/passage.ts';
import { passagesFromJson } from '../passages/passage-store.ts';
import { cuttingItems } from '../passages/projection.ts';
import { type FeedPositions, isUpTo, noPositions } from '../rows/row-feed.ts';
import { createMemoryBudget, OutOfMemoryBudget } from '../storage/memory-budget.ts';
import { findInView } from './find-in-view.ts';
import type { IndexFile, IndexFiles } from './index-host.ts';
import {
  type IndexChanges,
  type IndexedItem,
  type IndexFigures,
  type IndexHost,
  noFigures,
  type UnembeddedPassage,
} from './index-host.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';
import { createTurns, type Job, oneStep } from './turns.ts';

/** Above this share of the memory, indexes are made only for questions, because existing indexes grow. */
const fillUpTo = 0.75;
/** Teams that are remembered to have found no room; forgetting them costs an attempt each. */
const maxTeamsWithoutRoom = 10_000;
/** Smaller indexes are built anew as fast as they are read. */
const minBytesForFile = 2 ** 20;
/** Between two files of an index that goes on changing; what changed meanwhile is taken over from rows. */
const saveIntervalMs = 10 * 60_000;
/** An index takes a little more than its file: what is made again as it is read. */
const roomForFile = 1.2;
/** For the files of a process that ends; what supervisors wait for is ten seconds and more. */
const closeTimeoutMs = 4_000;

interface Entry {
  index: TeamIndex;
  /** Every row up to here has been taken over. */
  positions: FeedPositions;
  /** Whether it has received every row at least once. Before that, it would deny what the team knows. */
  isComplete: boolean;
  /** Number of the last question about the team, counted over all teams; 0 if there was none. */
  lastUse: number;
  /** Whether its file, if any, is up to date. */
  isSaved: boolean;
  savedMs: number;
  unembedded: number;
  missing: number;
}

/** Keeps indexes in this thread, with figures of what they take. */
export interface LocalIndexHost extends IndexHost {
  figures(): IndexFigures;
}

/**
 * Makes a host whose indexes take `maxBytes` at most. For want of memory it
 * drops the index of the team not asked about for longest, after it wrote its file.
 * With `embeds` items wait for vectors; `onTurn` is told whose work goes on.
 */
export function createLocalIndexHost(options: {
  maxBytes: number;
  embeds?: boolean;
  files?: IndexFiles | undefined;
  onTurn?: (teamId: string | undefined) => void;
}): LocalIndexHost {
  const { maxBytes, embeds = false, files } = options;
  const memory = createMemoryBudget(maxBytes);
  const turns = createTurns(options.onTurn);
  const entries = new Map<string, Entry>();
  /** Teams whose job cannot go on before another team's has ended. */
  const waiting = new Set<string>();
  /** Teams whose index found no room while nobody asked for it. */
  const withoutRoom = new Set<string>();
  const figures = { ...noFigures };
  let uses = 0;

  function count(entry: Entry, now: { unembedded: number; missing: number }): void {
    figures.unembedded += now.unembedded - entry.unembedded;
    figures.missing += now.missing - entry.missing;
    Object.assign(entry, now);
  }

  function countAgain(entry: Entry): void {
    const view = entry.index.view('team');
    const unembedded = view.passageCount() - view.vectors.size();
    count(entry, { unembedded, missing: view.coverage().missing });
  }

  function release(teamId: string): void {
    const entry = entries.get(teamId);
    if (entry === undefined) return;
    count(entry, { unembedded: 0, missing: 0 });
    entries.delete(teamId);
    entry.index.release();
  }

  function releaseWithFile(teamId: string): void {
    release(teamId);
    files?.remove(teamId);
  }

  /** Runs a job on a team's index; undefined where it is not in memory. */
  function withEntry<Result>(
    teamId: string,
    work: (entry: Entry) => Job<Result>,
  ): Promise<Result | undefined> {
    return turns.run(
      teamId,
      (function* () {
        const entry = entries.get(teamId);
        return entry && (yield* work(entry));
      })(),
    );
  }

  /** The same for work of one step. */
  function atOnce<Result>(teamId: string, work: (entry: Entry) => Result): Promise<Result | undefined> {
    return withEntry(teamId, (entry) => oneStep(() => work(entry)));
  }

  function* saving(teamId: string, entry: Entry): Job<void> {
    if (files === undefined || entry.isSaved || entry.index.bytes() < minBytesForFile) return;
    entry.savedMs = performance.now();
    try {
      yield* files.saving(teamId, entry);
      entry.isSaved = true;
    } catch {
      // It is made again from rows then, which takes longer and is as good.
      figures.unsaved += 1;
    }
  }

  function* dropping(teamId: string): Job<void> {
    const entry = entries.get(teamId);
    if (entry === undefined) return;
    yield* saving(teamId, entry);
    release(teamId);
    figures.dropped += 1;
  }

  /** Drops the index not asked about for longest, of a team that has nothing to do, or waits for one that can be dropped. */
  function* makeRoom(teamId: string): Job<void> {
    if (entries.get(teamId)?.lastUse === 0) throw new UnaskedFor();
    const [victim] = [...entries]
      .filter(([other]) => turns.isIdle(other))
      .sort(([, left], [, right]) => left.lastUse - right.lastUse);
    if (victim !== undefined) {
      let isDropped = false;
      const drop = turns.run(victim[0], dropping(victim[0])).finally(() => {
        isDropped = true;
      });
      drop.catch(() => undefined);
      while (!isDropped) yield;
      return;
    }
    waiting.add(teamId);
    try {
      if (turns.underWay().difference(waiting).size === 0) throw noMemory();
      yield;
    } finally {
      waiting.delete(teamId);
    }
  }

  function* withRoom<Result>(teamId: string, work: () => Result): Job<Result> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof OutOfMemoryBudget)) throw error;
        yield* makeRoom(teamId);
      }
    }
  }

  function* opening(
    teamId: string,
    { heads, asked }: { heads: FeedPositions; asked: boolean },
  ): Job<Entry | undefined> {
    const known = entries.get(teamId);
    if (known !== undefined) return known;
    if (asked) withoutRoom.delete(teamId);
    else if (withoutRoom.has(teamId) || memory.taken() > fillUpTo * maxBytes) return undefined;
    const file = files?.open(teamId, heads);
    try {
      const bytes = (file?.bytes ?? 0) * roomForFile;
      const isFitting = bytes <= maxBytes;
      if (!asked && memory.taken() + bytes > maxBytes) {
        giveUp(teamId);
        return undefined;
      }
      while (isFitting && memory.taken() + bytes > maxBytes) yield* makeRoom(teamId);
      const read = file && isFitting ? yield* reading(file) : undefined;
      const entry: Entry = {
        index: read ?? (yield* withRoom(teamId, newIndex)),
        positions: (read && file?.positions) ?? noPositions,
        isComplete: read !== undefined && file !== undefined && isUpTo(file.positions, heads),
        isSaved: read !== undefined,
        lastUse: 0,
        savedMs: Number.NEGATIVE_INFINITY,
        unembedded: 0,
        missing: 0,
      };
      entries.set(teamId, entry);
      countAgain(entry);
      return entry;
    } finally {
      file?.close();
    }
  }

  function newIndex(): TeamIndex {
    return createTeamIndex({ memory, embeds });
  }

  /** The index of a file; undefined where that is of no use, or finds no room after all. */
  function* reading(file: IndexFile): Job<TeamIndex | undefined> {
    let index: TeamIndex | undefined;
    try {
      index = newIndex();
      yield* file.reading(index);
      figures.loaded += 1;
      return index;
    } catch {
      index?.release();
      return undefined;
    }
  }

  function* applying(teamId: string, entry: Entry, changes: IndexChanges): Job<void> {
    const { documents = [], rows = [], projects, allProjects } = changes;
    const isNothing = documents.length + rows.length === 0 && !projects && !allProjects;
    entry.isSaved &&= isNothing;
    const { index } = entry;
    try {
      for (const { json, ...row } of documents) {
        const { isErased, ...passages } = passagesFromJson(json);
        yield* untilFits(teamId, index.applying({ ...row, ...passages }));
        if (isErased) files?.remove(teamId);
      }
      for (const row of rows) yield* untilFits(teamId, index.applyingRow(row));
      if (projects !== undefined) yield* untilFits(teamId, index.applyingProjects(projects));
      if (allProjects !== undefined) yield* untilFits(teamId, index.keepingProjects(allProjects));
    } catch (error) {
      // An index with half of a change must not be searched.
      release(teamId);
      throw error;
    }
  }

  /** Does work on an index, and makes room where it finds none. */
  function* untilFits(teamId: string, work: Generator<OutOfMemoryBudget | undefined>): Job<void> {
    for (const shortage of work) {
      if (shortage === undefined) yield;
      else yield* makeRoom(teamId);
    }
  }

  /** Drops an index that nobody asked for, until somebody does. */
  function giveUp(teamId: string): void {
    figures.dropped += 1;
    if (withoutRoom.size >= maxTeamsWithoutRoom) withoutRoom.clear();
    withoutRoom.add(teamId);
  }

  return {
    cut: (teamId, items) => turns.run(teamId, cuttingItems(items)),
    async open(teamId, request) {
      const entry = await turns.run(teamId, opening(teamId, request));
      if (entry !== undefined && request.asked) {
        uses += 1;
        entry.lastUse = uses;
      }
      return entry && { positions: entry.positions };
    },
    async apply(teamId, changes) {
      if (changes.erases)
        await turns.run(
          teamId,
          oneStep(() => files?.remove(teamId)),
        );
      const isApplied = await withEntry(teamId, function* (entry) {
        try {
          yield* applying(teamId, entry, changes);
        } catch (error) {
          if (!(error instanceof UnaskedFor)) throw error;
          giveUp(teamId);
          return false;
        }
        entry.positions = changes.positions ?? entry.positions;
        entry.isComplete ||= changes.positions !== undefined;
        countAgain(entry);
        if (!entry.index.hasRoomAgain()) return true;
        releaseWithFile(teamId);
        return false;
      });
      return isApplied ?? false;
    },
    async forget(teamId) {
      await turns.run(
        teamId,
        oneStep(() => releaseWithFile(teamId)),
      );
    },
    search: (teamId, request) =>
      withEntry(teamId, function* (entry) {
        if (!entry.isComplete) return undefined;
        uses += 1;
        entry.lastUse = uses;
        const view = yield* withRoom(teamId, () => entry.index.view(request.tier));
        return yield* findInView(view, request);
      }),
    async vectors(teamId, tier) {
      return entries.get(teamId)?.index.vectorCount(tier) ?? 0;
    },
    async coverage(teamId) {
      const entry = entries.get(teamId);
      if (entry?.isComplete !== true) return undefined;
      return { views: entry.index.coverage(), bytes: entry.index.bytes() };
    },
    indexedItems: (teamId, { tier, rowKeys }) =>
      withEntry(teamId, function* (entry) {
        if (!entry.isComplete) return undefined;
        const view = yield* withRoom(teamId, () => entry.index.view(tier));
        const items = new Map<string, IndexedItem>();
        for (const rowKey of rowKeys) {
          const indexed = view.indexedItem(rowKey);
          if (indexed.passages > 0) items.set(rowKey, indexed);
          yield;
        }
        return { items, upTo: entry.positions.items };
      }),
    takeEmbeddingWork: (teamId, max) =>
      withEntry(teamId, function* ({ index }) {
        const rowKeys: string[] = [];
        const passages: UnembeddedPassage[] = [];
        const writers = new Map<string, string>();
        const { items, vectors, passagesOf, rowTable } = index.view('team');
        while (rowKeys.length < max.items && passages.length < max.passages) {
          const rowKey = index.takeFromBacklog();
          if (rowKey === undefined) break;
          rowKeys.push(rowKey);
          const decisionId = decisionIdOf(rowKey);
          const writerId = decisionId && rowTable.find('decision', decisionId)?.writerId;
          if (writerId) writers.set(rowKey, writerId);
          const item = items.find(rowKey);
          if (item >= 0)
            for (const { passage } of passagesOf(item)) passages.push({ ...passage, seq: items.seqOf(item) });
          yield;
        }
        return { rowKeys, passages, writers, dimension: vectors.dimension() };
      }),
    async addToBacklog(teamId, rowKeys) {
      await atOnce(teamId, ({ index }) => index.addToBacklog(rowKeys));
    },
    async refillBacklog(teamId) {
      await withEntry(teamId, ({ index }) => index.refillingBacklog());
    },
    async embed(teamId, vectors) {
      await withEntry(teamId, function* (entry) {
        entry.isSaved = false;
        for (const { place, vector } of vectors) {
          entry.index.embed(place, vector);
          yield;
        }
        countAgain(entry);
      });
    },
    async forgetVectors(teamId, dimension) {
      await atOnce(teamId, (entry) => {
        const present = entry.index.view('team').vectors.dimension();
        if (present === 0 || present === dimension) return;
        entry.isSaved = false;
        entry.index.forgetVectors();
        countAgain(entry);
      });
    },
    async save() {
      for (const [teamId, { savedMs }] of entries)
        if (performance.now() - savedMs > saveIntervalMs)
          await withEntry(teamId, (entry) => saving(teamId, entry));
    },
    async close() {
      const deadline = performance.now() + closeTimeoutMs;
      const lastUsedFirst = [...entries].sort(([, left], [, right]) => right.lastUse - left.lastUse);
      for (const [teamId] of lastUsedFirst) {
        if (performance.now() > deadline) break;
        await withEntry(teamId, (entry) => saving(teamId, entry));
      }
    },
    figures: () => ({ ...figures, teams: entries.size, bytes: memory.taken() }),
  };
}

/** Thrown where an index that nobody asked for would need room that others have. */
class UnaskedFor extends Error {}

function noMemory(): AppError {
  return new AppError(
    'unavailable',
    'There is no memory for the index of this team at the moment; ask again.',
  );
}
