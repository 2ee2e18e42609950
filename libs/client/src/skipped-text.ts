import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type SkippedText, SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';

const reasons: Readonly<Record<SkipReason, string>> = {
  [SkipReason.UNSPECIFIED]: 'unknown',
  [SkipReason.TOO_COMPLEX]: 'no tasks: too complex',
  [SkipReason.TOO_MANY]: 'no tasks beyond the first 2,000: too many',
  [SkipReason.TOO_DEEP]: 'no tasks below ten lists and quotes: too deep',
  [SkipReason.TOO_LONG]: 'no tasks behind the first 262,144 characters: too long',
};

/** An item or decision of which no tasks were made, or not all. */
export interface SkippedTextRecord {
  /** Of the item; null for a decision. */
  row_key: string | null;
  /** Of the decision; null for an item. */
  decision_id: string | null;
  /** For people. */
  reason: string;
  /** RFC 3339. */
  noticed_at: string | null;
}

/** Makes a record of a message; a reason of a later version is called unknown. */
export function skippedTextFromProto(text: SkippedText): SkippedTextRecord {
  const { rowKey, decisionId, reason, noticedAt } = text;
  return {
    row_key: rowKey || null,
    decision_id: decisionId || null,
    reason: reasons[reason] ?? reasons[SkipReason.UNSPECIFIED],
    noticed_at: noticedAt ? timestampDate(noticedAt).toISOString() : null,
  };
}
