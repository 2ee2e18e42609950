import type { UsageRow } from '@teammemory/proto/query/v1/query_pb.ts';

/** What the calls of one member to one model came to on one day. */
export interface UsageRecord {
  /** UTC, YYYY-MM-DD. */
  day: string;
  /** Handle of the member; null for calls in the name of the team. */
  member: string | null;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  /** US dollars, at most six decimals. */
  cost_usd: number;
}

/** A team's usage over some days. */
export interface TeamUsageRecord {
  /** Slug of the team. */
  team: string;
  /** First and last day (UTC), YYYY-MM-DD. */
  from: string;
  to: string;
  /** By day, member and model. */
  usage: UsageRecord[];
}

/** Makes a record of a row; a member whose handle is not known is named by id. */
export function usageFromProto(row: UsageRow, handles: ReadonlyMap<string, string>): UsageRecord {
  return {
    day: row.day,
    member: row.memberId === '' ? null : (handles.get(row.memberId) ?? row.memberId),
    model: row.model,
    calls: Number(row.calls),
    input_tokens: Number(row.inputTokens),
    output_tokens: Number(row.outputTokens),
    cost_usd: Number(row.costMicroDollars) / 1_000_000,
  };
}
