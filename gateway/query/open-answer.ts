import { AppError, toAppError } from '@teammemory/errors/app-error.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { AskResponse, ClosestNote, Source } from '@teammemory/proto/query/v1/query_pb.ts';
import type { FastifyRequest } from 'fastify';
import { passedDay } from '../contract/answer-types.ts';
import { type AnswerHeaders, quotaHeaders, rateLimited } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';

/** What asking needs. */
export type AskDependencies = Pick<RouteDependencies, 'clients' | 'questions' | 'openAnswer' | 'overdue'>;

/** The request that asks or searches. */
export interface AskCall {
  request: Pick<FastifyRequest, 'caller' | 'id'>;
  /** Where the headers of the limit go. */
  answer: AnswerHeaders;
  /** Cancels the work and everything behind it. */
  signal: AbortSignal;
}

/** An answer that was asked for. */
export interface OpenAnswer {
  /** Its parts, once the first can be read. */
  opening: Promise<AsyncIterator<AskResponse>>;
  /** Returns what a reader is told of an error of `opening` or of its parts. */
  failure(error: unknown): AppError;
  /** Cancels what is still under way and gives the permit back. */
  end(): void;
}

/**
 * Counts a question, takes a permit for its answer and asks. A question counts when it is asked, whatever its outcome,
 * because every question is searched for. The caller ends the answer.
 * @throws AppError `rate_limited`, `unavailable`.
 */
export async function openAnswer(
  { clients, questions, openAnswer: acquire, overdue }: AskDependencies,
  question: string,
  { request, answer, signal }: AskCall,
): Promise<OpenAnswer> {
  const { caller, id: requestId } = request;
  const reservation = await questions.reserve(caller.keyId, 1);
  if ('retryAfterSeconds' in reservation) throw rateLimited(answer, 'questions', reservation, 1);
  answer.headers(quotaHeaders('questions', await reservation.settle(1)));
  const giveBack = acquire(caller);
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    giveBack();
  };
  try {
    const until = AbortSignal.any([signal, ended.signal, overdue]);
    const options = await clients.stream('query', { caller, requestId, signal: until });
    const opening = clients.ask({ question }, options).then((messages) => messages[Symbol.asyncIterator]());
    const failure = (error: unknown) => (overdue.aborted ? goingAway() : toAppError(error));
    return { opening, failure, end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Maps a source to the form of the API. */
export function sourceFromProto({
  rowKey,
  title,
  tier,
  kind,
  date,
  status,
  byGuest,
  checkBy,
  quote,
}: Source) {
  return {
    row_key: rowKey,
    title,
    tier: tier === Tier.TEAM ? 'team' : 'external',
    kind,
    ...(date === '' ? {} : { date }),
    ...(status === '' ? {} : { status }),
    ...(byGuest ? { by_guest: true as const } : {}),
    ...passedDay(checkBy),
    ...(quote === '' ? {} : { quote }),
  };
}

/** Maps the notes that come closest to a question to the form of the API. */
export function closestFromProto(closest: readonly ClosestNote[]) {
  return closest.map(({ rowKey, title }) => ({ row_key: rowKey, title }));
}

/** Returns the refusal of what the end of the gateway cut off. */
export function goingAway(): AppError {
  return new AppError('unavailable', 'The gateway is shutting down; ask again.');
}
