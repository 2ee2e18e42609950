import { AppError } from '@teammemory/errors/app-error.ts';
import type { NamedItem, NoteToCheck } from './index-host.ts';
import type { TeamIndexes, Viewer } from './team-indexes.ts';

/** Items that are found at once: what somebody looks through. */
const maxFoundItems = 20;
/** A path is shorter. */
const maxTypedBytes = 2_048;
/** Words that count. */
const maxWords = 8;

/** What words are looked for in: title and path, each at the beginning of a line, the path behind a slash. */
export function nameOfItem(title: string, rowKey: string): string {
  return folded(`${title}\n/${rowKey}`);
}

/**
 * Finds items that the viewer sees by parts of their title or path, after bringing the index up to date; those come first
 * whose title begins as the first word does. Without words, the first items by title.
 * @throws AppError `invalid_request` for more than 2,048 bytes, `unavailable`, and the signal's reason when it aborts.
 */
export async function findItems(
  indexes: TeamIndexes,
  typed: string,
  { viewer, signal }: { viewer: Viewer; signal: AbortSignal },
): Promise<{ items: NamedItem[]; hasMore: boolean }> {
  if (Buffer.byteLength(typed) > maxTypedBytes) {
    const detail = `must have at most ${maxTypedBytes} bytes`;
    throw new AppError('invalid_request', `The words ${detail}.`, {
      violations: [{ pointer: '/words', detail }],
    });
  }
  const { teamId, tier } = viewer;
  const words = folded(typed).split(/\s+/).filter(Boolean).slice(0, maxWords);
  const found = await indexes.use(viewer, signal, (host) =>
    host.itemsNamed(teamId, { tier, words, limit: maxFoundItems + 1 }),
  );
  return { items: found.slice(0, maxFoundItems), hasMore: found.length > maxFoundItems };
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Notes that are listed at once. */
const maxNotesToCheck = 50;

/**
 * Lists notes that the viewer sees whose day to be checked has passed, the oldest day first, after bringing the index up
 * to date; with `writerId` only those that this member wrote last.
 * @throws AppError `unavailable`, and the signal's reason when it aborts.
 */
export async function listNotesToCheck(
  { indexes, clock }: { indexes: TeamIndexes; clock: () => number },
  { writerId }: { writerId: string | undefined },
  { viewer, signal }: { viewer: Viewer; signal: AbortSignal },
): Promise<{ notes: NoteToCheck[]; hasMore: boolean }> {
  const { teamId, tier } = viewer;
  const today = new Date(clock()).toISOString().slice(0, 10);
  const found = await indexes.use(viewer, signal, (host) =>
    host.notesToCheck(teamId, { tier, today, writerId, limit: maxNotesToCheck + 1 }),
  );
  return { notes: found.slice(0, maxNotesToCheck), hasMore: found.length > maxNotesToCheck };
}
