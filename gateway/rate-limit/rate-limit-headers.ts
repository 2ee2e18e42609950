import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';
import type { Quota, RateLimiter } from './rate-limiter.ts';

/** Says where a key stands, by the IETF draft "RateLimit header fields for HTTP". */
export async function setQuotaHeaders(
  reply: FastifyReply,
  policy: string,
  limiter: RateLimiter,
  key: string,
): Promise<void> {
  const { limit, windowSeconds, remaining, resetSeconds } = await limiter.quota(key);
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}

/** The refusal of `count` writes that do not fit, called `unit` in the plural; sets Retry-After. */
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
      : 'nothing was stored';
  return new AppError('rate_limited', `${rule}; ${advice}.`);
}
