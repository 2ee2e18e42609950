import { isClientName, mcpClientName, nameInMessages } from '@teammemory/vocabulary/client-name.ts';
import type { FastifyRequest } from 'fastify';

/** What clients that bring a key say that they are. */
const header = 'x-svc-client';
/** Pages of the dashboard, which have a session. A client with a key is none, whatever it says. */
const dashboard = 'browser';

/**
 * Returns with which program a request was made, as far as the program says so itself: a claim, which is noted for people
 * and decides nothing. Undefined where nothing, or no plain name, is said.
 */
export function clientNameOf(
  request: Pick<FastifyRequest, 'headers' | 'body' | 'routeOptions'>,
): string | undefined {
  const { headers, body, routeOptions } = request;
  // Most programs tell their name once, in a request of its own, of which nothing is kept.
  if (routeOptions.url?.startsWith('/mcp'))
    return mcpClientName(nameInMessages(body) ?? headers['user-agent']?.split('/')[0]);
  if (headers.authorization === undefined) return dashboard;
  const name = headers[header];
  return typeof name === 'string' && name !== dashboard && isClientName(name) ? name : undefined;
}
