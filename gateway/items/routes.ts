import { createLru } from '@teammemory/async/lru.ts';
import { createSingleFlight } from '@teammemory/async/single-flight.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { validate } from '../contract/validate.ts';
import type { Encoding } from '../encoding/compress-answers.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import { createPageEncoder, type KeptPage } from '../feed/page-cache.ts';
import { problemFrom } from '../http-error.ts';
import { originOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { itemListQuery, type PushAnswer, pushBody, removalQuery } from './contract.ts';
import { createItemPush } from './push-items.ts';
import { rowKeyFrom } from './row-key-path.ts';

/** GET /api/v1/items: one page of the team's item feed. */
export function listItems({
  clients,
  pages,
  answers,
  compressor,
}: Pick<RouteDependencies, 'clients' | 'pages' | 'answers' | 'compressor'>) {
  const readPage = createItemPages({ clients, pages, answers });
  const encoder = createPageEncoder({ compressor, pages, answers });
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = validate(itemListQuery, request.query);
    const { name, page } = await readPage(request, parameters, encoder.encodingFor(request));
    return answers.send(request, reply, await encoder.encode(request, name, page));
  };
}

/** Teams and tiers whose last version is remembered. */
const maxToldVersions = 10_000;

/** Reads one page for the caller of a request, in the wanted coding or else as it is. `name` is its name in the cache. */
type ReadItemPage = (
  request: FastifyRequest,
  parameters: z.output<typeof itemListQuery>,
  encoding: Encoding,
) => Promise<{ name: string; page: KeptPage }>;

/**
 * Returns the reading of pages of the item feed. A cached page is given
 * again if content, asked after the request arrived, reports that the caller's
 * items still have the version of the page.
 */
export function createItemPages({
  clients,
  pages,
  answers,
}: Pick<RouteDependencies, 'clients' | 'pages' | 'answers'>): ReadItemPage {
  const versions = createSingleFlight((_, ask: () => Promise<string>) => ask(), { forBursts: true });
  /** The version that content told last, by team and tier. */
  const lastTold = createLru<string>(maxToldVersions);
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

/** POST /api/v1/items: stores a batch, each item on its own. */
export function pushItems({ clients, itemWrites, refusals }: RouteDependencies) {
  const pushBatch = createItemPush({ clients, itemWrites, refusals });
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { items } = validate(pushBody, request.body);
    return answer(request, reply, await pushBatch(items, { request, answer: reply }));
  };
}

function answer(request: FastifyRequest, reply: FastifyReply, counts: PushAnswer) {
  const admin = counts.errors.some(({ code }) => code === 'admin_tier');
  if (counts.accepted > 0 && !admin) return reply.send(counts);
  const error = admin
    ? new AppError('admin_tier', 'At least one item is private and was not stored; correct its audience.')
    : new AppError('invalid_request', 'No item was accepted; errors lists the reasons.');
  const problem = { ...problemFrom(error, request.id), ...counts };
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

/** DELETE /api/v1/items/{row_key}. */
export function deleteItem({ clients }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { base_checksum: baseChecksum, erase } = validate(removalQuery, request.query);
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, ...originOf(request) });
    const version = baseChecksum === undefined ? {} : { baseChecksum };
    if (erase === 'true') await clients.content.eraseItem({ rowKey, ...version }, options);
    else await clients.content.deleteItem({ rowKey, ...version }, options);
    return reply.code(204).send();
  };
}
