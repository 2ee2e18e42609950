/** Signals that are shares, 0 to 1. */
export const ratioNames = [
  'delegation_ratio',
  'error_rate',
  'cache_hit_rate',
  'verify_tool_rate',
  'subagent_usage',
] as const;

/** Signals that are amounts: turns, US dollars, tokens, tools. */
export const amountNames = [
  'correction_loop_avg',
  'cost_per_task',
  'tokens_per_task',
  'tool_diversity',
] as const;

/** Named as on the wire: the rubric is to be read next to its specification. */
export type SignalName = (typeof ratioNames)[number] | (typeof amountNames)[number];

/** What was measured; a signal that was not is absent. */
export type Signals = Partial<Record<SignalName, number>>;
