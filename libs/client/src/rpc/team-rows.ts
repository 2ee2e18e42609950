import { type Client, Code, ConnectError } from '@connectrpc/connect';
import type {
  AnalyticsService,
  ExplainScanResponse,
  ExplainSnapshotResponse,
  ScanSummary,
  Signals,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier as ProtoTier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, type FeedEntry, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import {
  type DecisionRecord,
  type DecisionStatusName,
  decisionMethods,
  decisionStatuses,
} from './decisions.ts';
import { everyPage, given, teamIdOf, timeText, translated } from './rpc-calls.ts';
import { RpcError, toRpcError } from './rpc-error.ts';

/** The lists of a team that are read by position. */
export type FollowedList = 'items' | 'tasks' | 'decisions';

/** A row of a list at its position. A later row of the same id replaces an earlier one. */
export interface FollowedRow {
  seq: number;
  /** row_key, task_id or decision_id. */
  id: string;
  /** In public JSON; undefined for a row that is removed, or hidden. */
  json: Record<string, unknown> | undefined;
}

/** A part of a list. `headSeq` is the newest position after the rows were read. */
export interface FollowedPage {
  rows: FollowedRow[];
  headSeq: number;
}

/** A scan as it was pushed, in the form of `POST /codebases`, and when its commit came first. */
export interface ScanExport {
  codebase: { slug: string; full_name: string; provider: string };
  metrics: {
    head_sha: string;
    has_assistant_md: boolean;
    has_agents_md: boolean;
    skills_count: number;
    commands_count: number;
    readiness_level: string;
    readiness_pct: number;
    readiness_pillars: Record<string, { passed: number; total: number }>;
    readiness_rubric_version: string;
  };
  contributions: { member: string; commits: number; agent_commits: number }[];
  issues: { number: number; title: string; state: string }[];
  pushed_at: string | null;
}

/** A snapshot as it was pushed, in the form of `POST /metrics`, and whether it enters rollups. */
export interface SnapshotExport {
  member: string;
  metric: string;
  date: string;
  window_days: number;
  signals: Record<string, number>;
  provisional?: { spine?: string; axes: Record<string, number> };
  sessions: number;
  tasks: number;
  counts_in_rollups: boolean;
}

/** Who wrote what is imported. */
export interface ImportAuthor {
  handle: string;
  /** Undefined if the team has no such member. */
  memberId: string | undefined;
}

/** An item to import. */
export interface ItemImport {
  row_key: string;
  content: string;
  frontmatter: object;
  frontmatter_text?: string | undefined;
  tier: string;
  checksum: string;
}

/** What became of a batch of items. `errors` name items by their place in the batch. */
export interface ItemsImported {
  written: number;
  errors: { index: number; code: string; detail: string }[];
}

/** All rows of one team, for administrators. Every method throws RpcError. */
export interface TeamRows {
  /** Reads rows after a position. Tasks and projects show what was acknowledged before `catchUp`. */
  readRows(list: FollowedList, afterSeq: number, options?: CallOptions): Promise<FollowedPage>;
  /** Makes tasks and projects of everything that was acknowledged before. */
  catchUp(options?: CallOptions): Promise<void>;
  /** Returns a decision, also one that is hidden; undefined for one that is removed. */
  findDecision(decisionId: string, options?: CallOptions): Promise<DecisionRecord | undefined>;
  listProjects(options?: CallOptions): AsyncGenerator<{ slug: string; name: string; brain_only: boolean }[]>;
  /** Yields the scans codebase by codebase, the commit that came first before others. */
  listScans(options?: CallOptions): AsyncGenerator<ScanExport>;
  /** Yields the snapshots of a member, the newest day first. */
  listSnapshots(member: string, options?: CallOptions): AsyncGenerator<SnapshotExport>;
  /** Stores 1 to 200 items, of which none replaces another version. */
  importItems(
    author: ImportAuthor,
    items: readonly ItemImport[],
    options?: CallOptions,
  ): Promise<ItemsImported>;
  /** Returns false if the team has, or had, a decision of this id. */
  importDecision(
    author: ImportAuthor,
    decision: Omit<DecisionRecord, 'updated_at' | 'updated_by'>,
    options?: CallOptions,
  ): Promise<boolean>;
  importScan(scan: ScanExport, options?: CallOptions): Promise<void>;
  importSnapshot(snapshot: SnapshotExport, options?: CallOptions): Promise<void>;
}

const feedLists = {
  items: FeedList.ITEMS,
  tasks: FeedList.TASKS,
  decisions: FeedList.DECISIONS,
} as const satisfies Record<FollowedList, FeedList>;

/** Makes the methods for a team, which is named by slug. */
export function teamRows(
  clients: {
    auth: Client<typeof AuthService>;
    content: Client<typeof ContentService>;
    analytics: Client<typeof AnalyticsService>;
  },
  team: string,
): TeamRows {
  const { auth, content, analytics } = clients;
  let known: string | undefined;
  const idOf = async (options?: CallOptions) => {
    known ??= await teamIdOf(auth, team, options);
    return known;
  };
  const decisions = decisionMethods(content, idOf);
  return {
    readRows: (list, afterSeq, options) =>
      translated(async () => {
        const request = { teamId: await idOf(options), afterSeq: BigInt(afterSeq), list: feedLists[list] };
        const { entries, headSeq } = await content.readFeed(request, options);
        return { rows: entries.map(rowFromProto), headSeq: Number(headSeq) };
      }),
    catchUp: (options) =>
      translated(async () => {
        await content.readHeads({ teamId: await idOf(options) }, options);
      }),
    findDecision: async (decisionId, options) => {
      try {
        return await decisions.get(decisionId, options);
      } catch (thrown) {
        if (thrown instanceof RpcError && thrown.code === 'not_found') return undefined;
        throw thrown;
      }
    },
    async *listProjects(options) {
      const teamId = await translated(() => idOf(options));
      const pages = everyPage((pageToken) => content.readProjects({ teamId, pageToken }, options));
      for await (const { projects } of pages) {
        yield projects.map(({ slug, name, brainOnly }) => ({ slug, name, brain_only: brainOnly }));
      }
    },
    async *listScans(options) {
      const teamId = await translated(() => idOf(options));
      const codebases = everyPage((pageToken) => analytics.listCodebases({ teamId, pageToken }, options));
      for await (const page of codebases) {
        for (const { codebase } of page.codebases) {
          const codebaseSlug = given(codebase).slug;
          const scans = everyPage((pageToken) =>
            analytics.listScans({ teamId, codebaseSlug, pageToken }, options),
          );
          // Listed newest first. Whoever stores them again needs the other order, in which the oldest are forgotten.
          const listed: ScanSummary[] = [];
          for await (const { scans: some } of scans) listed.push(...some);
          for (const { headSha, pushedAt } of listed.reverse()) {
            const request = { teamId, codebaseSlug, headSha };
            const scan = await unlessGone(() => analytics.explainScan(request, options));
            if (scan !== undefined) yield { ...scanFromProto(scan), pushed_at: timeText(pushedAt) };
          }
        }
      }
    },
    async *listSnapshots(member, options) {
      const teamId = await translated(() => idOf(options));
      const pages = everyPage((pageToken) => analytics.listSnapshots({ teamId, member, pageToken }, options));
      for await (const { snapshots } of pages) {
        for (const { date, metric } of snapshots) {
          const request = { teamId, member, date, metric };
          const snapshot = await unlessGone(() => analytics.explainSnapshot(request, options));
          if (snapshot !== undefined) yield { member, metric, date, ...snapshotFromProto(snapshot) };
        }
      }
    },
    importItems: (author, items, options) =>
      translated(async () => {
        const request = {
          teamId: await idOf(options),
          author: authorToProto(author),
          items: items.map(itemToProto),
        };
        const { written, errors } = await content.importItems(request, options);
        return { written, errors: errors.map(({ index, code, detail }) => ({ index, code, detail })) };
      }),
    importDecision: (author, decision, options) =>
      translated(async () => {
        const teamId = await idOf(options);
        const request = { teamId, author: authorToProto(author), decision: decisionToProto(decision) };
        return (await content.importDecision(request, options)).written;
      }),
    importScan: (scan, options) =>
      translated(async () => {
        await analytics.importScan({ teamId: await idOf(options), scan: scanToProto(scan) }, options);
      }),
    importSnapshot: ({ counts_in_rollups: counts, ...snapshot }, options) =>
      translated(async () => {
        const teamId = await idOf(options);
        await analytics.importSnapshot({ teamId, counts, snapshot: snapshotToProto(snapshot) }, options);
      }),
  };
}

/** Returns undefined for what was removed after it was listed. */
async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ConnectError && thrown.code === Code.NotFound) return undefined;
    throw toRpcError(thrown);
  }
}

