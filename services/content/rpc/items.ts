import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  requireCaller,
  requireGatewayCaller,
  requireProposeAccess,
  requireWriteAccess,
} from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { rowKeyPrefixFault } from '@teammemory/vocabulary/row-key.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import type { Cursors } from '../domain/feed/cursor.ts';
import { feedVersion, jsonArray, listFeed, listFeedJson, versionAt } from '../domain/feed/feed-page.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { FeedWriter } from '../domain/feed/feed-writer.ts';
import type { Projection } from '../domain/feed/progress.ts';
import { eraseItem } from '../domain/items/erase-item.ts';
import { listItemHistory, readItem, readItemVersion } from '../domain/items/item-history.ts';
import { readItemSummaries } from '../domain/items/item-summaries.ts';
import { deleteItem, listItemVersions } from '../domain/items/items.ts';
import { listFolder, maxFolderEntries } from '../domain/items/list-folder.ts';
import { planPush, pushItems } from '../domain/items/push-items.ts';
import type { ProposalStore } from '../domain/proposals/proposal.ts';
import { type ProposalRefusal, planProposals, proposeItems } from '../domain/proposals/propose-items.ts';
import { pageQueryFromProto, pageToProto, revisionFromToken, tokenFromRevision } from './feed-proto.ts';
import { itemAuthorFrom, itemDraftFromProto, itemErrorToProto } from './item-proto.ts';
import { typedItem, typedItems } from './typed-item.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Reading {
  items: FeedStore;
  cursors: Cursors;
}

interface Writing {
  audit: Audit;
  items: FeedStore;
  writer: FeedWriter;
  projection: Projection;
}

/** Handles `ContentService.PushItems`. What a key with access propose pushes is proposed. */
export function pushItemsHandler({
  items: feed,
  proposals,
  clock,
  writer,
  projection,
  findSecrets,
}: Writing & {
  proposals: ProposalStore;
  clock: () => number;
  findSecrets: SecretFinder;
}): Handlers['pushItems'] {
  return async ({ items, validateOnly }, context) => {
    const caller = requireGatewayCaller(context);
    requireProposeAccess(caller);
    const drafts = items.map(itemDraftFromProto);
    const by = itemAuthorFrom(caller, context);
    const errorsOf = (refusals: readonly { index: number; refusal: ProposalRefusal }[]) =>
      refusals.map(({ index, refusal }) => itemErrorToProto(index, drafts[index]?.rowKey ?? '', refusal));
    if (caller.access === 'propose') {
      const propose = validateOnly ? planProposals : proposeItems;
      const proposer = { ...by, memberId: caller.memberId, keyId: caller.keyId };
      const { refusals, ...counts } = await propose(
        { items: feed, proposals, findSecrets, clock },
        caller.teamId,
        proposer,
        drafts,
      );
      return { ...counts, rejected: refusals.length, errors: errorsOf(refusals) };
    }
    if (validateOnly) {
      const { refusals, ...plan } = await planPush({ items: feed, findSecrets }, caller.teamId, by, drafts);
      return { ...plan, rejected: refusals.length, errors: errorsOf(refusals) };
    }
    const result = await pushItems(
      { writer, items: feed, findSecrets },
      caller.teamId,
      by,
      drafts,
      context.signal,
    );
    const { accepted, written, refusals } = result;
    if (written > 0) projection.nudge(caller.teamId);
    return { accepted, written, rejected: refusals.length, errors: errorsOf(refusals) };
  };
}

/** Handles `ContentService.ListItems`. */
export function listItemsHandler({ items: feed, cursors }: Reading): Handlers['listItems'] {
  return async (request, context) => {
    const reader = requireCaller(context);
    const { prefix, summary } = request;
    const fault = rowKeyPrefixFault(prefix);
    if (fault !== undefined) throw new AppError('invalid_request', `prefix ${fault}.`);
    const query = { ...pageQueryFromProto(request.page), prefix, summary };
    if (request.typed) {
      const { rows, nextCursor, hasMore, newestMs } = await listFeed(
        { feed, cursors },
        'items',
        reader,
        query,
      );
      return { page: { nextCursor, hasMore }, items: await typedItems(rows), version: versionAt(newestMs) };
    }
    const page = await listFeedJson({ feed, cursors }, 'items', reader, query, 'row_key');
    return { page: pageToProto(page, request.page), version: versionAt(page.newestMs) };
  };
}

