/** A good body of POST /codebases. */
export function scan() {
  return {
    codebase: { slug: 'api', full_name: 'acme/api', provider: 'github' },
    metrics: {
      head_sha: 'a1b2c3d4',
      has_assistant_md: true,
      has_agents_md: false,
      skills_count: 1,
      commands_count: 2,
      readiness_level: 'L2',
      readiness_pct: 50,
      readiness_pillars: { docs: { passed: 1, total: 2 } },
      readiness_rubric_version: '2.1',
    },
    contributions: [
      { member: 'ada', commits: 7, agent_commits: 3 },
      { member: 'bob', commits: 1, agent_commits: 0 },
    ],
    issues: [{ number: 12, title: 'It is slow', state: 'open' }],
  };
}

/** The same with members of one part changed. */
export function scanWith(part: 'codebase' | 'metrics', changes: object) {
  const body = scan();
  return { ...body, [part]: { ...body[part], ...changes } };
}

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
