import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';
import type { QuotaPolicy } from '../contract/operation.ts';
import type { Quota, RateLimiter } from './rate-limiter.ts';

/** Headers that say where a key stands, by the IETF draft "RateLimit header fields for HTTP". */
export async function quotaHeaders(
  policy: QuotaPolicy,
  limiter: RateLimiter,
  key: string,
): Promise<Record<string, string>> {
  const { limit, windowSeconds, remaining, resetSeconds } = await limiter.quota(key);
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}

/** The refusal of `count` requests that do not fit, called `unit` in the plural; sets Retry-After. */
export function rateLimited(
  reply: FastifyReply,
  retryAfterSeconds: number,
  { limit, windowSeconds }: Quota,
  count: number,
  unit: string,
): AppError {
  reply.header('retry-after', retryAfterSeconds);
  const rule = `The limit is ${limit} ${unit} per ${windowSeconds} seconds and key`;
  const advice =
    count > limit
      ? `a batch of ${count} can never fit: split it into batches of at most ${limit}`
      : 'nothing was done';
  return new AppError('rate_limited', `${rule}; ${advice}.`);
}
