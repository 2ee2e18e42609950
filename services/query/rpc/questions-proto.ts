import type { MessageInitShape } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import { Tier as TierProto } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type AskResponseSchema,
  type ItemCoverageSchema,
  type RankedPassageSchema,
  CoverageReason as ReasonProto,
  CoverageState as StateProto,
} from '@teammemory/proto/query/v1/query_pb.ts';
import type { AnswerPart } from '../domain/answer/answer-parts.ts';
import type { FoundPassage } from '../domain/index/index-host.ts';
import type { CoverageReason, ItemCoverage } from '../domain/index/item-coverage.ts';
import { publicKeyOf, shownDay, type Tier } from '../domain/passages/passage.ts';

/** A tier as RPC writes it. */
export function tierToProto(tier: Tier): TierProto {
  return tier === 'team' ? TierProto.TEAM : TierProto.EXTERNAL;
}

/** A tier that another service of ours sent; throws AppError `internal` for an unset or unknown one. */
export function tierFromProto(tier: TierProto): Tier {
  if (tier === TierProto.TEAM) return 'team';
  if (tier === TierProto.EXTERNAL) return 'external';
  const cause = new Error(`tier ${tier} is neither team nor external`);
  throw new AppError('internal', 'Something went wrong on our side.', { cause });
}

/** A ranked passage as RPC writes it. */
export function passageToProto({
  passage,
  score,
}: FoundPassage): MessageInitShape<typeof RankedPassageSchema> {
  const { rowKey, title, headings, text, tier, ordinal, kind, fields } = passage;
  const { status } = fields;
  const date = shownDay(fields);
  const { isByGuest: byGuest = false, checkBy = '' } = fields;
  const shown = { title, headings: [...headings], text, ordinal, kind, date, status, byGuest, checkBy };
  return { rowKey: publicKeyOf(rowKey), ...shown, tier: tierToProto(tier), score };
}

/** A part of an answer as RPC writes it. */
export function answerPartToProto(part: AnswerPart): MessageInitShape<typeof AskResponseSchema> {
  if (part.kind === 'delta') return { part: { case: 'delta', value: { text: part.text } } };
  const sources = part.sources.map((source) => {
    const { rowKey, title, tier, kind = 'item', date = '', status = '', quote = '' } = source;
    const { isByGuest: byGuest = false, checkBy = '' } = source;
    return { rowKey, title, tier: tierToProto(tier), kind, date, status, byGuest, checkBy, quote };
  });
  const closest = part.closest?.map(({ rowKey, title }) => ({ rowKey, title })) ?? [];
  return { part: { case: 'sources', value: { sources, closest } } };
}

const coverageReasons: Record<CoverageReason, ReasonProto> = {
  no_text: ReasonProto.NO_TEXT,
  not_readable: ReasonProto.NOT_READABLE,
  no_memory: ReasonProto.NO_MEMORY,
};

/** How much of an item is found, as RPC writes it. */
export function itemCoverageToProto({
  rowKey,
  passages,
  searchable,
  reason,
}: ItemCoverage): MessageInitShape<typeof ItemCoverageSchema> {
  const missing = searchable > 0 ? StateProto.IN_PART : StateProto.NOT_INDEXED;
  return {
    rowKey,
    passages,
    searchablePassages: searchable,
    state: reason === undefined ? StateProto.INDEXED : missing,
    reason: reason === undefined ? ReasonProto.UNSPECIFIED : coverageReasons[reason],
  };
}
