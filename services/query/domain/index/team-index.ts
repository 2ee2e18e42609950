import type { ItemPassages, Tier } from '../passages/passage.ts';
import { documentKey } from '../passages/passage.ts';
import { analyzePassage, textsOfItem } from '../ranking/analyzed-passage.ts';
import { type KeptRow, projectDocument, projectRow, type RowChange } from '../rows/row.ts';
import type { FeedProject } from '../rows/row-feed.ts';
import { createMemoryBudget, type MemoryBudget, OutOfMemoryBudget } from '../storage/memory-budget.ts';
import { type Coverage, createViewIndex, type ViewIndex, type ViewState } from '../views/view-index.ts';

/**
 * What one team's index may take of the memory of all, in its two views: half, and a quarter. The last quarter is left
 * to others, so that nobody's pushes keep every other team out. Each view has a limit of its own: whether an
 * external item finds room must not depend on what external keys do not see.
 */
const partOfView: Record<Tier, number> = { team: 1 / 2, external: 1 / 4 };
/** An arena tells no more blocks apart. */
const maxViewBytes = 2 ** 34;
/** JavaScript objects of a view, as measured by the tests; all else is in arrays that are counted. */
const bytesPerView = 28_000;

/** The passages of one team, in memory, as its two views. */
export interface TeamIndex {
  /**
   * Takes over an item's present passages in place of those it had, in steps of a passage each; nothing happens for a
   * state that is known. Between steps, and after an error, the index fits no state and must not be searched. Yields
   * what is missing where the memory that all indexes share is used up, to go on when there is room.
   */
  applying(item: ItemPassages): Generator<OutOfMemoryBudget | undefined>;
  /** Keeps a task or decision in place of what was kept of it, or forgets it; as `applying`. */
  applyingRow(change: RowChange): Generator<OutOfMemoryBudget | undefined>;
  /** Takes over projects in place of what was known of them; as `applying`. */
  applyingProjects(page: ProjectPage): Generator<OutOfMemoryBudget | undefined>;
  /** Forgets all projects but these; as `applying`. */
  keepingProjects(all: ProjectSlugs): Generator<OutOfMemoryBudget | undefined>;
  /** The same as `applying` at once; throws OutOfMemoryBudget. */
  apply(item: ItemPassages): void;
  /** What holders of a key of this tier may see. Throws OutOfMemoryBudget where there is no room for an empty view. */
  view(tier: Tier): ViewIndex;
  /** Passages of a view that have a vector. */
  vectorCount(tier: Tier): number;
  /** Items, those that are gone included, whose vectors are not known to fit their present state. */
  backlogSize(): number;
  /** Takes a random item out of the backlog; undefined if it is empty. */
  takeFromBacklog(): string | undefined;
  /** Puts items back. */
  addToBacklog(rowKeys: readonly string[]): void;
  /** Puts back every item of which a passage has no vector, in steps of an item each. */
  refillingBacklog(): Generator<void>;
  /**
   * Sets the vector of a passage of this state of an item, in every view that has the passage. Does nothing if the
   * passage is gone or there is no room. Errors as of `VectorIndex.set`.
   */
  embed(place: { rowKey: string; seq: number; ordinal: number }, vector: Float32Array): void;
  /** Forgets all vectors; every item is to be looked after anew. */
  forgetVectors(): void;
  /** Whether so much was removed since something found no room that the index is worth building anew. */
  hasRoomAgain(): boolean;
  /** How much of each view can be searched. */
  coverage(): Record<Tier, Coverage>;
  /** Memory in use. */
  bytes(): number;
  /** Returns the content of the index, to be written before it changes. */
  snapshot(): { state: TeamIndexState; parts: Uint8Array[] };
  /** Makes room in an empty index for what a snapshot has; returns the parts, to be filled before `restored`. Throws OutOfMemoryBudget. */
  prepare(state: TeamIndexState): Uint8Array[];
  /** Ends what `prepare` began. */
  restored(state: TeamIndexState): void;
  /** Frees the memory at once. Nothing may be used any more. */
  release(): void;
}

