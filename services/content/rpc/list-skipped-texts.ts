import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { MethodImpl } from '@connectrpc/connect';
import {
  type ContentService,
  SkipReason as ReasonProto,
  type SkippedTextSchema,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { listSkippedTexts } from '../domain/list-skipped-texts.ts';
import type { Projection } from '../domain/projection.ts';
import type { SkippedText, SkippedTextStore, SkipReason } from '../domain/skipped-text-store.ts';
import { requireTeamWriter } from './team-writer.ts';

const reasons: Record<SkipReason, ReasonProto> = {
  too_complex: ReasonProto.TOO_COMPLEX,
  too_many: ReasonProto.TOO_MANY,
  too_deep: ReasonProto.TOO_DEEP,
  too_long: ReasonProto.TOO_LONG,
};

/** Answers `ContentService.ListSkippedTexts`. */
export function listSkippedTextsHandler(dependencies: {
  skipped: SkippedTextStore;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.listSkippedTexts> {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const query = { after: request.pageToken, limit: request.pageSize };
    const { texts, next } = await listSkippedTexts(dependencies, teamId, query);
    return { texts: texts.map(skippedTextToProto), nextPageToken: next };
  };
}

function skippedTextToProto(text: SkippedText): MessageInitShape<typeof SkippedTextSchema> {
  const { kind, id, reason, noticedAtMs } = text;
  return {
    ...(kind === 'item' ? { rowKey: id } : { decisionId: id }),
    reason: reasons[reason],
    noticedAt: timestampFromMs(noticedAtMs),
  };
}