/** Handles `ContentService.ListFolder`. */
export function listFolderHandler({ items: feed }: Reading): Handlers['listFolder'] {
  return async ({ folder, pageToken: token, pageSize }, context) => {
    const reader = requireCaller(context);
    const limit = pageSizeFromProto(pageSize, maxFolderEntries);
    const { folders, items, item, nextToken } = await listFolder(feed, reader, { folder, token, limit });
    return {
      folders: folders.map(({ name, items: count, hasMore }) => ({
        name,
        items: count,
        hasMoreItems: hasMore,
      })),
      itemsJson: jsonArray(items),
      itemJson: item ?? new Uint8Array(),
      nextPageToken: nextToken,
    };
  };
}

/** Handles `ContentService.GetItemSummaries`. */
export function getItemSummariesHandler({ items: feed }: Reading): Handlers['getItemSummaries'] {
  return async ({ rowKeys }, context) => {
    const { items, unread } = await readItemSummaries(feed, requireCaller(context), rowKeys);
    return { itemsJson: jsonArray(items), unreadRowKeys: unread };
  };
}

/** Handles `ContentService.GetItemsVersion`. */
export function getItemsVersionHandler({ items }: Reading): Handlers['getItemsVersion'] {
  return async (_request, context) => {
    const reader = requireCaller(context);
    return { version: await feedVersion(items, reader) };
  };
}

/** Handles `ContentService.GetItem`. */
export function getItemHandler({ items }: Reading): Handlers['getItem'] {
  return async ({ rowKey, typed }, context) => {
    const reader = requireCaller(context);
    const json = await readItem(items, reader, rowKey);
    return typed ? { item: typedItem(json) } : { itemJson: json };
  };
}

/** Handles `ContentService.ListItemHistory`. */
export function listItemHistoryHandler({ items, cursors }: Reading): Handlers['listItemHistory'] {
  return async ({ rowKey, cursor, limit: wanted }, context) => {
    const reader = requireCaller(context);
    const limit = pageSizeFromProto(wanted, maxPageRows, 'limit');
    const { versions, nextCursor } = await listItemHistory({ items, cursors }, reader, {
      rowKey,
      cursor,
      limit,
    });
    return { versionsJson: Buffer.from(JSON.stringify(versions)), nextCursor };
  };
}

/** Handles `ContentService.GetItemVersion`. */
export function getItemVersionHandler({ items }: Reading): Handlers['getItemVersion'] {
  return async ({ rowKey, revision }, context) => {
    const reader = requireCaller(context);
    const version = { rowKey, revision: Number(revision) };
    return { versionJson: await readItemVersion(items, reader, version) };
  };
}

/** Handles `ContentService.DeleteItem`. */
export function deleteItemHandler({ audit, items, writer, projection }: Writing): Handlers['deleteItem'] {
  return async ({ rowKey, baseChecksum }, context) => {
    const caller = requireCaller(context);
    requireWriteAccess(caller);
    const { teamId } = caller;
    const noted = (removal: () => Promise<void>) =>
      audit.act(context, { action: 'item.remove', teamId, object: rowKey }, removal);
    await deleteItem(
      { writer, audit: { items, noted } },
      teamId,
      itemAuthorFrom(caller, context),
      rowKey,
      baseChecksum,
    );
    projection.nudge(caller.teamId);
    return {};
  };
}

/** Handles `ContentService.EraseItem`. */
export function eraseItemHandler({ audit, items, writer, projection }: Writing): Handlers['eraseItem'] {
  return async ({ rowKey, baseChecksum }, context) => {
    const caller = requireCaller(context);
    requireWriteAccess(caller);
    const { teamId } = caller;
    const noted = (erasure: () => Promise<void>) =>
      audit.act(context, { action: 'item.erase', teamId, object: rowKey }, erasure);
    await eraseItem(
      { items, writer, projection, noted },
      teamId,
      itemAuthorFrom(caller, context),
      rowKey,
      baseChecksum,
    );
    return {};
  };
}

/** Handles `ContentService.ListItemVersions`. */
export function listItemVersionsHandler({ items }: Reading): Handlers['listItemVersions'] {
  return async (request, context) => {
    const reader = requireCaller(context);
    const query = {
      rowKey: request.rowKey,
      beforeRevision: revisionFromToken(request.pageToken),
      limit: pageSizeFromProto(request.pageSize, maxPageRows),
    };
    const { versions, nextRevision } = await listItemVersions({ items }, reader, query);
    return {
      versionsJson: jsonArray(versions.map(({ json }) => json)),
      nextPageToken: tokenFromRevision(nextRevision),
    };
  };
}
