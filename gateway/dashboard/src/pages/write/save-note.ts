import { mergeLines } from '@teammemory/sync/plan/merge-lines.ts';
import { t } from '../../language/language.ts';
import { contentToPush, textOf } from '../../service/item-text.ts';
import { type Item, pushItem, readItem, readItemIfAny } from '../../service/items.ts';
import { Problem, problemOf } from '../../service/problem.ts';
import { rpc } from '../../service/rpc.ts';

/** How often somebody else may be faster before a person is asked to try again. */
const maxAttempts = 5;

/** A note as it is stored. */
export interface StoredNote {
  path: string;
  /** With its front matter and its own line ends. */
  text: string;
  tier: Item['tier'];
  checksum: string;
  updatedBy: string;
  updatedAt: string;
}

/** A note as somebody wrote it. */
export type WrittenNote = Pick<StoredNote, 'path' | 'text' | 'tier'>;

/** What became of saving. */
export type Outcome =
  /** `text` is what is stored: with the edits of others, if `isMerged`. */
  | { kind: 'saved'; note: WrittenNote & { checksum: string }; isMerged: boolean }
  /** Somebody else edited the same lines. */
  | { kind: 'conflict'; theirs: StoredNote }
  /** Somebody removed it. */
  | { kind: 'gone' };

/** Reads a note with its whole text. Rejects as `readItem` does. */
export async function readNote(path: string, signal?: AbortSignal): Promise<StoredNote> {
  return noteOf(await readItem(path, signal));
}

function noteOf(item: Item): StoredNote {
  const { row_key: path, tier, checksum, updated_by: updatedBy, updated_at: updatedAt } = item;
  return { path, text: textOf(item), tier, checksum, updatedBy, updatedAt };
}

/**
 * Saves a note that was made from `base`, undefined for a new one. What somebody else has saved meanwhile is merged by lines
 * as the sync does. A note with another path than its base is moved: stored there first, then removed here.
 * @throws Problem, with code `conflict` where another note has the path already.
 */
export async function saveNote(base: StoredNote | undefined, written: WrittenNote): Promise<Outcome> {
  let [origin, note] = [base, written];
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const isMoved = origin !== undefined && origin.path !== note.path;
    const content = contentToPush(note.text);
    const mayHaveNarrowed = origin?.tier === 'external' && note.tier === 'external';
    const stored =
      origin !== undefined && (isMoved || mayHaveNarrowed) ? await readNoteIfAny(origin.path) : undefined;
    // Who took it back from guests meanwhile changed no byte of it, which no checksum tells.
    if (mayHaveNarrowed && stored?.tier === 'team') note = { path: note.path, text: note.text, tier: 'team' };
    // Moving must not leave behind what others have added.
    const isStale = isMoved && stored?.checksum !== origin?.checksum;
    if (!isStale) {
      const base_checksum = isMoved ? null : (origin?.checksum ?? null);
      const refusal = await refusalOf(
        pushItem({ row_key: note.path, ...content, tier: note.tier, base_checksum }),
      );
      if (refusal === undefined) {
        if (origin !== undefined && isMoved) await removeOld(origin, note.path);
        return { kind: 'saved', note: { ...note, checksum: content.checksum }, isMerged: attempt > 1 };
      }
      if (origin === undefined || isMoved) {
        // The answer to an earlier attempt may have been lost.
        if ((await readNoteIfAny(note.path))?.checksum !== content.checksum) throw pathIsTaken();
        if (origin !== undefined) await removeOld(origin, note.path);
        return { kind: 'saved', note: { ...note, checksum: content.checksum }, isMerged: false };
      }
    }
    const theirs = await readNoteIfAny(origin?.path ?? note.path);
    if (theirs === undefined || origin === undefined) return { kind: 'gone' };
    const merged = mergeLines(origin.text, note.text, theirs.text);
    if (merged === undefined) return { kind: 'conflict', theirs };
    note = { path: note.path, text: merged, tier: note.tier === origin.tier ? theirs.tier : note.tier };
    origin = theirs;
  }
  throw new Problem('conflict', t('Others change this note again and again. Try again in a moment.'));
}

/** A conflict that a push met, undefined if it met none. Other refusals are thrown. */
async function refusalOf(push: Promise<void>): Promise<Problem | undefined> {
  try {
    await push;
    return undefined;
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem.code !== 'conflict') throw problem;
    return problem;
  }
}

async function readNoteIfAny(path: string): Promise<StoredNote | undefined> {
  const item = await readItemIfAny(path);
  return item && noteOf(item);
}

/** Removes a note from the path that it was moved away from. Whatever others have written there meanwhile stays. */
async function removeOld({ path, checksum }: StoredNote, to: string): Promise<void> {
  try {
    await rpc.content.deleteItem({ rowKey: path, baseChecksum: checksum });
  } catch (thrown) {
    const { code, message } = problemOf(thrown);
    if (code === 'not_found') return;
    throw new Problem(
      code,
      t('It is saved as {to}, and {path} is still there: {message}', { to, path, message }),
    );
  }
}

function pathIsTaken(): Problem {
  return new Problem('conflict', t('There is another note with this path. Choose a path that is free.'));
}