/** Some projects of a team, as of a version of their list. */
export interface ProjectPage {
  version: number;
  projects: readonly FeedProject[];
}

/** All projects of a team by their slugs. */
export interface ProjectSlugs {
  version: number;
  slugs: readonly string[];
}

/** The state of an index except its arrays. */
export interface TeamIndexState {
  views: { tier: Tier; state: ViewState }[];
}

/** Without a bound, for tests and tools. */
const unbounded = () => createMemoryBudget(Number.MAX_SAFE_INTEGER);

/**
 * Makes the index of a team without items. Its memory is taken from `memory`,
 * which all indexes share. With `embeds` it remembers which items need vectors.
 * @throws OutOfMemoryBudget where there is no room for an empty one.
 */
export function createTeamIndex({
  memory = unbounded(),
  embeds = false,
}: {
  memory?: MemoryBudget;
  embeds?: boolean;
} = {}): TeamIndex {
  /** That of external keys is made when it is first needed: many teams have none. */
  const views = new Map<Tier, ViewIndex>();
  const { items } = view('team');
  let backlogSize = 0;

  function view(tier: Tier): ViewIndex {
    const known = views.get(tier);
    if (known !== undefined) return known;
    memory.take(bytesPerView);
    const budget = createMemoryBudget(Math.min(maxViewBytes, partOfView[tier] * memory.maxBytes), memory);
    const made = createViewIndex(budget);
    views.set(tier, made);
    return made;
  }

  function* applying(item: ItemPassages): Generator<OutOfMemoryBudget | undefined> {
    const known = items.find(item.rowKey);
    if (known >= 0 && items.seqOf(known) >= item.seq) return;
    if (known >= 0) setBacklog(known, false);
    for (const view of views.values()) {
      const present = view.items.find(item.rowKey);
      if (present >= 0) for (const _ of view.removing(present)) yield;
    }
    const isGone = item.passages.length === 0;
    if (isGone && !embeds) return;
    const seeing: Tier[] = item.tier === 'external' && !isGone ? ['team', 'external'] : ['team'];
    const entries: { view: ViewIndex; number: number }[] = [];
    const texts = textsOfItem(item);
    for (const tier of seeing) {
      const seen = yield* withRoom(() => view(tier));
      entries.push({ view: seen, number: yield* withRoom(() => seen.addItem(item, texts.language)) });
    }
    const added = items.find(item.rowKey);
    if (added >= 0) setBacklog(added, embeds);
    for (const passage of item.passages) {
      for (const { view, number } of entries)
        if (number >= 0)
          yield* withRoom(() => view.addPassage(number, passage, analyzePassage(texts, passage)));
      yield;
    }
  }

  function* applyingRow(change: RowChange): Generator<OutOfMemoryBudget | undefined> {
    for (const { rowTable } of views.values()) rowTable.remove(change.kind, change.id);
    if (!('isGone' in change)) yield* addingRow(change);
  }

  function* addingRow(row: KeptRow): Generator<OutOfMemoryBudget | undefined> {
    const seeing: Tier[] = row.tier === 'external' ? ['team', 'external'] : ['team'];
    for (const tier of seeing) {
      const seen = yield* withRoom(() => view(tier));
      yield* withRoom(() => seen.addRow(row));
    }
    yield;
  }

  function* applyingProjects({ version, projects }: ProjectPage): Generator<OutOfMemoryBudget | undefined> {
    for (const project of projects) {
      const known = items.find(documentKey('project', project.slug));
      if (known >= 0 && items.titleOf(known) === project.name) continue;
      yield* applying(projectDocument(project, version));
      yield* applyingRow(projectRow(project));
    }
  }

  function* keepingProjects({ version, slugs }: ProjectSlugs): Generator<OutOfMemoryBudget | undefined> {
    const kept = new Set(slugs);
    for (let item = 0; item < items.end(); item += 1) {
      if (items.kindOf(item) !== 'project') continue;
      const { project: slug } = items.fieldsOf(item);
      yield;
      if (kept.has(slug)) continue;
      yield* applyingRow({ kind: 'project', id: slug, isGone: true });
      yield* applying(projectDocument({ slug }, version));
    }
  }

  function setBacklog(item: number, waits: boolean): void {
    if (items.inBacklog(item) === waits) return;
    items.setBacklog(item, waits);
    backlogSize += waits ? 1 : -1;
  }

  return {
    applying,
    applyingRow,
    applyingProjects,
    keepingProjects,
    apply(item) {
      for (const shortage of applying(item)) if (shortage !== undefined) throw shortage;
    },
    view,
    vectorCount: (tier) => views.get(tier)?.vectors.size() ?? 0,
    backlogSize: () => backlogSize,
    takeFromBacklog() {
      if (backlogSize === 0) return undefined;
      // At random, so that processes that work on the same team at once find each other's vectors stored.
      let item = Math.floor(Math.random() * items.end());
      while (!items.inBacklog(item)) item = (item + 1) % items.end();
      setBacklog(item, false);
      const rowKey = items.rowKeyOf(item);
      // An item without passages was kept only for the backlog.
      if (isRecordOnly(view('team'), item)) items.remove(item);
      return rowKey;
    },
    addToBacklog(rowKeys) {
      for (const rowKey of rowKeys) {
        const item = items.find(rowKey);
        if (item >= 0) setBacklog(item, true);
      }
    },
    *refillingBacklog() {
      for (let item = 0; item < items.end(); item += 1) {
        if (embeds && view('team').lacksVectors(item)) setBacklog(item, true);
        yield;
      }
    },
    embed({ rowKey, seq, ordinal }, vector) {
      for (const view of views.values()) {
        const item = view.items.find(rowKey);
        if (item < 0 || view.items.seqOf(item) !== seq) continue;
        const slot = view.slotOf(item, ordinal);
        if (slot !== undefined) embedInto(view, slot, vector);
      }
    },
    forgetVectors() {
      for (const { vectors } of views.values()) vectors.clear();
      for (let item = 0; item < items.end(); item += 1)
        if (items.firstSlot(item) !== 0) setBacklog(item, embeds);
    },
    hasRoomAgain: () => views.values().some((each) => each.hasRoomAgain()),
    coverage: () => {
      const nothing = { passages: 0, missing: 0 };
      const of = (tier: Tier) => views.get(tier)?.coverage() ?? nothing;
      return { team: of('team'), external: of('external') };
    },
    bytes: () => views.values().reduce((sum, each) => sum + bytesPerView + each.bytes(), 0),
    snapshot() {
      const snapshots = [...views].map(([tier, each]) => ({ tier, ...each.snapshot() }));
      const state = { views: snapshots.map(({ tier, state: ofView }) => ({ tier, state: ofView })) };
      return { state, parts: snapshots.flatMap(({ parts }) => parts) };
    },
    prepare: (state) => state.views.flatMap(({ tier, state: ofView }) => view(tier).prepare(ofView)),
    restored(state) {
      for (const { tier, state: ofView } of state.views) view(tier).restored(ofView);
      backlogSize = 0;
      for (let item = 0; item < items.end(); item += 1) {
        if (items.inBacklog(item)) backlogSize += 1;
        // Some may have been taken out of the backlog, and not got their vectors before it was written.
        else if (embeds && view('team').lacksVectors(item)) setBacklog(item, true);
      }
    },
    release() {
      for (const each of views.values()) {
        each.release();
        memory.give(bytesPerView);
      }
    },
  };
}

/** Does work that may find no room in the shared memory, and has changed nothing then, until it has found it. */
function* withRoom<Result>(work: () => Result): Generator<OutOfMemoryBudget, Result> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OutOfMemoryBudget)) throw error;
      yield error;
    }
  }
}

function isRecordOnly({ items }: ViewIndex, item: number): boolean {
  return items.firstSlot(item) === 0 && items.missing(item).skipped === 0;
}

function embedInto({ vectors }: ViewIndex, slot: number, vector: Float32Array): void {
  try {
    vectors.set(slot, vector);
  } catch (error) {
    if (!(error instanceof OutOfMemoryBudget)) throw error;
  }
}
