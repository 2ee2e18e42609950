import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireGatewayCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { checkBatch, pushItems } from '../domain/push-items.ts';
import { itemDraftFromProto, itemErrorToProto } from './item-proto.ts';

/** Answers `ContentService.PushItems`. */
export function pushItemsHandler(dependencies: {
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.pushItems> {
  return async (request, context) => {
    const caller = requireGatewayCaller(context);
    const drafts = request.items.map(itemDraftFromProto);
    const by = { tier: caller.tier, handle: caller.memberHandle, memberId: caller.memberId };
    const result = request.validateOnly
      ? await checkBatch(by, drafts)
      : await pushItems(dependencies, caller.teamId, by, drafts, context.signal);
    if (!request.validateOnly && result.written > 0) dependencies.projection.nudge(caller.teamId);
    return {
      accepted: result.accepted,
      rejected: result.refusals.length,
      written: result.written,
      errors: result.refusals.map(({ index, refusal }) =>
        itemErrorToProto(index, drafts[index]?.rowKey ?? '', refusal),
      ),
    };
  };
}
