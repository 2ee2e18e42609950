import { analyze } from './analyzer.ts';
import type { AnalyzedPassage } from './bm25-index.ts';
import type { ItemPassages, Passage, Tier } from './passage.ts';
import { createViewIndex, type ViewIndex } from './view-index.ts';

/** Measured on English prose: the number of a term in its passage, and its posting. */
const bytesPerTerm = 12;
/** The word itself, its list of postings, its places in the maps. */
const bytesPerWord = 450;
/** Objects, strings' headers and slots of one passage in one view. */
const bytesPerPassage = 500;

/** The passages of one team, in memory, as its two views. */
export interface TeamIndex {
  /** Takes over an item's present passages in place of those it had; nothing happens for a state that is known. */
  apply(item: ItemPassages): void;
  /** What holders of a key of this tier may see. */
  view(tier: Tier): ViewIndex;
  /** Estimate of the memory in use. */
  bytes(): number;
}

interface IndexedItem {
  seq: number;
  bytes: number;
  entries: readonly { view: ViewIndex; slot: number }[];
}

/** Makes the index of a team without items. */
export function createTeamIndex(): TeamIndex {
  const views: Record<Tier, ViewIndex> = { team: createViewIndex(), external: createViewIndex() };
  const items = new Map<string, IndexedItem>();
  let bytes = 0;

  function drop(rowKey: string): void {
    const item = items.get(rowKey);
    for (const { view, slot } of item?.entries ?? []) view.remove(slot);
    bytes -= item?.bytes ?? 0;
    items.delete(rowKey);
  }

  return {
    apply(item) {
      if ((items.get(item.rowKey)?.seq ?? 0) >= item.seq) return;
      drop(item.rowKey);
      if (item.passages.length === 0) return;
      const seeing = item.tier === 'external' ? [views.team, views.external] : [views.team];
      const analyzed = item.passages.map((passage) => analyzedPassage(item, passage));
      const entries = seeing.flatMap((view) =>
        analyzed.map((passage) => ({ view, slot: view.add(passage) })),
      );
      const itemBytes = analyzed.reduce((sum, passage) => sum + estimatedBytes(passage, seeing.length), 0);
      items.set(item.rowKey, { seq: item.seq, bytes: itemBytes, entries });
      bytes += itemBytes;
    },
    view: (tier) => views[tier],
    bytes: () => bytes + bytesPerWord * (views.team.vocabularySize() + views.external.vocabularySize()),
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
