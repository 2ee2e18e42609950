import { type CallOptions, createContextValues } from '@connectrpc/connect';
import type { PushItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { repeatedKey } from '@teammemory/rpc/client/network-transport.ts';
import type { FastifyRequest } from 'fastify';
import { type AnswerHeaders, quotaHeaders, rateLimited } from '../rate-limit/http-limits.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { routeOf } from '../trace-requests.ts';
import type { PushAnswer } from './contract.ts';
import { refusedFromProto, sortByType, type TypedItem } from './item-batch.ts';

/** What pushing items needs. */
export type ItemPushDependencies = Pick<RouteDependencies, 'clients' | 'itemWrites' | 'refusals'>;

/** The request that pushes, and where the headers of its limit go. */
export interface ItemPushCall {
  request: Pick<FastifyRequest, 'caller' | 'id' | 'method' | 'routeOptions'>;
  answer: AnswerHeaders;
}

/**
 * Returns the pushing of batches: each item is stored on its own, within the limit of the key. What is not stored is
 * listed in the order of the batch. Access is checked by who calls it.
 * @throws AppError `rate_limited`, and what content was refused with as a whole.
 */
export function createItemPush({ clients, itemWrites, refusals }: ItemPushDependencies) {
  async function push(
    items: TypedItem[],
    options: CallOptions,
    validateOnly: boolean,
  ): Promise<PushItemsResponse> {
    const request = { items: items.map(({ input }) => input), validateOnly };
    return clients.content.pushItems(request, options);
  }

  /** Stores the items if the key has `slots` left, and returns those that were not used. */
  async function pushWithin(
    { request, answer }: ItemPushCall,
    items: TypedItem[],
    slots: number,
    options: CallOptions,
  ) {
    const { keyId, itemWritesPerMinute } = request.caller;
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
      answer.headers(quotaHeaders('item-writes', await reservation.settle(used)));
    }
  }

  /** Validation comes before limits: if not all items fit, only those that can be stored need a slot. */
  async function pushWithinLimit(call: ItemPushCall, items: TypedItem[], options: CallOptions) {
    if (items.length === 0) return { accepted: 0, errors: [] };
    const result = await pushWithin(call, items, items.length, options);
    if (!('retryAfterSeconds' in result)) return result;
    const checked = await push(items, options, true);
    if (checked.written === items.length) return result;
    return checked.written === 0 ? checked : pushWithin(call, items, checked.written, options);
  }

  return async (batch: readonly unknown[], call: ItemPushCall): Promise<PushAnswer> => {
    const { items, refused } = await sortByType(batch);
    const { caller, id: requestId } = call.request;
    const options = await clients.unary('content', { caller, requestId });
    const result = await pushWithinLimit(call, items, options);
    if ('retryAfterSeconds' in result) throw rateLimited(call.answer, 'item-writes', result, result.slots);
    refused.push(...result.errors.map((error) => refusedFromProto(error, items)));
    refused.sort((a, b) => a.index - b.index);
    const name = `${call.request.method} ${routeOf(call.request)}`;
    for (const { code, detail, row_key } of refused) {
      refusals.note(caller, name, { code, message: detail }, row_key ?? '');
    }
    return { accepted: result.accepted, rejected: refused.length, errors: refused };
  };
}
