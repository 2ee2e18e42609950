import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Encoding } from '../encoding/compress-answers.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import type { KeptPage } from '../feed/page-cache.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { itemListQuery } from './contract.ts';

/** Teams and tiers whose last version is remembered. */
const maxToldVersions = 10_000;

/** What reading pages of items needs. */
type ItemPagesDependencies = Pick<RouteDependencies, 'clients' | 'pages' | 'answers'>;

/** Reads one page for the caller of a request, in the wanted coding or else as it is. `name` is its name in the cache. */
export type ReadItemPage = (
  request: FastifyRequest,
  parameters: z.output<typeof itemListQuery>,
  encoding: Encoding,
) => Promise<{ name: string; page: KeptPage }>;

/**
 * Returns the reading of pages of the item feed. A cached page is given
 * again if content, asked after the request arrived, reports that the caller's
 * items still have the version of the page.
 */
export function createItemPages({ clients, pages, answers }: ItemPagesDependencies): ReadItemPage {
  const versions = createSingleFlight((_, ask: () => Promise<string>) => ask(), { forBursts: true });
  /** The version that content told last, by team and tier. */
  const lastTold = new LRUCache<string, string>({ maxSize: maxToldVersions, sizeCalculation: () => 1 });
  const fresh = createSingleFlight((_, make: () => Promise<KeptPage>) => make(), { forBursts: true });
  return async (request, parameters, encoding) => {
    const { caller, id: requestId } = request;
    // Everything that a page depends on and nothing else, so that readers of a team share pages.
    const readers = [caller.teamId, caller.tier];
    const name = JSON.stringify([...readers, parameters]);
    const options = () => clients.unary('content', { caller, requestId });

    const readersName = JSON.stringify(readers);
    async function currentVersion(kept: string): Promise<string> {
      // No version comes twice. If content has told another one since, the page is outdated, and asking is idle.
      const told = lastTold.get(readersName);
      if (told !== undefined && told !== kept) return told;
      const version = await versions.run(readersName, async () =>
        clients.content.getItemsVersion({}, await options()).then(({ version }) => version),
      );
      lastTold.set(readersName, version);
      return version;
    }
    async function makePage(): Promise<KeptPage> {
      const { page, version } = await clients.content.listItems(
        {
          page: pageRequest(parameters),
          prefix: parameters.prefix ?? '',
          summary: parameters.view === 'summary',
        },
        await options(),
      );
      const made = { version, encoding: 'identity', body: pageBody(page) } as const;
      lastTold.set(readersName, version);
      pages.keep(name, made);
      return made;
    }
    const page =
      (await pages.read(name, encoding, currentVersion)) ??
      (await fresh.run(name, () => answers.make(request, makePage)));
    return { name, page };
  };
}
