import { type CallOptions, createContextValues } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { PushItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { repeatedKey } from '@teammemory/rpc/client/network-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pushBody } from '../contract/items.ts';
import type { PushAnswer } from '../contract/push-answer.ts';
import { validate } from '../contract/validate.ts';
import { problemFrom } from '../http-error.ts';
import { quotaHeaders, rateLimited } from '../rate-limit/rate-limit-headers.ts';
import { refusedFromProto, sortByType, type TypedItem } from './item-batch.ts';
import type { RouteContext } from './route-context.ts';

/** POST /api/v1/items: stores a batch, each item on its own. */
export function pushItems({ clients, itemWrites }: RouteContext) {
  async function push(
    items: TypedItem[],
    options: CallOptions,
    validateOnly: boolean,
  ): Promise<PushItemsResponse> {
    const request = { items: items.map(({ input }) => input), validateOnly };
    return clients.content.pushItems(request, options).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
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
