import { AppError } from '@teammemory/errors/app-error.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { pageLimits } from './list-items.ts';
import type { Projection } from './projection.ts';
import type { SkippedText, SkippedTextStore, TextName } from './skipped-text-store.ts';

/** Skipped texts by kind and id; `next` is empty on the last page. */
export interface SkippedTextPage {
  texts: SkippedText[];
  next: string;
}

/**
 * Lists the texts of a team of which no tasks were made, or not all, once
 * everything that was acknowledged before has been read.
 * @throws AppError `invalid_request` for a place that no page gave, `unavailable`.
 */
export async function listSkippedTexts(
  dependencies: { skipped: SkippedTextStore; projection: Projection },
  teamId: string,
  query: { after: string; limit: number },
): Promise<SkippedTextPage> {
  const { skipped, projection } = dependencies;
  const after = query.after === '' ? undefined : nameFrom(query.after);
  await projection.catchUp(teamId);
  const limit = Math.min(query.limit || pageLimits.default, pageLimits.maximum);
  const found = await skipped.list(teamId, after, limit + 1);
  const texts = found.slice(0, limit);
  const last = texts.at(-1);
  return { texts, next: found.length > limit && last ? `${last.kind}/${last.id}` : '' };
}

function nameFrom(place: string): TextName {
  const slash = place.indexOf('/');
  const [kind, id] = [place.slice(0, slash), place.slice(slash + 1)];
  if ((kind === 'item' || kind === 'decision') && Buffer.byteLength(id) <= maxRowKeyBytes)
    return { kind, id };
  throw new AppError('invalid_request', 'The page token is not ours.');
}
