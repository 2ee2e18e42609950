/**
 * Why a text has no tasks, or not all that it could have: reading it takes more
 * than its budget, it has more entries than are made, or entries below too many
 * lists, or more characters than are searched.
 */
export const skipReasons = ['too_complex', 'too_many', 'too_deep', 'too_long'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** An item, or the body of a decision, that is not read for tasks, or not to its end. */
export interface SkippedText {
  kind: 'item' | 'decision';
  /** row_key or decision_id. */
  id: string;
  /** Position of the version in the feed of its list: a later version is another text. */
  seq: number;
  reason: SkipReason;
  /** Milliseconds since the epoch. */
  noticedAtMs: number;
}

/** Which text. */
export type TextName = Pick<SkippedText, 'kind' | 'id'>;

/**
 * Keeps which texts were skipped, one row a text, so that a text that takes too
 * long is tried once, and administrators are told. Every method throws AppError
 * `unavailable` when the database cannot be reached in time.
 */
export interface SkippedTextStore {
  /** Those of some texts of one kind that are known as skipped, by id. At most 200 ids. */
  find(teamId: string, kind: TextName['kind'], ids: readonly string[]): Promise<Map<string, SkippedText>>;
  /** Keeps what is known of a text, unless a later version is known. */
  keep(teamId: string, text: SkippedText): Promise<void>;
  /** Forgets a text whose version at a position was read in full, or is gone; a later version stays known. */
  forget(teamId: string, text: TextName & { seq: number }): Promise<void>;
  /** The team's skipped texts after one, by kind and id; undefined begins with the first. */
  list(teamId: string, after: TextName | undefined, limit: number): Promise<SkippedText[]>;
}
