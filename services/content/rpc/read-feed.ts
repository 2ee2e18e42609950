import type { MethodImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type ContentService, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { pageLimits, pageMaxBytes } from '../domain/list-items.ts';
import type { Projection } from '../domain/projection.ts';
import type { ProjectionStore } from '../domain/projection-store.ts';
import { teamHeads } from '../domain/team-heads.ts';
import { feedEntryToProto, rowEntryToProto } from './item-proto.ts';

/** The lists that followers read. */
interface FollowedLists {
  items: ItemStore;
  tasks: ItemStore;
  decisions: ItemStore;
}

/** Tasks of one page: of a few hundred bytes each, and removed ones, which a team may have very many of, of some twenty. */
const tasksMaxPage = 1_000;

/** Answers `ContentService.ReadFeed`. */
export function readFeedHandler(lists: FollowedLists): MethodImpl<typeof ContentService.method.readFeed> {
  return async ({ teamId, afterSeq, limit, list }, context) => {
    requireScope(context, 'feed:read');
    const store = storeOf(list, lists);
    const maximum = store === lists.tasks ? tasksMaxPage : pageLimits.maximum;
    const count = Math.min(limit || maximum, maximum);
    const entries = await store.readFrom(teamId, Number(afterSeq), { limit: count, maxBytes: pageMaxBytes });
    // Asked after the rows: one that moved on while they were read, and is not among them, stands at or before it.
    const { seq: headSeq } = await store.head(teamId);
    const toProto = store === lists.items ? feedEntryToProto : rowEntryToProto;
    return { entries: entries.map(toProto), headSeq: BigInt(headSeq) };
  };
}

function storeOf(list: FeedList, { items, tasks, decisions }: FollowedLists): ItemStore {
  if (list === FeedList.UNSPECIFIED || list === FeedList.ITEMS) return items;
  if (list === FeedList.TASKS) return tasks;
  if (list === FeedList.DECISIONS) return decisions;
  // A number of a later version of the proto must not be taken for something else.
  throw new AppError('invalid_request', 'There is no such list.');
}

/** Answers `ContentService.ReadHeads`. */
export function readHeadsHandler(
  dependencies: FollowedLists & { places: ProjectionStore; projection: Projection },
): MethodImpl<typeof ContentService.method.readHeads> {
  return async ({ teamId }, context) => {
    requireScope(context, 'feed:read');
    const { itemsSeq, tasksSeq, decisionsSeq, projectsVersion } = await teamHeads(dependencies, teamId);
    return {
      itemsSeq: BigInt(itemsSeq),
      tasksSeq: BigInt(tasksSeq),
      decisionsSeq: BigInt(decisionsSeq),
      projectsVersion: BigInt(projectsVersion),
    };
  };
}