function rowFromProto({ seq, rowKey, rowId, deleted, itemJson, rowJson }: FeedEntry): FollowedRow {
  const bytes = rowKey === '' ? rowJson : itemJson;
  return {
    seq: Number(seq),
    id: rowKey === '' ? rowId : rowKey,
    json: deleted ? undefined : JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
  };
}

function authorToProto({ handle, memberId = '' }: ImportAuthor) {
  return { handle, memberId };
}

function itemToProto(item: ItemImport) {
  const { row_key: rowKey, content, frontmatter, frontmatter_text: frontmatterText, tier, checksum } = item;
  return {
    rowKey,
    content,
    tier,
    checksum,
    frontmatterJson: new TextEncoder().encode(JSON.stringify(frontmatter)),
    ...(frontmatterText === undefined ? {} : { frontmatterText }),
  };
}

function decisionToProto(decision: Omit<DecisionRecord, 'updated_at' | 'updated_by'>) {
  const { decision_id: decisionId, title, body, status, audience, project, decided_on, hidden } = decision;
  return {
    decisionId,
    title,
    body,
    hidden,
    status: decisionStatuses[status as DecisionStatusName],
    audience: audience === 'external' ? ProtoTier.EXTERNAL : ProtoTier.TEAM,
    project: project ?? '',
    decidedOn: decided_on ?? '',
  };
}

