import { createHash } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { handlePattern } from '@teammemory/vocabulary/formats.ts';
import { defaultPageRows, hasAtMostCharacters } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { checkQuestion } from '../search/passage-search.ts';

/** What an asker may say of an answer: it helped, it did not, or the question got none. */
export type Verdict = 'helped' | 'not_helped' | 'no_answer';

/** A sentence or two, counted in Unicode code points. */
const maxNoteCharacters = 500;
/** Ratings of one page of the list: a rating may have 18 KB. */
export const maxRatingsPage = 100;
/** Ratings that one call removes, for all who asked one question. */
const maxRemovedRatings = 100;

/** What is kept: enough to see what is missing. One member, a guest too, cannot push out what the others rated. */
const ratingBounds = { maxOfMember: 50, maxOfTeam: 500 } as const;
/** A question that nobody asks again in half a year needs no answer. */
const keptMs = 180 * 24 * 60 * 60 * 1_000;

/** What a member thinks of the answer to a question. */
export interface Rating {
  /** Of one question of one member, 32 lower-case hex digits. */
  ratingId: string;
  memberId: string;
  memberHandle: string;
  /** Of the key that rated. */
  tier: Tier;
  question: string;
  verdict: Verdict;
  /** The member's own words; may be empty. */
  note: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Where a page of ratings ends. */
export type RatingPosition = Pick<Rating, 'at' | 'ratingId'>;

/** Stores the ratings of each team. Every method may also throw AppError `unavailable`. */
export interface RatingStore {
  /**
   * Stores a rating in place of one with the same id, and removes those of the team from before a time, and the oldest
   * ones beyond the bounds of the member and the team.
   */
  put(
    teamId: string,
    rating: Rating,
    bounds: { maxOfMember: number; maxOfTeam: number; since: number },
  ): Promise<void>;
  /** Returns up to `limit` ratings since a time, newest first, after a position. */
  list(
    teamId: string,
    range: { since: number; after: RatingPosition | undefined; limit: number },
  ): Promise<Rating[]>;
  /** Removes ratings. Ids that name none are no fault. */
  remove(teamId: string, ratingIds: readonly string[]): Promise<void>;
  /** Counts the ratings of members with a handle. */
  countOfMember(teamId: string, memberHandle: string): Promise<number>;
  /** Removes them, so that the files of the database have nothing of them either where it can see to that. */
  eraseMember(teamId: string, memberHandle: string): Promise<void>;
}

/** Who rates. */
export interface Rater {
  teamId: string;
  memberId: string;
  memberHandle: string;
  tier: Tier;
}

interface Dependencies {
  ratings: RatingStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/**
 * Keeps what a member thinks of the answer to a question, in place of what the member said of the same question before.
 * Without a verdict the earlier rating is removed.
 * @throws AppError `invalid_request` for a question or note that is too long and an empty question, `unavailable`.
 */
export async function rateAnswer(
  { ratings, clock }: Dependencies,
  { teamId, memberId, memberHandle, tier }: Rater,
  { question, verdict, note }: { question: string; verdict: Verdict | undefined; note: string },
): Promise<void> {
  checkQuestion(question);
  if (!hasAtMostCharacters(note, maxNoteCharacters)) {
    throw invalid('/note', `must be at most ${maxNoteCharacters} characters`);
  }
  const ratingId = ratingIdOf(teamId, memberId, question);
  if (verdict === undefined) return ratings.remove(teamId, [ratingId]);
  const at = clock();
  const rating = { ratingId, memberId, memberHandle, tier, question, verdict, note, at };
  await ratings.put(teamId, rating, { ...ratingBounds, since: at - keptMs });
}

/** The same for the same question, so that a rating that is sent twice is there once. */
function ratingIdOf(teamId: string, memberId: string, question: string): string {
  const named = `${teamId}\n${memberId}\n${question}`;
  return createHash('sha256').update(named).digest('hex').slice(0, 32);
}

/** Lists the ratings of a team that are kept, newest first; `next` is unset on the last page. */
export async function listRatings(
  { ratings, clock }: Dependencies,
  teamId: string,
  { after, pageSize }: { after: RatingPosition | undefined; pageSize: number },
): Promise<{ ratings: Rating[]; next?: RatingPosition }> {
  const limit = pageSize || defaultPageRows;
  const found = await ratings.list(teamId, { since: clock() - keptMs, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return found.length > limit && last !== undefined ? { ratings: page, next: last } : { ratings: page };
}

/**
 * Removes ratings of a team.
 * @throws AppError `invalid_request` for none, too many, and what is no id, `unavailable`.
 */
export async function removeRatings(
  { ratings }: Pick<Dependencies, 'ratings'>,
  teamId: string,
  ratingIds: readonly string[],
): Promise<void> {
  if (ratingIds.length === 0 || ratingIds.length > maxRemovedRatings) {
    throw invalid('/rating_ids', `must be 1 to ${maxRemovedRatings} ids`);
  }
  if (!ratingIds.every((id) => /^[0-9a-f]{32}$/.test(id))) {
    throw invalid('/rating_ids', 'must be ids of ratings');
  }
  await ratings.remove(teamId, ratingIds);
}

/**
 * Erases the ratings of a member, who may have been removed, or with `dryRun` only counts them; returns how many.
 * @throws AppError `invalid_request` for what is no handle, `unavailable`.
 */
export async function eraseMemberRatings(
  { ratings }: Pick<Dependencies, 'ratings'>,
  teamId: string,
  { handle, dryRun }: { handle: string; dryRun: boolean },
): Promise<number> {
  if (!handlePattern.test(handle)) throw invalid('/handle', 'must be the handle of a member');
  const count = await ratings.countOfMember(teamId, handle);
  if (!dryRun) await ratings.eraseMember(teamId, handle);
  return count;
}

function invalid(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
