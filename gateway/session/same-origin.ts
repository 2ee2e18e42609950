import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses a request with a cookie that a page of another origin may have caused. Browsers say where a request comes from
 * in `Sec-Fetch-Site` (over HTTPS and on this machine) and in `Origin` (with every method but GET); a page cannot set
 * either. What says nothing is refused, except for GET, which changes nothing and whose answer no other origin may read.
 * @throws AppError `forbidden_origin`.
 */
export function requireSameOrigin({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isKnown = site !== undefined || origin !== undefined;
  const isSame =
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || hostOf(origin) === host?.toLowerCase()) &&
    (isKnown || method === 'GET');
  if (!isSame)
    throw new AppError('forbidden_origin', 'The request does not come from a page of this service.');
}

/** The host and port of an origin; undefined for the origin `null` and whatever else is none. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
