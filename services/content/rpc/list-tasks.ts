import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Cursors } from '../domain/cursor.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { listItems, readyPage } from '../domain/list-items.ts';
import type { Projection } from '../domain/projection.ts';
import { pageQueryFromProto, pageToProto } from './page-proto.ts';

/** Answers `ContentService.ListTasks`: tasks of every item whose push was acknowledged before. */
export function listTasksHandler(dependencies: {
  tasks: ItemStore;
  cursors: Cursors;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.listTasks> {
  const { tasks, cursors, projection } = dependencies;
  return async (request, context) => {
    const { teamId, tier } = requireCaller(context);
    const query = pageQueryFromProto(request.page);
    await projection.catchUp(teamId);
    const page = await listItems({ items: tasks, cursors }, { teamId, tier }, query, 'tasks');
    return { page: pageToProto(readyPage(page, 'task_id')) };
  };
}
