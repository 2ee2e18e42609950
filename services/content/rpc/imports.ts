import type { ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { ContentService, ImportAuthor } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import { importDecision } from '../domain/decisions/decisions.ts';
import type { FeedWriter } from '../domain/feed/feed-writer.ts';
import type { Projection } from '../domain/feed/progress.ts';
import { pushItems } from '../domain/items/push-items.ts';
import { decisionFieldsFromProto } from './decision-proto.ts';
import { itemDraftFromProto, itemErrorToProto } from './item-proto.ts';
import { requireNoSecrets } from './require-no-secrets.ts';

type Handlers = ServiceImpl<typeof ContentService>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Handles of members are no longer. */
const maxHandleCharacters = 64;

interface Dependencies {
  audit: Audit;
  /** Of items, or of decisions. */
  writer: FeedWriter;
  projection: Projection;
  findSecrets: SecretFinder;
}

/** Handles `ContentService.ImportItems`. An item that is there already is never replaced. */
export function importItemsHandler({
  audit,
  writer,
  projection,
  findSecrets,
}: Dependencies): Handlers['importItems'] {
  return async (request, context) => {
    requireAdministrator(context);
    const teamId = teamIdFromProto(request.teamId);
    const by = { tier: 'team', access: 'write', ...authorFromProto(request.author) } as const;
    const drafts = request.items.map((item) => ({ ...itemDraftFromProto(item), createOnly: true }));
    const { written, refusals } = await audit.act(
      context,
      { action: 'import', teamId, object: 'items', after: { items: String(drafts.length) } },
      () => pushItems({ writer, findSecrets }, teamId, by, drafts, context.signal),
      ({ written }) => ({ after: { written: String(written) } }),
    );
    if (written > 0) projection.nudge(teamId);
    return {
      accepted: drafts.length - refusals.length,
      rejected: refusals.length,
      written,
      errors: refusals.map(({ index, refusal }) =>
        itemErrorToProto(index, drafts[index]?.rowKey ?? '', refusal),
      ),
    };
  };
}

/** Handles `ContentService.ImportDecision`. */
export function importDecisionHandler({
  audit,
  writer,
  projection,
  findSecrets,
}: Dependencies): Handlers['importDecision'] {
  return async ({ teamId: named, author, decision }, context) => {
    requireAdministrator(context);
    const teamId = teamIdFromProto(named);
    const decisionId = decision?.decisionId ?? '';
    if (!uuid.test(decisionId)) throw wrong('/decision/decision_id', 'must be a UUID in lower case');
    const fields = decisionFieldsFromProto(decision);
    requireNoSecrets(findSecrets, { title: fields.title, body: fields.body });
    const by = authorFromProto(author);
    const written = await audit.act(
      context,
      { action: 'import', teamId, object: `decision ${decisionId}` },
      () => importDecision({ writer }, teamId, by, { decisionId, fields }),
    );
    if (written) projection.nudge(teamId);
    return { written };
  };
}

/** @throws AppError `invalid_request`. */
function authorFromProto(author: ImportAuthor | undefined): { handle: string; memberId: string | undefined } {
  const { handle = '', memberId = '' } = author ?? {};
  if (memberId !== '' && !uuid.test(memberId))
    throw wrong('/author/member_id', 'must be a UUID in lower case');
  if (handle.length > maxHandleCharacters || /[\p{Cc}\p{Cs}]/u.test(handle)) {
    throw wrong(
      '/author/handle',
      `must be at most ${maxHandleCharacters} characters without control characters`,
    );
  }
  return { handle: handle || 'administrator', memberId: memberId || undefined };
}

function wrong(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `The ${pointer.slice(1)} ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
