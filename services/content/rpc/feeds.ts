import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type ContentService, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  principalKey,
  requireAnyScope,
  requireCaller,
  requireScopeOrAdministrator,
} from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto, teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { maxPageBytes } from '../domain/feed/feed-page.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import {
  listTeamFeeds,
  maxPageFeeds,
  type ProgressStore,
  type Projection,
  teamHeads,
} from '../domain/feed/progress.ts';
import { itemEntryToProto, rowEntryToProto } from './feed-proto.ts';
import { typedEntriesToProto } from './typed-item.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  items: FeedStore;
  tasks: FeedStore;
  decisions: FeedStore;
  projection: Projection;
  noteExport: NoteExport;
  /** Of the data, as a restore gives another. */
  identity: string;
  progress: ProgressStore;
}

/** Tasks of one page: a few hundred bytes each, and some twenty for removed ones, of which a team may have very many. */
const maxPageTasks = 1_000;

/** Handles `ContentService.ReadFeed`. */
export function readFeedHandler({ items, tasks, decisions, noteExport }: Dependencies): Handlers['readFeed'] {
  return async ({ teamId, afterSeq, limit, list, typed }, context) => {
    requireScopeOrAdministrator(context, 'feed:read', teamId);
    teamIdFromProto(teamId);
    await noteExport(context, teamId);
    const feed = feedOf(list, { items, tasks, decisions });
    const maximum = feed === tasks ? maxPageTasks : maxPageRows;
    const count = pageSizeFromProto(limit, maximum, 'limit') || maximum;
    const entries = await feed.readFrom(teamId, Number(afterSeq), { limit: count, maxBytes: maxPageBytes });
    // Read after the rows: a row that moved in between, and is not among them, is at or before this position.
    const { seq: headSeq } = await feed.head(teamId);
    if (typed && feed === items)
      return { entries: await typedEntriesToProto(entries), headSeq: BigInt(headSeq) };
    const toProto = feed === items ? itemEntryToProto : rowEntryToProto;
    return { entries: entries.map(toProto), headSeq: BigInt(headSeq) };
  };
}

function feedOf(
  list: FeedList,
  { items, tasks, decisions }: Pick<Dependencies, 'items' | 'tasks' | 'decisions'>,
): FeedStore {
  if (list === FeedList.UNSPECIFIED || list === FeedList.ITEMS) return items;
  if (list === FeedList.TASKS) return tasks;
  if (list === FeedList.DECISIONS) return decisions;
  // A number of a later version of the proto must not be taken for something else.
  throw new AppError(
    'invalid_request',
    'The list must be FEED_LIST_ITEMS, FEED_LIST_TASKS or FEED_LIST_DECISIONS.',
  );
}

/** Handles `ContentService.ReadHeads`. */
export function readHeadsHandler({
  items,
  tasks,
  decisions,
  progress,
  projection,
  identity,
  noteExport,
}: Dependencies): Handlers['readHeads'] {
  return async ({ teamId }, context) => {
    requireScopeOrAdministrator(context, 'feed:read', teamId);
    teamIdFromProto(teamId);
    await noteExport(context, teamId);
    const heads = await teamHeads({ items, tasks, decisions, progress, projection }, teamId);
    const { itemsSeq, tasksSeq, decisionsSeq, projectsVersion, externalVersion } = heads;
    return {
      itemsSeq: BigInt(itemsSeq),
      tasksSeq: BigInt(tasksSeq),
      decisionsSeq: BigInt(decisionsSeq),
      projectsVersion: BigInt(projectsVersion),
      dataId: identity,
      externalVersion,
    };
  };
}

/** Handles `ContentService.ReadNewestTimes`, with the times that the lists of the caller show. */
export function readNewestTimesHandler({
  items,
  tasks,
  decisions,
  projection,
}: Dependencies): Handlers['readNewestTimes'] {
  return async (_request, context) => {
    const { teamId, tier } = requireCaller(context);
    await projection.catchUp(teamId);
    const feeds = [items, tasks, decisions];
    const newest = await Promise.all(feeds.map((feed) => feed.newestAtMs(teamId, tier)));
    // 0 is the time of an empty list.
    const [itemsUpdatedAt, tasksUpdatedAt, decisionsUpdatedAt] = newest.map((atMs) =>
      atMs === 0 ? undefined : timestampFromMs(atMs),
    );
    return {
      ...(itemsUpdatedAt === undefined ? {} : { itemsUpdatedAt }),
      ...(tasksUpdatedAt === undefined ? {} : { tasksUpdatedAt }),
      ...(decisionsUpdatedAt === undefined ? {} : { decisionsUpdatedAt }),
    };
  };
}

/** Handles `ContentService.ListFeeds`. */
export function listFeedsHandler({ progress }: Dependencies): Handlers['listFeeds'] {
  return async ({ pageToken, pageSize }, context) => {
    const teams = requireAnyScope(context, 'feed:read');
    const query = { afterTeamId: pageToken, limit: pageSizeFromProto(pageSize, maxPageFeeds), teams };
    const { feeds, nextTeamId } = await listTeamFeeds({ progress }, query);
    return {
      feeds: feeds.map(({ teamId, changes }) => ({ teamId, seq: BigInt(changes) })),
      nextPageToken: nextTeamId,
    };
  };
}

/** An export reads many pages; those of one administrator and team within this time are one. */
const exportMs = 10 * 60 * 1_000;
/** Exports that are remembered; one that is forgotten is noted once more. */
const exportsKept = 1_000;

/** Notes in the audit log that an administrator begins to read all of a team. Services that follow feeds are not noted. */
export type NoteExport = (
  context: Pick<HandlerContext, 'values' | 'requestHeader'>,
  teamId: string,
) => Promise<void>;

/** Makes the function that notes exports. `clock`: milliseconds since the epoch. */
export function createNoteExport(audit: Audit, clock: () => number): NoteExport {
  const noted = new Map<string, { atMs: number; noting: Promise<void> }>();
  return async (context, teamId) => {
    const principal = context.values.get(principalKey);
    if (principal?.kind !== 'administrator') return;
    const nowMs = clock();
    const name = `${principal.name} ${teamId}`;
    const known = noted.get(name);
    // A clock that was set back makes it another one.
    if (known !== undefined && Math.abs(nowMs - known.atMs) < exportMs) return known.noting;
    const noting = audit.act(context, { action: 'export', teamId, object: 'feeds' }, async () => undefined);
    noted.delete(name);
    const [oldest] = noted.keys();
    if (noted.size >= exportsKept && oldest !== undefined) noted.delete(oldest);
    noted.set(name, { atMs: nowMs, noting });
    // What could not be noted is tried again.
    noting.catch(() => noted.delete(name));
    return noting;
  };
}
