import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AskResponseSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import type { AnswerPart } from '../domain/answer/answer-part.ts';
import { tierToProto } from './tier-proto.ts';

/** A part of an answer as RPC writes it. */
export function answerPartToProto(part: AnswerPart): MessageInitShape<typeof AskResponseSchema> {
  if (part.kind === 'delta') return { part: { case: 'delta', value: { text: part.text } } };
  const sources = part.sources.map(({ rowKey, title, tier, kind = 'item', date = '', status = '' }) => {
    return { rowKey, title, tier: tierToProto(tier), kind, date, status };
  });
  return { part: { case: 'sources', value: { sources } } };
}
