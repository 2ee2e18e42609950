import { type CallOptions, createContextValues } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { PushItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { repeatedKey } from '@teammemory/rpc/client/network-transport.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { createBurstSingleFlight } from '../feed/burst-single-flight.ts';
import { pageQuery } from '../feed/contract.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import { problemFrom } from '../http-error.ts';
import type { Handlers } from '../mount-operations.ts';
import { quotaHeaders, rateLimited } from '../rate-limit/rate-limit-headers.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { type PushAnswer, pushBody } from './contract.ts';
import { refusedFromProto, sortByType, type TypedItem } from './item-batch.ts';
import type { itemOperations } from './operations.ts';

/** A handler for each operation of items. */
export function itemRoutes(dependencies: RouteDependencies): Handlers<typeof itemOperations> {
  return {
    listItems: listItems(dependencies),
    pushItems: pushItems(dependencies),
    deleteItem: deleteItem(dependencies),
  };
}

/**
 * GET /api/v1/items: one page of the team's item feed. A page that was answered
 * before is answered again when content says, asked after the request came,
 * that the caller's items have the version that the page was made of.
 */
export function listItems({
  clients,
  pages,
  answers,
}: Pick<RouteDependencies, 'clients' | 'pages' | 'answers'>) {
  const versions = createBurstSingleFlight<string>();
  const fresh = createBurstSingleFlight<Buffer>();
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, id: requestId } = request;
    const parameters = validate(pageQuery, request.query);
    // All that a page depends on, and no more: readers of a team who ask the same get the same one.
    const readers = [caller.teamId, caller.tier];
    const name = JSON.stringify([...readers, parameters]);
    const options = () => clients.unary('content', { caller, requestId });

    const presentVersion = () =>
      versions(JSON.stringify(readers), async () =>
        clients.content.getItemsVersion({}, await options()).then(({ version }) => version, noVersion),
      );
    async function makePage(): Promise<Buffer> {
      const { page, version } = await clients.content.listItems(
        { page: pageRequest(parameters) },
        await options(),
      );
      const body = pageBody('items', page);
      pages.keep(name, { version, body });
      return body;
    }
    const freshPage = () => fresh(name, () => answers.make(request, makePage));
    const body = (await pages.read(name, presentVersion)) ?? (await freshPage());
    return answers.send(request, reply, body);
  };
}

/** Content of the version before this one, while it is being replaced, knows the pages alone. */
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

  /** Stores the items if the key has so many slots left; those that were not used are given back. */
  async function pushWithin(reply: FastifyReply, items: TypedItem[], slots: number, options: CallOptions) {
    const reservation = await itemWrites.reserve(reply.request.caller.keyId, slots);
    if ('retryAfterSeconds' in reservation) return { ...reservation, slots };
    // Slots of a push whose outcome is unknown stay used: it may have been stored. So do those of one that had
    // to be sent again: its answer leaves out what was stored before.
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

  /** Validation comes before limits: where not all items fit, only those that could be stored need a slot. */
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
    : new AppError('invalid_request', 'No item was accepted; errors says why.');
  const problem = { ...problemFrom(error, request.id), ...counts };
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

/** DELETE /api/v1/items/{row_key}. */
export function deleteItem({ clients }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    await clients.content.deleteItem({ rowKey }, options);
    return reply.code(204).send();
  };
}

/**
 * The row_key in a path as the client sent it, decoded once. Slashes may be
 * encoded or not. Decoding it from the raw path keeps `%2525` what it is; a
 * request may name the host before it (RFC 9112, absolute form).
 * @throws AppError `not_found` for what cannot be decoded: no item has that name.
 */
export function rowKeyFrom(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1);
  const encoded = path.split('/').slice(4).join('/');
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new AppError('not_found', 'There is no such item.', { cause });
  }
}
