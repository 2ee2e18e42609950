import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller, requireProposeAccess } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto } from '@teammemory/rpc/request-fields.ts';
import type { Audit } from '@teammemory/rpc/server/audit-handlers.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { SecretFinder } from '@teammemory/vocabulary/secret-scan.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import type { FeedWriter } from '../domain/feed/feed-writer.ts';
import type { Projection } from '../domain/feed/progress.ts';
import type { Proposal, ProposalStore } from '../domain/proposals/proposal.ts';
import {
  acceptProposal,
  declineProposal,
  listProposals,
  readProposal,
  withdrawProposal,
} from '../domain/proposals/review-proposals.ts';
import { itemAuthorFrom, itemDraftFromProto } from './item-proto.ts';
import {
  itemDraftToProto,
  proposalReaderFrom,
  proposalStateFromProto,
  proposalToProto,
} from './proposal-proto.ts';

type Handlers = ServiceImpl<typeof ContentService>;

interface Reading {
  proposals: ProposalStore;
  items: FeedStore;
}

interface Deciding extends Reading {
  audit: Audit;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Handles `ContentService.ListProposals`. */
export function listProposalsHandler({ proposals }: Reading): Handlers['listProposals'] {
  return async ({ state, pageSize, pageToken }, context) => {
    const reader = proposalReaderFrom(requireCaller(context));
    const page = await listProposals({ proposals }, reader, {
      state: proposalStateFromProto(state),
      token: pageToken,
      limit: pageSizeFromProto(pageSize, maxPageRows) || maxPageRows,
    });
    return { proposals: page.proposals.map(proposalToProto), nextPageToken: page.nextToken };
  };
}

/** Handles `ContentService.GetProposal`. */
export function getProposalHandler({ proposals, items }: Reading): Handlers['getProposal'] {
  return async ({ proposalId }, context) => {
    const reader = proposalReaderFrom(requireCaller(context));
    const { proposal, item, currentChecksum } = await readProposal({ proposals, items }, reader, proposalId);
    return {
      proposal: proposalToProto(proposal),
      ...(item !== undefined && { item: itemDraftToProto(item) }),
      ...(currentChecksum !== undefined && { currentChecksum }),
    };
  };
}

/** Handles `ContentService.AcceptProposal`. */
export function acceptProposalHandler({
  projection,
  ...dependencies
}: Deciding & {
  writer: FeedWriter;
  projection: Projection;
  findSecrets: SecretFinder;
}): Handlers['acceptProposal'] {
  return async ({ proposalId, item, baseChecksum }, context) => {
    const caller = requireCaller(context);
    const noted = notedBy(dependencies.audit, context, 'proposal.accept');
    const proposal = await acceptProposal(
      { ...dependencies, noted },
      proposalReaderFrom(caller),
      itemAuthorFrom(caller, context),
      { proposalId, item: item && itemDraftFromProto(item), baseChecksum },
    );
    projection.nudge(caller.teamId);
    return { proposal: proposalToProto(proposal) };
  };
}

/** Handles `ContentService.DeclineProposal`. */
export function declineProposalHandler({ audit, ...dependencies }: Deciding): Handlers['declineProposal'] {
  return async ({ proposalId, reason }, context) => {
    const caller = requireCaller(context);
    const proposal = await declineProposal(
      { ...dependencies, noted: notedBy(audit, context, 'proposal.decline') },
      proposalReaderFrom(caller),
      itemAuthorFrom(caller, context),
      { proposalId, reason },
    );
    return { proposal: proposalToProto(proposal) };
  };
}

/** Handles `ContentService.WithdrawProposal`. */
export function withdrawProposalHandler({ proposals }: Reading): Handlers['withdrawProposal'] {
  return async ({ proposalId }, context) => {
    const caller = requireCaller(context);
    requireProposeAccess(caller);
    await withdrawProposal({ proposals }, proposalReaderFrom(caller), proposalId);
    return {};
  };
}

function notedBy(audit: Audit, context: HandlerContext, action: 'proposal.accept' | 'proposal.decline') {
  const { teamId } = requireCaller(context);
  return <Result>({ rowKey, proposalId, proposedBy }: Proposal, act: () => Promise<Result>) => {
    const before = { proposal: proposalId, proposed_by: proposedBy };
    return audit.act(context, { action, teamId, object: rowKey, before }, act);
  };
}
