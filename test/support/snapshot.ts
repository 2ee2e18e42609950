/** The same day in all tests of a run, also around midnight. */
const today = new Date().toISOString().slice(0, 10);

/** A good body of POST /metrics with members changed; it is placed at L4. */
export function snapshot(changes: object = {}) {
  return {
    metric: 'aem-individual',
    date: today,
    window_days: 7,
    signals: {
      delegation_ratio: 0.35,
      correction_loop_avg: 12,
      error_rate: 0.06,
      cost_per_task: 0.8,
      tokens_per_task: 56_000,
      cache_hit_rate: 0.72,
      tool_diversity: 9,
      verify_tool_rate: 0.21,
      subagent_usage: 0.45,
    },
    provisional: { spine: 'L5', axes: { verification: 4, learning: 4 } },
    sessions: 12,
    tasks: 30,
    ...changes,
  };
}
