import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type ContentService, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  requireAnyScope,
  requireCaller,
  requireScopeOrAdministrator,
} from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/page-size.ts';
import { teamIdFromProto } from '@teammemory/rpc/team-id.ts';
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
import type { NoteExport } from './note-export.ts';
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
