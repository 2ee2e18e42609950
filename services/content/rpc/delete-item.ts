import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { deleteItem } from '../domain/delete-item.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';

/** Answers `ContentService.DeleteItem`. */
export function deleteItemHandler(dependencies: {
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.deleteItem> {
  return async ({ rowKey }, context) => {
    const { teamId, tier, memberHandle: handle, memberId } = requireCaller(context);
    await deleteItem(dependencies, teamId, { tier, handle, memberId }, rowKey);
    dependencies.projection.nudge(teamId);
    return {};
  };
}
