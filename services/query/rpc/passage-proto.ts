import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RankedPassageSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import type { FoundPassage } from '../domain/index/index-host.ts';
import { tierToProto } from './tier-proto.ts';

/** A ranked passage as RPC writes it. */
export function passageToProto({
  passage,
  score,
}: FoundPassage): MessageInitShape<typeof RankedPassageSchema> {
  const { rowKey, title, headings, text, tier, ordinal } = passage;
  return { rowKey, title, headings: [...headings], text, tier: tierToProto(tier), score, ordinal };
}
