import { toAppError } from '@teammemory/errors/app-error.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { RankedPassage } from '@teammemory/proto/query/v1/query_pb.ts';
import { passedDay } from '../contract/answer-types.ts';
import { quotaHeaders, rateLimited } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { SearchAnswer, SearchParameters } from './contract.ts';
import { type AskCall, goingAway } from './open-answer.ts';

/** What a search needs. */
export type SearchDependencies = Pick<RouteDependencies, 'clients' | 'searches' | 'openAnswer' | 'overdue'>;

/**
 * Counts a search, and returns the passages that fit a question best, among those that the caller may see. It counts
 * when it begins, whatever its outcome, because the work is done then. It holds the permit of an answer until it ends,
 * as it does in the query service.
 * @throws AppError `rate_limited`; `unavailable` without a free permit, when searching takes longer than a unary call
 *   may, and when the gateway stops.
 */
export async function searchPassages(
  { clients, searches, openAnswer: acquire, overdue }: SearchDependencies,
  { q: question, limit, prefix, kind, since }: SearchParameters,
  { request, answer, signal }: AskCall,
): Promise<SearchAnswer> {
  const { caller, id: requestId } = request;
  const reservation = await searches.reserve(caller.keyId, 1);
  if ('retryAfterSeconds' in reservation) throw rateLimited(answer, 'searches', reservation, 1);
  answer.headers(quotaHeaders('searches', await reservation.settle(1)));
  const giveBack = acquire(caller);
  try {
    const until = AbortSignal.any([signal, overdue]);
    const options = await clients.unary('query', { caller, requestId, signal: until });
    const { passages, coverage } = await clients.search({ question, limit, prefix, kind, since }, options);
    return {
      passages: passages.map(passageFromProto),
      incomplete: (coverage?.missingPassages ?? 0n) > 0n,
    };
  } catch (error) {
    throw overdue.aborted ? goingAway() : toAppError(error);
  } finally {
    giveBack();
  }
}

/** Maps a passage to the form of the API. */
export function passageFromProto({
  rowKey,
  kind,
  date,
  status,
  tier,
  title,
  headings,
  text,
  score,
  byGuest,
  checkBy,
}: RankedPassage): SearchAnswer['passages'][number] {
  return {
    row_key: rowKey,
    title,
    headings,
    text,
    tier: tier === Tier.TEAM ? 'team' : 'external',
    kind: kind as SearchAnswer['passages'][number]['kind'],
    date: date === '' ? null : date,
    status: status === '' ? null : status,
    score,
    ...(byGuest ? { by_guest: true as const } : {}),
    ...passedDay(checkBy),
  };
}
