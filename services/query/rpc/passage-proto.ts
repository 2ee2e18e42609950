import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RankedPassageSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import type { FoundPassage } from '../domain/index/index-host.ts';
import { publicKeyOf } from '../domain/passages/document-key.ts';
import { tierToProto } from './tier-proto.ts';

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
