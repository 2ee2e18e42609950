import type { ServiceImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { eraseMemberTexts } from '../domain/erasure/erase-member.ts';

type Handlers = ServiceImpl<typeof ContentService>;

type Dependencies = Omit<Parameters<typeof eraseMemberTexts>[0], 'noted'> & { audit: Audit };

/** Handles `ContentService.EraseMemberTexts`. */
export function eraseMemberTextsHandler({
  audit,
  items,
  decisions,
  proposals,
  projection,
  writers,
}: Dependencies): Handlers['eraseMemberTexts'] {
  return async ({ teamId: named, handle, pageToken, dryRun }, context) => {
    requireAdministrator(context);
    const teamId = teamIdFromProto(named);
    const { nextToken, ...texts } = await eraseMemberTexts(
      {
        items,
        decisions,
        proposals,
        projection,
        writers,
        noted: (texts, erasure) => {
          const after = Object.fromEntries(Object.entries(texts).map(([name, count]) => [name, `${count}`]));
          return audit.act(context, { action: 'member.erase', teamId, object: handle, after }, erasure);
        },
      },
      teamId,
      { handle, pageToken, dryRun },
    );
    return { ...texts, nextPageToken: nextToken };
  };
}
