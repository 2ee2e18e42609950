import { analyze } from './analyzer.ts';
import type { AnalyzedPassage, IndexedPassage } from './bm25-index.ts';
import { createEmbeddingBacklog, type EmbeddingBacklog } from './embedding-backlog.ts';
import type { ItemPassages, Passage, Tier } from './passage.ts';
import { createViewIndex, type ViewIndex } from './view-index.ts';

/** Measured on English prose: the number of a term in its passage, and its posting. */
const bytesPerTerm = 12;
/** The word itself, its list of postings, its places in the maps, its runs of four characters. */
const bytesPerWord = 600;
/** Objects, strings' headers and slots of one passage in one view. */
const bytesPerPassage = 500;

/** The passages of one team, in memory, as its two views. */
export interface TeamIndex {
  /** Takes over an item's present passages in place of those it had; nothing happens for a state that is known. */
  apply(item: ItemPassages): void;
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
  passages: readonly IndexedEntry[];
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

  function drop(rowKey: string): void {
    const item = items.get(rowKey);
    for (const { view, slot } of item?.passages.flatMap(({ places }) => places) ?? []) view.remove(slot);
    passageCount -= item?.passages.length ?? 0;
    bytes -= item?.bytes ?? 0;
    items.delete(rowKey);
  }

  return {
    apply(item) {
      if ((items.get(item.rowKey)?.seq ?? 0) >= item.seq) return;
      drop(item.rowKey);
      embeddingBacklog.add(item.rowKey);
      if (item.passages.length === 0) return;
      const seeing = item.tier === 'external' ? [views.team, views.external] : [views.team];
      const analyzed = item.passages.map((passage) => analyzedPassage(item, passage));
      const passages = analyzed.map((passage) => ({
        passage: passage.passage,
        places: seeing.map((view) => ({ view, slot: view.add(passage) })),
      }));
      const itemBytes = analyzed.reduce((sum, passage) => sum + estimatedBytes(passage, seeing.length), 0);
      items.set(item.rowKey, { seq: item.seq, bytes: itemBytes, passages });
      passageCount += passages.length;
      bytes += itemBytes;
    },
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
        (sum, view) => sum + bytesPerWord * view.vocabularySize() + view.vectors.bytes(),
        bytes,
      ),
  };
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
