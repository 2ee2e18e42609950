import { AppError } from '@teammemory/errors/app-error.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { pageRows } from '../feed/feed-page.ts';
import type { Projection } from '../feed/progress.ts';

/**
 * Why a text has no tasks, or not all of them: reading it takes more than its budget, it has more entries than are made,
 * entries in too many nested lists, or more characters than are searched.
 */
export const skipReasons = ['too_complex', 'too_many', 'too_deep', 'too_long'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** An item, or the body of a decision, that is not read for tasks, or not to its end. */
export interface SkippedText {
  kind: 'item' | 'decision';
  /** row_key or decision_id. */
  id: string;
  /** Position of the version in its feed; a later version is another text. */
  seq: number;
  reason: SkipReason;
  /** Milliseconds since the epoch. */
  noticedAtMs: number;
}

/** Identifies a text. */
export type TextName = Pick<SkippedText, 'kind' | 'id'>;

/**
 * Stores which texts were skipped, one row a text, so that a text that takes too long is tried only once and
 * administrators can see it. Every method throws AppError `unavailable` when the database cannot be reached in time.
 */
export interface SkippedTextStore {
  /** Returns those of some texts of one kind that are known as skipped, by id. At most 200 ids. */
  find(teamId: string, kind: TextName['kind'], ids: readonly string[]): Promise<Map<string, SkippedText>>;
  /** Stores a skipped text, unless a later version of it is stored. */
  keep(teamId: string, text: SkippedText): Promise<void>;
  /** Removes a text whose version at a position was read in full, or is gone; a later version stays. */
  forget(teamId: string, text: TextName & { seq: number }): Promise<void>;
  /** Returns the team's skipped texts after one, by kind and id; undefined begins with the first. */
  list(teamId: string, after: TextName | undefined, limit: number): Promise<SkippedText[]>;
}

/** Skipped texts by kind and id; `next` is empty on the last page. */
export interface SkippedTextPage {
  texts: SkippedText[];
  next: string;
}

/**
 * Lists the texts of a team that have no tasks, or not all of them, once everything that was acknowledged before has
 * been read; with a row key only that item, if it is one of them.
 * @throws AppError `invalid_request` for a page token that is not ours, `unavailable`.
 */
export async function listSkippedTexts(
  dependencies: { skipped: SkippedTextStore; projection: Projection },
  teamId: string,
  query: { after: string; limit: number; rowKey?: string },
): Promise<SkippedTextPage> {
  const { skipped, projection } = dependencies;
  if (query.rowKey) {
    await projection.catchUp(teamId);
    const found = await skipped.find(teamId, 'item', [query.rowKey]);
    return { texts: [...found.values()], next: '' };
  }
  const after = query.after === '' ? undefined : nameFromToken(query.after);
  await projection.catchUp(teamId);
  const limit = pageRows(query.limit);
  const found = await skipped.list(teamId, after, limit + 1);
  const texts = found.slice(0, limit);
  const last = texts.at(-1);
  return { texts, next: found.length > limit && last ? `${last.kind}/${last.id}` : '' };
}

function nameFromToken(token: string): TextName {
  const slash = token.indexOf('/');
  const [kind, id] = [token.slice(0, slash), token.slice(slash + 1)];
  if ((kind === 'item' || kind === 'decision') && Buffer.byteLength(id) <= maxRowKeyBytes)
    return { kind, id };
  throw new AppError(
    'invalid_request',
    'The page_token must be the next_page_token of the previous page of this list.',
  );
}
