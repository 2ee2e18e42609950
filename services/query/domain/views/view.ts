import type { IndexedPassage } from '../passages/passage.ts';
import type { Candidate } from '../ranking/scored-passage.ts';
import type { Nearest } from '../ranking/vectors.ts';
import type { Row, RowKind } from '../rows/row.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import type { ViewStatistics, Vocabulary } from '../words/vocabulary.ts';

/** How much of what a view has can be searched. */
export interface Coverage {
  passages: number;
  /** Those that are not indexed, and rows that are not kept, for want of room. */
  missing: number;
}

/**
 * What holders of keys of one tier see of a team, as an index keeps it, at one moment. It has passages, frequencies,
 * lengths and words of what they may see and of nothing else, so that nothing that it answers can hint at the rest.
 */
export interface View extends Vocabulary {
  statistics(): ViewStatistics;
  /** Other words for the same, of any memory; read when first asked for. */
  thesaurus(): Thesaurus;
  /**
   * The passages that match these terms best by BM25, in no order: `limit` at most. Of terms that so many passages have
   * that scoring them would take long, the most frequent are left out; a single one is looked for in the newest passages.
   */
  candidates(terms: readonly string[], limit: number): readonly Candidate[];
  /** The passage of a slot. */
  candidateAt(slot: number): Candidate | undefined;
  passageAt(slot: number): IndexedPassage;
  /** Another passage of the item of a slot; undefined where it has none of this ordinal. */
  passageBeside(slot: number, ordinal: number): IndexedPassage | undefined;
  /** What lies nearest to a vector; undefined where vectors tell nothing. */
  nearest(vector: Float32Array, limit: number): Nearest | undefined;
  /** Tasks, decisions or projects, in no order, each read when it is asked for. */
  rows(kind: RowKind): Iterable<Row>;
  coverage(): Coverage;
}
