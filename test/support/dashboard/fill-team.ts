import { createMemberClient } from '@teammemory/client/rpc/member-client.ts';
import { snapshot } from '../analytics/valid-bodies.ts';
import { item } from '../http/api.ts';
import { keyHolder } from '../http/key-holder.ts';
import type { RunningService, Team } from '../service/running-service.ts';
import { codebases, decisions, members, notes, projects } from './product-team.ts';

/** Weeks for which each member pushed a snapshot. */
const weeks = 10;
const dayMs = 24 * 60 * 60 * 1000;

/** A team with something on every page, and the keys of its members. */
export interface FilledTeam extends Team {
  /** By handle. */
  keys: Record<string, string>;
}

/** Makes a team and lets its members write what they know, as their clients would. */
export async function fillTeam(service: RunningService, slug?: string): Promise<FilledTeam> {
  const team = await service.createTeam(slug);
  const keys: Record<string, string> = { ada: team.teamKey };
  for (const member of members.slice(1)) keys[member] = await team.newKey('team', { member });
  const clientOf = (member: string) => keyHolder(service, team, keys[member] ?? '');
  for (const { rowKey, author, content, tier = 'team' } of notes) {
    const { frontmatter, text } = split(content);
    const pushed = await clientOf(author).push(item(rowKey, text, { tier, frontmatter }));
    expectSuccess(`pushing ${rowKey}`, pushed);
  }
  for (const { author, ...decision } of decisions) {
    await asMember(service, keys[author] ?? '', (client) => client.decisions.create(decision));
  }
  await asMember(service, team.teamKey, async (client) => {
    for (const [project, name] of Object.entries(projects)) {
      await client.projects.create({ slug: project, name });
    }
  });
  await pushScores(clientOf);
  return { ...team, keys };
}

async function pushScores(clientOf: (member: string) => ReturnType<typeof keyHolder>): Promise<void> {
  const ada = clientOf('ada');
  for (const { slug, levels } of codebases) {
    for (const [commit, percent] of levels.entries()) {
      expectSuccess(
        `scanning ${slug}`,
        await ada.call('/codebases', { body: scanOf(slug, commit, percent) }),
      );
    }
  }
  for (const [index, member] of members.entries()) {
    for (let week = 0; week < weeks; week += 1) {
      const date = new Date(Date.now() - (weeks - 1 - week) * 7 * dayMs).toISOString().slice(0, 10);
      const body = snapshotOf(date, 0.25 + index * 0.12 + week * 0.035);
      expectSuccess('pushing a snapshot', await clientOf(member).call('/metrics', { body }));
    }
  }
}

/** A scan of one commit; the pillars follow from how ready the codebase is. */
function scanOf(slug: string, commit: number, percent: number) {
  const passed = (total: number, ease: number) => Math.min(total, Math.round((total * percent * ease) / 100));
  const pillar = (total: number, ease: number) => ({ passed: passed(total, ease), total });
  return {
    codebase: { slug, full_name: `tidebook/${slug}`, provider: 'github' },
    metrics: {
      head_sha: `${slug.length}${commit}a7c3f9e2b4d6`
        .padEnd(40, `${commit}c5`)
        .slice(0, 40)
        .replace(/[^0-9a-f]/g, '0'),
      has_assistant_md: percent > 20,
      has_agents_md: percent > 35,
      skills_count: Math.floor(percent / 15),
      commands_count: Math.floor(percent / 10),
      readiness_level: `L${Math.min(4, Math.floor(percent / 18))}`,
      readiness_pct: percent,
      readiness_pillars: {
        docs: pillar(10, 1.2),
        tests: pillar(12, 1),
        build: pillar(8, 1.4),
        observability: pillar(6, 0.6),
        security: pillar(9, 0.9),
      },
      readiness_rubric_version: '2.1',
      findings: [
        {
          check: 'tests-in-ci',
          status: percent > 50 ? 'pass' : 'fail',
          path: '.github/workflows/ci.yml',
          line: 7,
        },
        { check: 'owners', status: 'fail' },
      ],
    },
    contributions: members.map((member, index) => ({
      member,
      commits: 6 + index * 3 + commit,
      agent_commits: 1 + commit,
    })),
    issues: [
      { number: 41, title: 'Tides are a day late after midnight', state: 'open' },
      { number: 38, title: 'The reader forgets a payment without a network', state: 'open' },
    ],
  };
}

/** A week of a member; `practice` goes from 0, a beginner, to 1. */
function snapshotOf(date: string, practice: number) {
  const share = Math.min(1, practice);
  return snapshot({
    date,
    signals: {
      delegation_ratio: 0.6 * share,
      correction_loop_avg: 20 - 14 * share,
      error_rate: 0.12 - 0.09 * share,
      cost_per_task: 1.4 - 0.9 * share,
      tokens_per_task: Math.round(90_000 - 50_000 * share),
      cache_hit_rate: 0.4 + 0.5 * share,
      tool_diversity: 3 + Math.round(9 * share),
      verify_tool_rate: 0.4 * share,
      subagent_usage: 0.6 * share,
    },
    sessions: 8 + Math.round(10 * share),
    tasks: 18 + Math.round(30 * share),
  });
}

/** A note as a client sends it: its front matter, of names and texts only, apart from its text. */
function split(content: string): { frontmatter: Record<string, string>; text: string } {
  const [whole = '', block = ''] = /^---\n([\s\S]*?)\n---\n/.exec(content) ?? [];
  const pairs = block.split('\n').map((line) => line.split(': '));
  const named = pairs.flatMap(([name, value]) => (name && value ? [[name, value] as const] : []));
  return { frontmatter: Object.fromEntries(named), text: content.slice(whole.length) };
}

async function asMember<Result>(
  { rpcUrl }: RunningService,
  key: string,
  work: (client: ReturnType<typeof createMemberClient>) => Promise<Result>,
): Promise<Result> {
  const client = createMemberClient({ rpcUrl, key });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

function expectSuccess(what: string, { status, body }: { status: number; body: unknown }): void {
  const refused = /"status":"(?:rejected|error|invalid)/.test(JSON.stringify(body));
  if (status >= 300 || refused) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`);
}
