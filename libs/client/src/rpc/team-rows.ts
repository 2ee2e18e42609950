import {
  type AnalyticsService,
  type ExplainScanResponse,
  type ExplainSnapshotResponse,
  PushScanRequestSchema,
  PushSnapshotRequestSchema,
  type ScanSummary,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { type ContentService, type FeedEntry, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import {
  type DecisionRecord,
  type DecisionStatusName,
  decisionFields,
  decisionMethods,
} from './decisions.ts';
import { enumNumber, fromRecord, type RecordClient, type RecordOf, translated } from './records.ts';
import { everyPage, given, teamIdOf } from './rpc-calls.ts';
import { RpcError } from './rpc-error.ts';

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
    findings: { check: string; status: string; workspace: string; path: string; line: number }[];
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

/** Makes the methods for a team, which is named by slug. */
export function teamRows(
  clients: {
    auth: RecordClient<typeof AuthService>;
    content: RecordClient<typeof ContentService>;
    analytics: RecordClient<typeof AnalyticsService>;
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
    readRows: (name, afterSeq, options) =>
      translated(async () => {
        const list = enumNumber(FeedList, name);
        const request = { teamId: await idOf(options), afterSeq: BigInt(afterSeq), list };
        const { entries, head_seq: headSeq } = await content.readFeed(request, options);
        return { rows: entries.map(rowFrom), headSeq };
      }),
    async catchUp(options) {
      await content.readHeads({ teamId: await idOf(options) }, options);
    },
    findDecision: (decisionId, options) => unlessGone(decisions.get(decisionId, options)),
    async *listProjects(options) {
      const teamId = await idOf(options);
      const pages = everyPage((pageToken) => content.readProjects({ teamId, pageToken }, options));
      for await (const { projects } of pages) yield projects;
    },
    async *listScans(options) {
      const teamId = await idOf(options);
      const codebases = everyPage((pageToken) => analytics.listCodebases({ teamId, pageToken }, options));
      for await (const page of codebases) {
        for (const { codebase } of page.codebases) {
          const codebaseSlug = given(codebase).slug;
          const scans = everyPage((pageToken) =>
            analytics.listScans({ teamId, codebaseSlug, pageToken }, options),
          );
          // Listed newest first. Whoever stores them again needs the other order, in which the oldest are forgotten.
          const listed: RecordOf<ScanSummary>[] = [];
          for await (const { scans: some } of scans) listed.push(...some);
          for (const { head_sha: headSha, pushed_at } of listed.reverse()) {
            const request = { teamId, codebaseSlug, headSha };
            const scan = await unlessGone(analytics.explainScan(request, options));
            if (scan !== undefined) yield { ...scanFrom(scan), pushed_at };
          }
        }
      }
    },
    async *listSnapshots(member, options) {
      const teamId = await idOf(options);
      const pages = everyPage((pageToken) => analytics.listSnapshots({ teamId, member, pageToken }, options));
      for await (const { snapshots } of pages) {
        for (const { date, metric } of snapshots) {
          const request = { teamId, member, date, metric };
          const snapshot = await unlessGone(analytics.explainSnapshot(request, options));
          if (snapshot !== undefined) yield { member, metric, date, ...snapshotFrom(snapshot) };
        }
      }
    },
    async importItems(author, items, options) {
      const request = { teamId: await idOf(options), author, items: items.map(itemFields) };
      const { written, errors } = await content.importItems(request, options);
      return { written, errors: errors.map(({ index, code, detail }) => ({ index, code, detail })) };
    },
    async importDecision(author, decision, options) {
      const request = { teamId: await idOf(options), author, decision: importedDecision(decision) };
      return (await content.importDecision(request, options)).written;
    },
    importScan: (row, options) =>
      translated(async () => {
        const scan = fromRecord(PushScanRequestSchema, row);
        await analytics.importScan({ teamId: await idOf(options), scan }, options);
      }),
    importSnapshot: (row, options) =>
      translated(async () => {
        const { counts_in_rollups: counts } = row;
        const snapshot = fromRecord(PushSnapshotRequestSchema, row);
        await analytics.importSnapshot({ teamId: await idOf(options), counts, snapshot }, options);
      }),
  };
}

/** Returns undefined for what was removed, also after it was listed. */
async function unlessGone<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (thrown instanceof RpcError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

function rowFrom({ seq, row_key, row_id, deleted, item_json, row_json }: RecordOf<FeedEntry>): FollowedRow {
  const bytes = row_key === '' ? row_json : item_json;
  return {
    seq,
    id: row_key === '' ? row_id : row_key,
    json: deleted ? undefined : JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
  };
}

function itemFields(item: ItemImport) {
  const { row_key: rowKey, content, frontmatter, frontmatter_text: frontmatterText, tier, checksum } = item;
  const frontmatterJson = new TextEncoder().encode(JSON.stringify(frontmatter));
  return { rowKey, content, tier, checksum, frontmatterJson, frontmatterText };
}

function importedDecision(decision: Omit<DecisionRecord, 'updated_at' | 'updated_by'>) {
  const { decision_id: decisionId, title, body, status, audience, hidden } = decision;
  return {
    decisionId,
    ...decisionFields({
      title,
      body,
      hidden,
      status: status as DecisionStatusName,
      audience,
      project: decision.project ?? '',
      decidedOn: decision.decided_on ?? '',
    }),
  };
}

function scanFrom(scan: RecordOf<ExplainScanResponse>): Omit<ScanExport, 'pushed_at'> {
  const { slug, full_name, provider } = given(scan.codebase);
  return {
    codebase: { slug, full_name, provider },
    metrics: given(scan.metrics),
    contributions: scan.contributions,
    issues: scan.issues,
  };
}

function snapshotFrom(
  snapshot: RecordOf<ExplainSnapshotResponse>,
): Omit<SnapshotExport, 'member' | 'metric' | 'date'> {
  const { window_days, sessions, tasks, provisional, counts } = snapshot;
  const signals = Object.entries(snapshot.signals ?? {}).filter(
    (signal): signal is [string, number] => signal[1] !== null,
  );
  return {
    window_days,
    signals: Object.fromEntries(signals),
    ...(provisional && {
      provisional: { ...(provisional.spine && { spine: provisional.spine }), axes: provisional.axes },
    }),
    sessions,
    tasks,
    counts_in_rollups: counts,
  };
}