function scanFromProto(scan: ExplainScanResponse): Omit<ScanExport, 'pushed_at'> {
  const { slug, fullName, provider } = given(scan.codebase);
  const metrics = given(scan.metrics);
  const pillars = Object.entries(metrics.readinessPillars);
  return {
    codebase: { slug, full_name: fullName, provider },
    metrics: {
      head_sha: metrics.headSha,
      has_assistant_md: metrics.hasAssistantMd,
      has_agents_md: metrics.hasAgentsMd,
      skills_count: metrics.skillsCount,
      commands_count: metrics.commandsCount,
      readiness_level: metrics.readinessLevel,
      readiness_pct: metrics.readinessPct,
      readiness_pillars: Object.fromEntries(
        pillars.map(([name, { passed, total }]) => [name, { passed, total }]),
      ),
      readiness_rubric_version: metrics.readinessRubricVersion,
    },
    contributions: scan.contributions.map(({ member, commits, agentCommits }) => ({
      member,
      commits,
      agent_commits: agentCommits,
    })),
    issues: scan.issues.map(({ number, title, state }) => ({ number: Number(number), title, state })),
  };
}

function scanToProto({ codebase, metrics, contributions, issues }: ScanExport) {
  return {
    codebase: { slug: codebase.slug, fullName: codebase.full_name, provider: codebase.provider },
    metrics: {
      headSha: metrics.head_sha,
      hasAssistantMd: metrics.has_assistant_md,
      hasAgentsMd: metrics.has_agents_md,
      skillsCount: metrics.skills_count,
      commandsCount: metrics.commands_count,
      readinessLevel: metrics.readiness_level,
      readinessPct: metrics.readiness_pct,
      readinessPillars: metrics.readiness_pillars,
      readinessRubricVersion: metrics.readiness_rubric_version,
    },
    contributions: contributions.map(({ member, commits, agent_commits: agentCommits }) => ({
      member,
      commits,
      agentCommits,
    })),
    issues: issues.map(({ number, title, state }) => ({ number: BigInt(number), title, state })),
  };
}

/** The signals by their name in the public API and in generated code. */
const signalNames = {
  delegation_ratio: 'delegationRatio',
  correction_loop_avg: 'correctionLoopAvg',
  error_rate: 'errorRate',
  cost_per_task: 'costPerTask',
  tokens_per_task: 'tokensPerTask',
  cache_hit_rate: 'cacheHitRate',
  tool_diversity: 'toolDiversity',
  verify_tool_rate: 'verifyToolRate',
  subagent_usage: 'subagentUsage',
} as const satisfies Record<string, keyof Signals>;

function snapshotFromProto(
  snapshot: ExplainSnapshotResponse,
): Omit<SnapshotExport, 'member' | 'metric' | 'date'> {
  const { windowDays, sessions, tasks, provisional, counts } = snapshot;
  const signals: Record<string, number> = {};
  for (const [name, field] of Object.entries(signalNames)) {
    const value = snapshot.signals?.[field];
    if (value !== undefined) signals[name] = value;
  }
  return {
    window_days: windowDays,
    signals,
    ...(provisional && {
      provisional: { ...(provisional.spine && { spine: provisional.spine }), axes: provisional.axes },
    }),
    sessions,
    tasks,
    counts_in_rollups: counts,
  };
}

function snapshotToProto(snapshot: Omit<SnapshotExport, 'counts_in_rollups'>) {
  const { member, metric, date, window_days: windowDays, sessions, tasks, provisional } = snapshot;
  const named = Object.entries(signalNames).map(([name, field]) => [field, snapshot.signals[name]]);
  return {
    member,
    metric,
    date,
    windowDays,
    sessions,
    tasks,
    signals: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    ...(provisional && { provisional: { spine: provisional.spine ?? '', axes: provisional.axes } }),
  };
}
