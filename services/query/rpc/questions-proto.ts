import type { MessageInitShape } from '@bufbuild/protobuf';
import { AppError } from '@teammemory/errors/app-error.ts';
import { Tier as TierProto } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { AskResponseSchema, RankedPassageSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import type { AnswerPart } from '../domain/answer/answer-parts.ts';
import type { FoundPassage } from '../domain/index/index-host.ts';
import { publicKeyOf, type Tier } from '../domain/passages/passage.ts';

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
  const { date, status } = fields;
  const shown = { title, headings: [...headings], text, ordinal, kind, date, status };
  return { rowKey: publicKeyOf(rowKey), ...shown, tier: tierToProto(tier), score };
}

/** A part of an answer as RPC writes it. */
export function answerPartToProto(part: AnswerPart): MessageInitShape<typeof AskResponseSchema> {
  if (part.kind === 'delta') return { part: { case: 'delta', value: { text: part.text } } };
  const sources = part.sources.map(({ rowKey, title, tier, kind = 'item', date = '', status = '' }) => {
    return { rowKey, title, tier: tierToProto(tier), kind, date, status };
  });
  return { part: { case: 'sources', value: { sources } } };
}
