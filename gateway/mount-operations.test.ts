import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import Fastify, { type RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { apiRoutes } from './api-routes.ts';
import { createCompressor } from './encoding/compress-answers.ts';
import { proposalSegment } from './items/proposal-contract.ts';
import { routeUrl } from './mount-operations.ts';
import { apiOperations } from './operations.ts';
import { docsScriptPath } from './public/docs-pages.ts';
import { publicOperations } from './public/operations.ts';
import { publicRoutes } from './public/routes.ts';

/** Returns every route with one method. Those that refuse the other methods have a list. */
async function mountedRoutes(): Promise<string[]> {
  const routes: RouteOptions[] = [];
  const app = Fastify();
  app.addHook('onRoute', (route) => void routes.push(route));
  app.register(publicRoutes({ readiness: {}, compressor: createCompressor({ metrics: createMetrics() }) }));
  // No dependency is used before a request arrives.
  app.register(apiRoutes({} as Parameters<typeof apiRoutes>[0]), { prefix: '/api/v1' });
  await app.ready();
  await app.close();
  return routes
    .filter(({ method }) => typeof method === 'string')
    .map(({ method, url }) => `${method} ${url}`);
}

test('exactly the declared operations are mounted, and the script of a page', async () => {
  const described = Object.values({ ...apiOperations, ...publicOperations })
    .map(({ method, path, pathParameters }) => `${method} ${routeUrl(path, pathParameters)}`)
    .flatMap((route) => (route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route]));
  const script = [`GET ${docsScriptPath}`, `HEAD ${docsScriptPath}`];
  expect((await mountedRoutes()).sort()).toEqual([...described, ...script].sort());
});

test('one parameter at the end of a path may contain slashes unless it says otherwise, others are a segment each', () => {
  expect(routeUrl('/items')).toBe('/items');
  expect(routeUrl('/items/{row_key}')).toBe('/items/*');
  expect(routeUrl('/proposals/{proposal_id}', [proposalSegment])).toBe('/proposals/:proposal_id');
  expect(routeUrl('/items/{row_key}/versions')).toBe('/items/:row_key/versions');
  expect(routeUrl('/items/{row_key}/versions/{revision}')).toBe('/items/:row_key/versions/:revision');
});
