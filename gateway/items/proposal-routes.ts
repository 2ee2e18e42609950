import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type GetProposalResponse,
  type Proposal,
  ProposalState,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { answerOf, isRowId, jsonAnswer } from '../feed/row.ts';
import { originOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import {
  acceptance,
  decline,
  type ProposalPage,
  type ProposalRow,
  proposalListQuery,
  type proposalStates,
} from './proposal-contract.ts';
import { itemInputFrom } from './push-items.ts';

/** The RPC takes no longer ones. */
const maxCursorCharacters = 128;

type StateName = (typeof proposalStates)[number];

const stateToProto: Readonly<Record<StateName, ProposalState>> = {
  waiting: ProposalState.WAITING,
  accepted: ProposalState.ACCEPTED,
  declined: ProposalState.DECLINED,
};
const stateFromProto: Readonly<Record<number, StateName>> = {
  [ProposalState.ACCEPTED]: 'accepted',
  [ProposalState.DECLINED]: 'declined',
};

/** GET /api/v1/proposals: a page of the proposals that the key may see. */
export function listProposals({ clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = validate(proposalListQuery, request.query);
    const page = await answers.make(request, async () =>
      jsonAnswer(await readProposals({ clients }, request, parameters)),
    );
    return answers.send(request, reply, page);
  };
}

/** Reads a page of proposals for the caller of a request. */
export async function readProposals(
  { clients }: Pick<RouteDependencies, 'clients'>,
  request: FastifyRequest,
  { state, cursor = '', limit = 0 }: { state?: StateName; cursor?: string; limit?: number },
): Promise<ProposalPage> {
  if (cursor.length > maxCursorCharacters) {
    throw new AppError('invalid_cursor', 'The cursor was not issued for this list.', {
      violations: [{ pointer: '/cursor', detail: 'must be the next_cursor of the page before' }],
    });
  }
  const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
  const wanted = state === undefined ? ProposalState.UNSPECIFIED : stateToProto[state];
  const { proposals, nextPageToken } = await clients.content.listProposals(
    { state: wanted, pageSize: limit, pageToken: cursor },
    options,
  );
  return {
    proposals: proposals.map(rowFromProto),
    next_cursor: nextPageToken || null,
    has_more: nextPageToken !== '',
  };
}

/** GET /api/v1/proposals/{proposal_id}: one proposal, whole while it waits. */
export function getProposal({ clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const proposalId = idFrom(request);
    return answers.send(request, reply, await makeProposal({ clients, answers }, request, proposalId));
  };
}

/** Makes the answer with one proposal for the caller of a request. */
export async function makeProposal(
  { clients, answers }: Pick<RouteDependencies, 'clients' | 'answers'>,
  request: FastifyRequest,
  proposalId: string,
) {
  requireId(proposalId);
  const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
  return answers.make(request, async () =>
    wholeFromProto(await clients.content.getProposal({ proposalId }, options)),
  );
}

/**
 * POST /api/v1/proposals/{proposal_id}/accept. It counts against no limit: what can be accepted was counted when it was
 * proposed.
 */
export function acceptProposal({ clients }: Pick<RouteDependencies, 'clients'>) {
  return async (request: FastifyRequest) => {
    const { item, base_checksum } = validate(acceptance, request.body);
    const proposalId = idFrom(request);
    const options = await clients.unary('content', { caller: request.caller, ...originOf(request) });
    const { proposal } = await clients.content.acceptProposal(
      {
        proposalId,
        ...(item === undefined ? {} : { item: itemInputFrom(item) }),
        ...(base_checksum === undefined ? {} : { baseChecksum: base_checksum ?? '' }),
      },
      options,
    );
    return rowFromProto(proposal);
  };
}

/** POST /api/v1/proposals/{proposal_id}/decline. */
export function declineProposal({ clients }: Pick<RouteDependencies, 'clients'>) {
  return async (request: FastifyRequest) => {
    const { reason } = validate(decline, request.body);
    const proposalId = idFrom(request);
    const options = await clients.unary('content', { caller: request.caller, ...originOf(request) });
    const { proposal } = await clients.content.declineProposal({ proposalId, reason }, options);
    return rowFromProto(proposal);
  };
}

/** DELETE /api/v1/proposals/{proposal_id}. */
export function withdrawProposal({ clients }: Pick<RouteDependencies, 'clients'>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const proposalId = idFrom(request);
    const options = await clients.unary('content', { caller: request.caller, ...originOf(request) });
    await clients.content.withdrawProposal({ proposalId }, options);
    return reply.code(204).send();
  };
}

function idFrom({ params }: FastifyRequest): string {
  return requireId((params as { proposal_id: string }).proposal_id);
}

/** @throws AppError `not_found` for a text that is no id, which no proposal can have. */
function requireId(text: string): string {
  if (isRowId(text)) return text;
  throw new AppError('not_found', 'There is no such proposal.');
}

function rowFromProto(proposal: Proposal | undefined): ProposalRow {
  if (proposal === undefined) throw new AppError('internal', 'The answer has no proposal.');
  const { proposalId, rowKey, title, tier, state, proposedBy, keyId, byGuest } = proposal;
  const { proposedAt, decidedBy, decidedAt, reason, edited } = proposal;
  return {
    proposal_id: proposalId,
    row_key: rowKey,
    title,
    tier: tier === Tier.TEAM ? 'team' : 'external',
    state: stateFromProto[state] ?? 'waiting',
    proposed_by: proposedBy,
    key_id: keyId,
    ...(byGuest && { by_guest: true }),
    proposed_at: instantFrom(proposedAt) ?? '',
    decided_by: decidedBy || null,
    decided_at: instantFrom(decidedAt),
    reason: reason || null,
    edited,
  };
}

function instantFrom(time: Timestamp | undefined): string | null {
  return time === undefined ? null : new Date(timestampMs(time)).toISOString();
}

/** Returns the answer with a whole proposal. Its front matter is sent byte by byte as it was stored. */
function wholeFromProto({ proposal, item, currentChecksum }: GetProposalResponse) {
  const row = { ...rowFromProto(proposal), current_checksum: currentChecksum || null };
  if (item === undefined) return jsonAnswer({ ...row, item: null });
  const { rowKey, content, tier, checksum, baseChecksum, createOnly, frontmatterText, frontmatterJson } =
    item;
  const base = createOnly ? null : baseChecksum;
  const proposed = {
    row_key: rowKey,
    content,
    tier,
    checksum,
    ...(base === undefined ? {} : { base_checksum: base }),
    ...(frontmatterText === undefined ? {} : { frontmatter_text: frontmatterText }),
  };
  const text = JSON.stringify({ ...row, item: proposed });
  return answerOf(
    Buffer.from(text.slice(0, -'}}'.length)),
    Buffer.from(',"frontmatter":'),
    frontmatterJson,
    Buffer.from('}}'),
  );
}
