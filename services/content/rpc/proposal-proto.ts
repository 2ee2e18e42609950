import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type ItemInputSchema,
  type ProposalSchema,
  ProposalState as ProtoState,
} from '@teammemory/proto/content/v1/content_pb.ts';
import { isReviewer } from '@teammemory/rpc/auth/caller-context.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import type { ItemDraft } from '../domain/items/item.ts';
import type { Proposal, ProposalReader, ProposalState } from '../domain/proposals/proposal.ts';
import { tierToProto } from './feed-proto.ts';

const protoStates: Readonly<Record<ProposalState, ProtoState>> = {
  waiting: ProtoState.WAITING,
  accepted: ProtoState.ACCEPTED,
  declined: ProtoState.DECLINED,
};

/** Returns the caller as a reader of proposals. */
export function proposalReaderFrom(caller: Caller): ProposalReader {
  const { teamId, memberId, tier } = caller;
  return { teamId, memberId, tier, isReviewer: isReviewer(caller) };
}

/** Returns a state to list; undefined: all. @throws AppError `invalid_request` for one that is not known. */
export function proposalStateFromProto(state: ProtoState): ProposalState | undefined {
  if (state === ProtoState.UNSPECIFIED) return undefined;
  const known = (Object.keys(protoStates) as ProposalState[]).find((each) => protoStates[each] === state);
  if (known !== undefined) return known;
  const detail = 'must be a state of proposals';
  throw new AppError('invalid_request', `state ${detail}.`, { violations: [{ pointer: '/state', detail }] });
}

/** Returns a proposal without its text. */
export function proposalToProto(proposal: Proposal): MessageInitShape<typeof ProposalSchema> {
  const { proposalId, rowKey, tier, state, title, proposedBy, keyId, byGuest, decision } = proposal;
  return {
    proposalId,
    rowKey,
    tier: tierToProto(tier),
    state: protoStates[state],
    title,
    proposedBy,
    keyId,
    byGuest,
    proposedAt: timestampFromMs(proposal.proposedAtMs),
    ...(decision !== undefined && {
      decidedBy: decision.by,
      decidedAt: timestampFromMs(decision.atMs),
      reason: decision.reason,
      edited: decision.isEdited,
    }),
  };
}

/** Returns an item as it was proposed. */
export function itemDraftToProto(draft: ItemDraft): MessageInitShape<typeof ItemInputSchema> {
  const { rowKey, content, frontmatterJson, frontmatterText, tier, checksum, baseChecksum, createOnly } =
    draft;
  return {
    rowKey,
    content,
    frontmatterJson: Buffer.from(frontmatterJson),
    tier,
    checksum,
    createOnly: createOnly === true,
    ...(baseChecksum !== undefined && { baseChecksum }),
    ...(frontmatterText !== undefined && { frontmatterText }),
  };
}
