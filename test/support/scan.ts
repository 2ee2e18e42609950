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
