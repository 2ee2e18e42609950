import type { ServiceImpl } from '@connectrpc/connect';
import type {
  ContentService,
  DecisionStatus as StatusProto,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import { type DecisionFields, decisionFromRow, isRemoved } from '../domain/decisions/decision.ts';
import {
  createDecision,
  editDecision,
  findDecision,
  listDecisionVersions,
  maxPageVersions,
  readDecision,
  removeDecision,
} from '../domain/decisions/decisions.ts';
import type { Cursors } from '../domain/feed/cursor.ts';
import { listFeedJson } from '../domain/feed/feed-page.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { FeedWriter } from '../domain/feed/feed-writer.ts';
import { type RowFilter, textMember } from '../domain/feed/filtered-page.ts';
import type { Projection } from '../domain/feed/progress.ts';
import {
  decisionEditFromProto,
  decisionFieldsFromProto,
  decisionIdFromProto,
  decisionToProto,
  statusFromProto,
} from './decision-proto.ts';
import {
  noRemovedRows,
  pageQueryFromProto,
  pageToProto,
  revisionFromToken,
  tokenFromRevision,
} from './feed-proto.ts';
import { requireNoSecrets } from './require-no-secrets.ts';
import { requireTeamChange, requireTeamReader, requireTeamWriter } from './team-principal.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Dependencies {
  decisions: FeedStore;
  cursors: Cursors;
  audit: Audit;
  writer: FeedWriter;
  projection: Projection;
  findSecrets: SecretFinder;
}

/** Handles `ContentService.ListDecisions`; administrators read what team-tier keys do. */
export function listDecisionsHandler({ decisions: feed, cursors }: Dependencies): Handlers['listDecisions'] {
  return async (request, context) => {
    const reader = requireTeamReader(context, request.teamId);
    const query = { ...pageQueryFromProto(request.page), filter: statusFilter(request.status) };
    if (query.filter !== undefined && query.includeDeleted) throw noRemovedRows();
    const page = await listFeedJson({ feed, cursors }, 'decisions', reader, query, 'decision_id');
    return { page: pageToProto(page, request.page) };
  };
}

/** Returns a filter of decisions; undefined if all are wanted. Throws AppError `invalid_request`. */
function statusFilter(status: StatusProto): RowFilter | undefined {
  const wanted = statusFromProto(status);
  return wanted === undefined
    ? undefined
    : { name: wanted, accepts: (json) => textMember(json, 'status') === wanted };
}

/** Handles `ContentService.GetDecision`. */
export function getDecisionHandler({ decisions }: Dependencies): Handlers['getDecision'] {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const decisionId = decisionIdFromProto(request.decisionId);
    const row = await findDecision(decisions, teamId, decisionId);
    return { decision: decisionToProto(decisionFromRow(row)) };
  };
}

/** Handles `ContentService.GetShownDecision`. */
export function getShownDecisionHandler({ decisions }: Dependencies): Handlers['getShownDecision'] {
  return async ({ decisionId }, context) => {
    const reader = requireCaller(context);
    const id = decisionIdFromProto(decisionId);
    return { decisionJson: await readDecision(decisions, reader, id) };
  };
}

/** Handles `ContentService.CreateDecision`. */
export function createDecisionHandler({
  audit,
  writer,
  projection,
  findSecrets,
}: Dependencies): Handlers['createDecision'] {
  return async (request, context) => {
    const { teamId, by } = requireTeamChange(context, request.teamId);
    const fields = decisionFieldsFromProto(request.decision);
    requireNoSecrets(findSecrets, { title: fields.title, body: fields.body });
    const decision = await audit.act(
      context,
      { action: 'decision.create', teamId, object: '', after: factsOf(fields) },
      () => createDecision({ writer }, teamId, by, fields),
      ({ decisionId }) => ({ object: decisionId }),
    );
    projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}

/** Handles `ContentService.EditDecision`. */
export function editDecisionHandler({
  audit,
  decisions,
  writer,
  projection,
  findSecrets,
}: Dependencies): Handlers['editDecision'] {
  return async (request, context) => {
    const { teamId, by } = requireTeamChange(context, request.teamId);
    const edit = decisionEditFromProto(request);
    requireNoSecrets(findSecrets, { title: edit.changed.title, body: edit.changed.body });
    const row = await findDecision(decisions, teamId, edit.decisionId);
    const decision = await audit.act(
      context,
      {
        action: 'decision.edit',
        teamId,
        object: edit.decisionId,
        before: factsOf(decisionFromRow(row)),
        after: { changed: Object.keys(edit.changed).join(' ') },
      },
      () => editDecision({ decisions, writer }, teamId, by, edit),
      (edited) => ({ after: factsOf(edited) }),
    );
    projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}

/** Handles `ContentService.RemoveDecision`. */
export function removeDecisionHandler({
  audit,
  decisions,
  writer,
  projection,
}: Dependencies): Handlers['removeDecision'] {
  return async (request, context) => {
    const { teamId, by } = requireTeamChange(context, request.teamId);
    const decisionId = decisionIdFromProto(request.decisionId);
    const remove = () => removeDecision({ writer }, teamId, by, decisionId);
    const stored = (await decisions.find(teamId, [decisionId])).get(decisionId);
    // Ids are never given again, so what is not there now cannot be removed.
    if (stored === undefined || isRemoved(stored)) await remove();
    else await audit.act(context, { action: 'decision.remove', teamId, object: decisionId }, remove);
    // Which ends what is left to erase.
    await projection.catchUp(teamId);
    return {};
  };
}

/** What the audit log tells of a decision: nothing of its text. */
function factsOf({ status, audience, hidden }: Pick<DecisionFields, 'status' | 'audience' | 'hidden'>) {
  return { status, audience, hidden: String(hidden) };
}

/** Handles `ContentService.ListDecisionVersions`. */
export function listDecisionVersionsHandler({ decisions }: Dependencies): Handlers['listDecisionVersions'] {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const query = {
      decisionId: decisionIdFromProto(request.decisionId),
      beforeRevision: revisionFromToken(request.pageToken),
      limit: pageSizeFromProto(request.pageSize, maxPageVersions),
    };
    const { versions, nextRevision } = await listDecisionVersions(decisions, teamId, query);
    return { versions: versions.map(decisionToProto), nextPageToken: tokenFromRevision(nextRevision) };
  };
}
