import type { Quota, RateLimiter, Refusal } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { QuotaPolicy } from '../contract/operation.ts';
import { httpAnswers } from '../http-error.ts';

/** Takes the headers of an answer that is not written yet. */
export interface AnswerHeaders {
  headers(values: Record<string, string | number>): unknown;
}

/** A limit, and whose slots of it are taken. */
export interface LimitOfKey {
  limiter: RateLimiter;
  policy: QuotaPolicy;
  key: string;
  /** Of a key that has a limit of its own. */
  ownLimit?: number;
  reply: AnswerHeaders;
}

/** Headers that say where a key stands, by the IETF draft "RateLimit header fields for HTTP". */
export function quotaHeaders(policy: QuotaPolicy, quota: Quota): Record<string, string> {
  const { limit, windowSeconds, remaining, resetSeconds } = quota;
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}

/** Returns the refusal of `count` requests that do not fit, and sets its headers. */
export function rateLimited(
  reply: AnswerHeaders,
  policy: QuotaPolicy,
  { retryAfterSeconds, quota }: Refusal,
  count: number,
): AppError {
  reply.headers({ 'retry-after': retryAfterSeconds, ...quotaHeaders(policy, quota) });
  const { limit, windowSeconds } = quota;
  // item-writes are item writes, but sign-ins are one word.
  const rule = `The limit is ${limit} ${policy.replace(/-(?=\w{4,}$)/, ' ')} per ${windowSeconds} seconds and key`;
  const advice =
    count > limit
      ? `a batch of ${count} can never fit: split it into batches of at most ${limit}`
      : 'nothing was done';
  return new AppError('rate_limited', `${rule}; ${advice}.`);
}

/** Takes slots of a key, which count whatever comes of the request. @throws AppError `rate_limited`. */
export async function takeSlots(limit: LimitOfKey, count = 1): Promise<void> {
  const { limiter, policy, key, ownLimit, reply } = limit;
  const reservation = await limiter.reserve(key, count, ownLimit);
  if ('retryAfterSeconds' in reservation) throw rateLimited(reply, policy, reservation, count);
  reply.headers(quotaHeaders(policy, await reservation.settle(count)));
}

/**
 * Makes one write within the limit of a key. Validation comes before limits: a
 * write that does not fit is only checked, and refused for what it is before it
 * is refused for its number; one that is refused as invalid gives its slot back.
 *
 * `write` calls the service; told to, it only validates.
 * @throws AppError `rate_limited`, and what `write` was refused with.
 */
export async function writeWithinLimit<Result>(
  limit: LimitOfKey,
  write: (validateOnly: boolean) => Promise<Result>,
): Promise<Result> {
  const { limiter, policy, key, ownLimit, reply } = limit;
  const reservation = await limiter.reserve(key, 1, ownLimit);
  if ('retryAfterSeconds' in reservation) {
    await write(true);
    throw rateLimited(reply, policy, reservation, 1);
  }
  // The slot of a write whose outcome is unknown stays used: it may have been stored.
  let used = 1;
  try {
    return await write(false);
  } catch (error) {
    if (error instanceof AppError && httpAnswers[error.code].status === 422) used = 0;
    throw error;
  } finally {
    reply.headers(quotaHeaders(policy, await reservation.settle(used)));
  }
}
