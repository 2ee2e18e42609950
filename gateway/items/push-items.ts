import type { MessageInitShape } from '@bufbuild/protobuf';
import { type CallOptions, createContextValues } from '@connectrpc/connect';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import type {
  ItemError,
  ItemInputSchema,
  PushItemsResponse,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { repeatedKey } from '@teammemory/rpc/client/network-transport.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import type { FastifyRequest } from 'fastify';
import { type AnswerHeaders, quotaHeaders, rateLimited } from '../rate-limit/http-limits.ts';
import { type KeyCaller, originOf, routeOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { type ItemToPush, itemShape, type PushAnswer, type RefusedItem, saysPrivate } from './contract.ts';

/** What pushing items needs. */
type ItemPushDependencies = Pick<RouteDependencies, 'clients' | 'itemWrites' | 'refusals'>;

/** The request that pushes, and where the headers of its limit go. */
export interface ItemPushCall {
  request: Pick<FastifyRequest, 'caller' | 'method'> & Parameters<typeof originOf>[0];
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

  /**
   * Looks first at what the batch would write, so that items that change nothing never need a slot. Only the others are
   * then sent to be stored, so no more is written than was reserved, whatever changes in between.
   */
  async function pushWithinLimit(call: ItemPushCall, items: TypedItem[], options: CallOptions) {
    if (items.length === 0) return { accepted: 0, proposed: 0, refused: [] };
    const plan = planFrom(await push(items, options, true), items.length);
    const planned = {
      accepted: plan.accepted,
      proposed: plan.proposed,
      refused: plan.errors.map((error) => refusedFromProto(error, items)),
    };
    const { caller } = call.request;
    const slots = slotsOf(plan, caller);
    if (slots === 0) return planned;
    const { keyId, itemWritesPerMinute } = caller;
    const reservation = await itemWrites.reserve(keyId, slots, itemWritesPerMinute);
    if ('retryAfterSeconds' in reservation) throw rateLimited(call.answer, 'item-writes', reservation, slots);
    // Slots stay used if the outcome of the push is unknown, because it may have been stored, and if the push was
    // repeated, because the answer does not count what the first attempt stored.
    let used = slots;
    try {
      if (plan.pending.length === 0) return planned;
      const contextValues = createContextValues();
      const pending = plan.pending.flatMap((index) => items[index] ?? []);
      const { accepted, proposed, written, errors } = await push(
        pending,
        { ...options, contextValues },
        false,
      );
      if (!contextValues.get(repeatedKey))
        used = slotsOf({ written, errors: [...plan.errors, ...errors] }, caller);
      const refused = errors.map((error) => refusedFromProto(error, pending));
      return {
        accepted: planned.accepted + accepted,
        proposed: planned.proposed + proposed,
        refused: [...planned.refused, ...refused],
      };
    } finally {
      call.answer.headers(quotaHeaders('item-writes', await reservation.settle(used)));
    }
  }

  return async (batch: readonly unknown[], call: ItemPushCall): Promise<PushAnswer> => {
    const { items, refused } = await sortByType(batch);
    const { caller } = call.request;
    const options = await clients.unary('content', { caller, ...originOf(call.request) });
    const result = await pushWithinLimit(call, items, options);
    refused.push(...result.refused);
    refused.sort((a, b) => a.index - b.index);
    const name = `${call.request.method} ${routeOf(call.request)}`;
    for (const { code, detail, row_key } of refused) {
      refusals.note(caller, name, { code, message: detail }, row_key ?? '');
    }
    const proposed = caller.access === 'propose' ? { proposed: result.proposed } : {};
    return { accepted: result.accepted, rejected: refused.length, ...proposed, errors: refused };
  };
}

/**
 * Returns a plan with what is still to be written. Content of 0.1 looks nothing up and names no items, so all that it
 * did not refuse are to be written; taken for written, they would be lost.
 */
function planFrom(plan: PushItemsResponse, items: number): PushItemsResponse {
  if (plan.pending.length > 0 || plan.written === 0) return plan;
  const refused = new Set(plan.errors.map(({ index }) => index));
  const pending = Array.from({ length: items }, (_, index) => index).filter((index) => !refused.has(index));
  return { ...plan, accepted: plan.accepted - pending.length, pending };
}

/** Refusals of an external key that keep their slot. */
const countedRefusals: readonly string[] = ['forbidden_tier', 'quota_exceeded'];

/**
 * Returns the slots that a batch takes: one for each item that is written, and of an external key one for each that may
 * tell whether a hidden item has the name. A free refusal would let the key try names without end: `forbidden_tier`
 * where one has it, and without room in its quota `quota_exceeded` where none has.
 */
function slotsOf(
  { written, errors }: Pick<PushItemsResponse, 'written' | 'errors'>,
  { tier }: KeyCaller,
): number {
  return (
    written + (tier === 'external' ? errors.filter(({ code }) => countedRefusals.includes(code)).length : 0)
  );
}

/** Characters of a refused row_key that are sent back; its length may be what is wrong. */
const maxEchoedCharacters = maxRowKeyBytes;

/** An item whose members have the right types, and its index in the batch. */
export interface TypedItem {
  index: number;
  input: MessageInitShape<typeof ItemInputSchema>;
}

/**
 * Separates the items whose members have the right types from the others, which no service could read. Other requests
 * get their turn between two items.
 */
export async function sortByType(
  values: readonly unknown[],
): Promise<{ items: TypedItem[]; refused: RefusedItem[] }> {
  const items: TypedItem[] = [];
  const refused: RefusedItem[] = [];
  const nextTurn = eventLoopTurns();
  for (const [index, value] of values.entries()) {
    const typed = typedItem(value);
    await nextTurn();
    if (typeof typed !== 'string') {
      items.push({ index, input: typed });
      continue;
    }
    const reason: Pick<RefusedItem, 'code' | 'detail'> = saysPrivate(value)
      ? { code: 'admin_tier', detail: 'Private content is not accepted; correct its tier or audience.' }
      : { code: 'invalid_request', detail: typed };
    refused.push({ index, row_key: rowKeyOf(value), ...reason });
  }
  return { items, refused };
}

/** Maps a refusal of the content service; `items` are the items that were sent to it. */
export function refusedFromProto(error: ItemError, items: readonly TypedItem[]): RefusedItem {
  const { index, rowKey, code, detail, currentChecksum } = error;
  return {
    index: items[index]?.index ?? index,
    row_key: cutRowKey(rowKey),
    // A string in the proto; content sends only these codes.
    code: code as RefusedItem['code'],
    detail,
    ...(currentChecksum === undefined ? {} : { current_checksum: currentChecksum || null }),
  };
}

/** Returns the item as an RPC message, or what is wrong with its types. */
function typedItem(value: unknown): TypedItem['input'] | string {
  const result = itemShape.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return issue === undefined || issue.path.length === 0
      ? 'An item must be an object.'
      : `${issue.path.join('.')} ${issue.message}.`;
  }
  return itemInputFrom(result.data);
}

/** Returns an item whose members have the right types as an RPC message. */
export function itemInputFrom(item: ItemToPush): TypedItem['input'] {
  const { row_key, content, frontmatter, tier, checksum, base_checksum, frontmatter_text } = item;
  return {
    rowKey: row_key,
    content,
    frontmatterJson: Buffer.from(JSON.stringify(frontmatter)),
    tier,
    checksum,
    ...(typeof base_checksum === 'string' ? { baseChecksum: base_checksum } : {}),
    createOnly: base_checksum === null,
    ...(frontmatter_text === undefined ? {} : { frontmatterText: frontmatter_text }),
  };
}

function rowKeyOf(value: unknown): string {
  const rowKey = (value as { row_key?: unknown } | null | undefined)?.row_key;
  return typeof rowKey === 'string' ? cutRowKey(rowKey) : '';
}

function cutRowKey(rowKey: string): string {
  return rowKey.slice(0, maxEchoedCharacters).toWellFormed();
}
