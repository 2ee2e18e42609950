import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';
import type { QuotaPolicy } from '../contract/operation.ts';
import type { Quota, Refusal } from './rate-limiter.ts';

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
  reply: FastifyReply,
  policy: QuotaPolicy,
  { retryAfterSeconds, quota }: Refusal,
  count: number,
): AppError {
  reply.headers({ 'retry-after': retryAfterSeconds, ...quotaHeaders(policy, quota) });
  const { limit, windowSeconds } = quota;
  const rule = `The limit is ${limit} ${policy.replace('-', ' ')} per ${windowSeconds} seconds and key`;
  const advice =
    count > limit
      ? `a batch of ${count} can never fit: split it into batches of at most ${limit}`
      : 'nothing was done';
  return new AppError('rate_limited', `${rule}; ${advice}.`);
}
