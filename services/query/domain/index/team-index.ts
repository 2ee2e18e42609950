import type { IndexedPassage, ItemPassages, Passage, Tier } from '../passages/passage.ts';
import type { AnalyzedPassage } from '../ranking/bm25-index.ts';
import { analyze } from '../text/analyzer.ts';
import { createEmbeddingBacklog, type EmbeddingBacklog } from '../vectors/embedding-backlog.ts';
import { createViewIndex, type ViewIndex } from './view-index.ts';

/** Measured on English prose and on words of 64 letters: the number of a term in its passage, and its posting. */
const bytesPerTerm = 12;
/** Its list of postings, its places in the maps. */
const bytesPerWord = 400;
/** The word itself, and its runs of four characters: about one for each. */
const bytesPerCharacter = 40;
/** Objects, strings' headers and slots of one passage in one view. */
const bytesPerPassage = 500;
/** Two views with nothing in them take 19 KB, and as they begin to fill a little more than is counted above. */
const bytesPerTeam = 25_000;

/** The passages of one team, in memory, as its two views. */
export interface TeamIndex {
  /** Takes over an item's present passages in place of those it had; nothing happens for a state that is known. */
  apply(item: ItemPassages): void;
  /**
   * The same in steps of one passage each, for an item of 1 MiB can take seconds. Between them views may show
   * passages of both states; left early it goes back to the former one, or ends at once where the present one is in.
   */
  applying(item: ItemPassages): Generator<void>;
  /** What holders of a key of this tier may see. */
  view(tier: Tier): ViewIndex;
  /** Items, those that are gone included, whose vectors are not known to fit their present state. */
  embeddingBacklog: EmbeddingBacklog;
  /** The present passages of an item; none for one that is gone. */
  passagesOf(rowKey: string): IndexedPassage[];
  /** Gives a passage its vector, in every view that has it; nothing happens where it is gone. Errors as of `VectorIndex.set`. */
  embed(passage: IndexedPassage, vector: Float32Array): void;
  /** Numbers of a vector; 0 while there is none. */
  dimension(): number;
  /** Forgets all vectors; every item is to be looked after anew. */
  forgetVectors(): void;
  /** Passages that have no vector. */
  unembeddedPassages(): number;
  /** Estimate of the memory in use. */
  bytes(): number;
}

interface IndexedItem {
  seq: number;
  bytes: number;
  passages: IndexedEntry[];
}

/** A passage and where it stands in the views that have it. */
interface IndexedEntry {
  passage: IndexedPassage;
  places: readonly { view: ViewIndex; slot: number }[];
}

/** Makes the index of a team without items. */
export function createTeamIndex(): TeamIndex {
  const views: Record<Tier, ViewIndex> = { team: createViewIndex(), external: createViewIndex() };
  const items = new Map<string, IndexedItem>();
  const embeddingBacklog = createEmbeddingBacklog();
  let bytes = 0;
  let passageCount = 0;

  function* applying(item: ItemPassages): Generator<void> {
    const { rowKey, seq, tier } = item;
    if ((items.get(rowKey)?.seq ?? 0) >= seq) return;
    const seeing = tier === 'external' ? [views.team, views.external] : [views.team];
    const present: IndexedItem = { seq, bytes: 0, passages: [] };
    let leaving = present;
    try {
      for (const passage of item.passages) {
        const analyzed = analyzedPassage(item, passage);
        const places = seeing.map((view) => ({ view, slot: view.add(analyzed) }));
        present.passages.push({ passage: analyzed.passage, places });
        present.bytes += estimatedBytes(analyzed, seeing.length);
        passageCount += 1;
        yield;
      }
      leaving = exchanged(item, present);
      while (takeOutOne(leaving)) yield;
    } finally {
      while (takeOutOne(leaving));
    }
  }

  /** Takes a passage of an item out of the views; false where none is left. */
  function takeOutOne({ passages }: IndexedItem): boolean {
    const entry = passages.pop();
    if (entry === undefined) return false;
    for (const { view, slot } of entry.places) view.remove(slot);
    passageCount -= 1;
    return true;
  }

  /** Puts an item that the views have already in the place of its former state, and answers that. */
  function exchanged({ rowKey }: ItemPassages, present: IndexedItem): IndexedItem {
    const former = items.get(rowKey) ?? { seq: 0, bytes: 0, passages: [] };
    if (present.passages.length > 0) items.set(rowKey, present);
    else items.delete(rowKey);
    bytes += present.bytes - former.bytes;
    embeddingBacklog.add(rowKey);
    return former;
  }

  return {
    apply(item) {
      for (const _ of applying(item));
    },
    applying,
    view: (tier) => views[tier],
    embeddingBacklog,
    passagesOf: (rowKey) => items.get(rowKey)?.passages.map(({ passage }) => passage) ?? [],
    embed(passage, vector) {
      const entry = items.get(passage.rowKey)?.passages.find((other) => other.passage === passage);
      for (const { view, slot } of entry?.places ?? []) view.vectors.set(slot, vector);
    },
    dimension: views.team.vectors.dimension,
    forgetVectors() {
      for (const { vectors } of Object.values(views)) vectors.clear();
      for (const rowKey of items.keys()) embeddingBacklog.add(rowKey);
    },
    unembeddedPassages: () => passageCount - views.team.vectors.size(),
    bytes: () =>
      Object.values(views).reduce(
        (sum, view) => sum + vocabularyBytes(view) + view.vectors.bytes(),
        bytesPerTeam + bytes,
      ),
  };
}

function vocabularyBytes({ vocabularySize, vocabularyLength }: ViewIndex): number {
  return bytesPerWord * vocabularySize() + bytesPerCharacter * vocabularyLength();
}

function analyzedPassage({ rowKey, title, tier }: ItemPassages, passage: Passage): AnalyzedPassage {
  const { ordinal, headings, text } = passage;
  // Documents often open with their title as a heading: it is not to count twice.
  const head = [title, ...headings.filter((heading) => heading !== title)].flatMap(analyze);
  return { passage: { rowKey, title, tier, ordinal, headings, text }, head, body: analyze(text) };
}

function estimatedBytes({ passage, head, body }: AnalyzedPassage, views: number): number {
  const terms = (head.length + body.length) * bytesPerTerm;
  return 2 * passage.text.length + views * (terms + bytesPerPassage);
}
