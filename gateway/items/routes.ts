import { type CallOptions, createContextValues } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { PushItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { repeatedKey } from '@teammemory/rpc/client/network-transport.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { validate } from '../contract/validate.ts';
import { createBurstSingleFlight } from '../feed/burst-single-flight.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import type { KeptPage } from '../feed/page-cache.ts';
import { createPageEncoder } from '../feed/page-encoder.ts';
import { problemFrom } from '../http-error.ts';
import type { Handlers } from '../mount-operations.ts';
import { quotaHeaders, rateLimited } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { itemListQuery, type PushAnswer, pushBody, removalQuery } from './contract.ts';
import { getItem, getItemVersion, listItemVersions } from './history-routes.ts';
import { refusedFromProto, sortByType, type TypedItem } from './item-batch.ts';
import type { itemOperations } from './operations.ts';
import { rowKeyFrom } from './row-key-path.ts';

/** Teams and tiers whose last version is remembered. */
const maxToldVersions = 10_000;

/** Returns a handler for each operation of items. */
export function itemRoutes(dependencies: RouteDependencies): Handlers<typeof itemOperations> {
  return {
    listItems: listItems(dependencies),
    pushItems: pushItems(dependencies),
    getItem: getItem(dependencies),
    deleteItem: deleteItem(dependencies),
    listItemVersions: listItemVersions(dependencies),
    getItemVersion: getItemVersion(dependencies),
  };
}

/**
 * GET /api/v1/items: one page of the team's item feed. A cached page is sent
 * again if content, asked after the request arrived, reports that the caller's
 * items still have the version of the page.
 */
export function listItems({
  clients,
  pages,
  answers,
  compressor,
}: Pick<RouteDependencies, 'clients' | 'pages' | 'answers' | 'compressor'>) {
  const versions = createBurstSingleFlight<string>();
  /** The version that content told last, by team and tier. */
  const lastTold = new LRUCache<string, string>({ max: maxToldVersions });
  const fresh = createBurstSingleFlight<KeptPage>();
  const encoder = createPageEncoder({ compressor, pages, answers });
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, id: requestId } = request;
    const parameters = validate(itemListQuery, request.query);
    // Everything that a page depends on and nothing else, so that readers of a team share pages.
    const readers = [caller.teamId, caller.tier];
    const name = JSON.stringify([...readers, parameters]);
    const options = () => clients.unary('content', { caller, requestId });

    const readersName = JSON.stringify(readers);
    async function currentVersion(kept: string): Promise<string> {
      // No version comes twice. If content has told another one since, the page is outdated, and asking is idle.
      const told = lastTold.get(readersName);
      if (told !== undefined && told !== kept) return told;
      const version = await versions(readersName, async () =>
        clients.content.getItemsVersion({}, await options()).then(({ version }) => version, noVersion),
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
      const made = { version, encoding: 'identity', body: pageBody('items', page) } as const;
      lastTold.set(readersName, version);
      pages.keep(name, made);
      return made;
    }
    const page =
      (await pages.read(name, encoder.encodingFor(request), currentVersion)) ??
      (await fresh(name, () => answers.make(request, makePage)));
    return answers.send(request, reply, await encoder.encode(request, name, page));
  };
}

/** During an update, content of the previous release may not have `getItemsVersion` yet. */
function noVersion(error: unknown): string {
  if (error instanceof AppError && error.code === 'unimplemented') return '';
  throw error;
}

/** POST /api/v1/items: stores a batch, each item on its own. */
export function pushItems({ clients, itemWrites }: RouteDependencies) {
  async function push(
    items: TypedItem[],
    options: CallOptions,
    validateOnly: boolean,
  ): Promise<PushItemsResponse> {
    const request = { items: items.map(({ input }) => input), validateOnly };
    return clients.content.pushItems(request, options);
  }

  /** Stores the items if the key has `slots` left, and returns those that were not used. */
  async function pushWithin(reply: FastifyReply, items: TypedItem[], slots: number, options: CallOptions) {
    const { keyId, itemWritesPerMinute } = reply.request.caller;
    const reservation = await itemWrites.reserve(keyId, slots, itemWritesPerMinute);
    if ('retryAfterSeconds' in reservation) return { ...reservation, slots };
    // Slots stay used if the outcome of the push is unknown, because it may have been stored, and if the push was
    // repeated, because the answer does not count what the first attempt stored.
    let used = slots;
    const contextValues = createContextValues();
    try {
      const result = await push(items, { ...options, contextValues }, false);
      if (!contextValues.get(repeatedKey)) used = result.written;
      return result;
    } finally {
      reply.headers(quotaHeaders('item-writes', await reservation.settle(used)));
    }
  }

  /** Validation comes before limits: if not all items fit, only those that can be stored need a slot. */
  async function pushWithinLimit(reply: FastifyReply, items: TypedItem[], options: CallOptions) {
    if (items.length === 0) return { accepted: 0, errors: [] };
    const result = await pushWithin(reply, items, items.length, options);
    if (!('retryAfterSeconds' in result)) return result;
    const checked = await push(items, options, true);
    if (checked.written === items.length) return result;
    return checked.written === 0 ? checked : pushWithin(reply, items, checked.written, options);
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { items, refused } = await sortByType(validate(pushBody, request.body).items);
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const result = await pushWithinLimit(reply, items, options);
    if ('retryAfterSeconds' in result) {
      throw rateLimited(reply, 'item-writes', result, result.slots);
    }
    refused.push(...result.errors.map((error) => refusedFromProto(error, items)));
    refused.sort((a, b) => a.index - b.index);
    return answer(request, reply, { accepted: result.accepted, rejected: refused.length, errors: refused });
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
    const { base_checksum: baseChecksum } = validate(removalQuery, request.query);
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const version = baseChecksum === undefined ? {} : { baseChecksum };
    await clients.content.deleteItem({ rowKey, ...version }, options);
    return reply.code(204).send();
  };
}
