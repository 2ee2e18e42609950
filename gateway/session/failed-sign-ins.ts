import type { RateLimiter } from '@teammemory/admission/rolling-window.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited } from '../rate-limit/http-limits.ts';
import { strangerOf } from '../request.ts';

/** Sign-ins of one address that may fail in any 60 seconds, and be in progress at once. */
const maxFailed = 60;

/**
 * Signs somebody in who is not known before, and counts for the address if that fails.
 * @throws AppError `rate_limited`, and what `signIn` throws.
 */
export async function countFailed<Result>(
  { signIns, request, reply }: { signIns: RateLimiter; request: FastifyRequest; reply: FastifyReply },
  signIn: () => Promise<Result>,
): Promise<Result> {
  const key = `failed at ${strangerOf(request).address}`;
  const reservation = await signIns.reserve(key, 1, maxFailed);
  if ('retryAfterSeconds' in reservation) throw rateLimited(reply, 'sign-ins', reservation, 1);
  let failed = 1;
  try {
    const result = await signIn();
    failed = 0;
    return result;
  } finally {
    await reservation.settle(failed);
  }
}
