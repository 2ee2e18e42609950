import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';
import type { QuotaPolicy } from '../contract/operation.ts';
import { httpAnswers } from '../http-error.ts';
import { quotaHeaders, rateLimited } from './rate-limit-headers.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * Makes one write within the limit of a key. Validation comes before limits: a
 * write that does not fit is only checked, and refused for what it is before it
 * is refused for its number; one that is refused as invalid gives its slot back.
 *
 * `write` calls the service; told to, it only validates.
 * @throws AppError `rate_limited`, and what `write` was refused with.
 */
export async function writeWithinLimit<Result>(
  limit: { limiter: RateLimiter; policy: QuotaPolicy; key: string; reply: FastifyReply },
  write: (validateOnly: boolean) => Promise<Result>,
): Promise<Result> {
  const { limiter, policy, key, reply } = limit;
  const reservation = await limiter.reserve(key, 1);
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
