/** Tokens of one call to a model; embedding calls have no output. Whole numbers, not negative. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** What a member's calls to one model came to on one day. */
export interface UsageTotal {
  /** UTC, YYYY-MM-DD: the day on which the calls were reserved. */
  day: string;
  /** Empty for calls in the name of the team. */
  memberId: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Whole micro-dollars. */
  cost: number;
}

/** A place among a team's totals, which are ordered by day, member and model. */
export type UsagePosition = Pick<UsageTotal, 'day' | 'memberId' | 'model'>;
