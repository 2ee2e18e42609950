import type { Tally } from './tally.ts';

/** The nine signals of `POST /metrics`, in its order. */
export const signalNames = [
  'delegation_ratio',
  'correction_loop_avg',
  'error_rate',
  'cost_per_task',
  'tokens_per_task',
  'cache_hit_rate',
  'tool_diversity',
  'verify_tool_rate',
  'subagent_usage',
] as const;

export type SignalName = (typeof signalNames)[number];

/** What each signal means, as a sentence; docs/analytics.md has the same with its limits. */
export const definitions: Readonly<Record<SignalName, string>> = {
  delegation_ratio:
    'The share of tasks in which an agent changed a file, ran a command or started another agent.',
  correction_loop_avg: 'The mean number of answers from a check that failed to the next one that passed.',
  error_rate: 'The share of calls of tools that failed, of those whose result is logged.',
  cost_per_task: 'US dollars for each task, by list prices.',
  tokens_per_task: 'Tokens of input that was not in the cache, and of output, for each task.',
  cache_hit_rate: 'The share of the tokens of input that came from the cache.',
  tool_diversity: 'The number of different tools that were called.',
  verify_tool_rate: 'The share of calls that ran tests, a linter, a type checker or a build.',
  subagent_usage: 'The share of tasks in which an agent started another one.',
};

/** What a signal came to, or why it was left out. */
export interface Measured {
  value: number | undefined;
  /** A sentence. */
  reason: string;
}

/** Fewer are chance. */
const minCalls = 5;

/** Computes the signals of what was counted of all clients. docs/analytics.md has the definitions. */
export function measure(tallies: readonly Tally[]): Record<SignalName, Measured> {
  const used = tallies.filter(({ tasks }) => tasks > 0);
  const sum = (some: readonly Tally[], of: (tally: Tally) => number) =>
    some.reduce((total, tally) => total + of(tally), 0);
  const tasks = (some: readonly Tally[]) => sum(some, (tally) => tally.tasks);
  const withTokens = used.filter(({ can }) => can.tokens);
  const usages = withTokens.map((tally) => tally.usage());
  const fresh = usages.reduce((total, usage) => total + usage.fresh, 0);
  const cacheRead = usages.reduce((total, usage) => total + usage.cacheRead, 0);
  const input = usages.reduce((total, usage) => total + usage.input, 0);
  const unpriced = usages.flatMap((usage) => usage.unpriced);
  const dollars = usages.reduce((total, usage) => total + (usage.dollars ?? 0), 0);
  // Without any token there was no answer to count.
  const tasksWithTokens = fresh + input === 0 ? 0 : tasks(withTokens);
  const withSubagents = used.filter(({ can }) => can.subagents);
  const calls = sum(used, (tally) => tally.calls);
  const results = sum(used, (tally) => tally.results);
  const loops = sum(used, (tally) => tally.loops);
  const tools = new Set(used.flatMap((tally) => [...tally.tools]));

  const cost =
    unpriced.length > 0
      ? missing('The price of a model is not known.')
      : share(dollars, tasksWithTokens, 'dollars', 'tasks');
  return {
    delegation_ratio: share(
      sum(used, (tally) => tally.delegatedTasks),
      tasks(used),
      'delegated',
      'tasks',
    ),
    correction_loop_avg: share(
      sum(used, (tally) => tally.loopAnswers),
      loops,
      'answers',
      'loops that ended',
    ),
    error_rate: share(
      sum(used, (tally) => tally.failures),
      results,
      'failed',
      'results',
      minCalls,
    ),
    cost_per_task: cost,
    tokens_per_task: share(fresh, tasksWithTokens, 'tokens', 'tasks'),
    cache_hit_rate: share(cacheRead, input, 'tokens from the cache', 'tokens of input'),
    tool_diversity:
      calls === 0 ? missing('No tool was called.') : { value: tools.size, reason: `${tools.size} tools.` },
    verify_tool_rate: share(
      sum(used, (tally) => tally.verifyingCalls),
      calls,
      'verifying',
      'calls',
      minCalls,
    ),
    subagent_usage: share(
      sum(withSubagents, (tally) => tally.subagentTasks),
      tasks(withSubagents),
      'with subagents',
      'tasks',
    ),
  };
}

function share(part: number, whole: number, parts: string, wholes: string, least = 1): Measured {
  if (whole < least) return missing(`There are ${whole} ${wholes}, and at least ${least} are needed.`);
  const value = rounded(part / whole);
  // A sum that is infinite would make a share of 0.
  if (![part, whole, value].every(Number.isFinite))
    return missing('The logs have figures that are too large.');
  return { value, reason: `${rounded(part)} ${parts} in ${whole} ${wholes}.` };
}

function missing(reason: string): Measured {
  return { value: undefined, reason };
}

/** Four decimals are more than any signal is exact to. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
