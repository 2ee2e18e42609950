import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { ContentService, SkippedText } from '@teammemory/proto/content/v1/content_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import {
  type DecisionEdit,
  type DecisionMethods,
  type DecisionRecord,
  decisionMethods,
  type NewDecision,
} from './decisions.ts';
import { type ProjectMethods, type ProjectRecord, projectMethods } from './projects.ts';
import type { RecordClient, RecordOf } from './records.ts';
import { everyPage, teamIdOf } from './rpc-calls.ts';
import { type WebhookMethods, webhookMethods } from './webhooks.ts';

const skipReasons: Readonly<Record<string, string>> = {
  too_complex: 'no tasks: too complex',
  too_many: 'no tasks beyond the first 2,000: too many',
  too_deep: 'no tasks below ten lists and quotes: too deep',
  too_long: 'no tasks behind the first 262,144 characters: too long',
};

/** An item or decision from which no tasks were made, or not all of them. */
export interface SkippedTextRecord {
  /** Null for a decision. */
  row_key: string | null;
  /** Null for an item. */
  decision_id: string | null;
  /** A text for people. */
  reason: string;
  /** RFC 3339. */
  noticed_at: string | null;
}

function skippedTextFrom(text: RecordOf<SkippedText>): SkippedTextRecord {
  return {
    ...text,
    row_key: text.row_key || null,
    decision_id: text.decision_id || null,
    reason: skipReasons[text.reason ?? ''] ?? 'unknown',
  };
}

/** How much of a member's texts a page erased, or would erase. */
export interface ErasedTexts {
  /** Items that are removed, because their present text is the member's. */
  items: number;
  /** Decisions, likewise. */
  decisions: number;
  /** Earlier versions, of any item or decision. */
  versions: number;
  /** Items that the member proposed, whatever became of them. */
  proposals: number;
}

/** What a recount of all teams found, in teams. */
export interface UsageRepairRecord {
  checked: number;
  /** Their counts were wrong, and are right now. */
  repaired: number;
  /** They were written to all the time, and nothing was changed. */
  busy: number;
}

interface InTeam {
  /** Slug of the team. */
  team: string;
}

/** What administrators do with decisions, projects, webhooks and skipped texts. Every method throws RpcError. */
export interface ContentAdmin {
  /** Returns the methods for the decisions of a team, which is named by slug. */
  decisions(team: string): DecisionMethods;
  /** Does the same as `decisions(team).create`. */
  createDecision(decision: NewDecision & InTeam, options?: CallOptions): Promise<DecisionRecord>;
  /** Does the same as `decisions(team).edit`. */
  editDecision(
    decisionId: string,
    edit: DecisionEdit & InTeam,
    options?: CallOptions,
  ): Promise<DecisionRecord>;
  /** Returns the methods for the created projects of a team, which is named by slug. */
  projects(team: string): ProjectMethods;
  /** Does the same as `projects(team).create`. */
  createProject(
    project: { slug: string; name: string } & InTeam,
    options?: CallOptions,
  ): Promise<ProjectRecord>;
  /** Returns the methods for the webhooks of a team, which is named by slug. */
  webhooks(team: string): WebhookMethods;
  /**
   * Erases what a member wrote in a team, or with `dryRun` only counts it, and yields page by page what that was. An
   * erasure that was interrupted can be started again.
   */
  eraseMemberTexts(
    erasure: InTeam & { handle: string; dryRun: boolean },
    options?: CallOptions,
  ): AsyncGenerator<ErasedTexts>;
  /** Yields page by page the items and decisions from which no tasks were made, or not all of them. */
  listSkippedTexts(team: string, options?: CallOptions): AsyncGenerator<SkippedTextRecord[]>;
  /** Counts again what every team has, for its quotas. Takes some seconds for each hundred thousand rows. */
  repairUsage(options?: CallOptions): Promise<UsageRepairRecord>;
}

/** Makes the methods. The content service knows teams by id, and the auth service knows the ids. */
export function contentMethods(
  auth: RecordClient<typeof AuthService>,
  content: RecordClient<typeof ContentService>,
): ContentAdmin {
  const idOf = (slug: string) => (options?: CallOptions) => teamIdOf(auth, slug, options);
  const projects = (team: string) => projectMethods(content, idOf(team));
  const decisions = (team: string) => decisionMethods(content, idOf(team));
  return {
    decisions,
    createDecision: ({ team, ...decision }, options) => decisions(team).create(decision, options),
    editDecision: (decisionId, { team, ...edit }, options) => decisions(team).edit(decisionId, edit, options),
    projects,
    createProject: ({ team, ...project }, options) => projects(team).create(project, options),
    webhooks: (teamSlug) =>
      webhookMethods(content, async (options) => ({
        teamId: await teamIdOf(auth, teamSlug, options),
        teamSlug,
      })),
    async *eraseMemberTexts({ team, handle, dryRun }, options) {
      const teamId = await teamIdOf(auth, team, options);
      const pages = everyPage((pageToken) =>
        content.eraseMemberTexts({ teamId, handle, dryRun, pageToken }, options),
      );
      for await (const { items, decisions, versions, proposals } of pages)
        yield { items, decisions, versions, proposals };
    },
    async *listSkippedTexts(team, options) {
      const teamId = await teamIdOf(auth, team, options);
      const pages = everyPage((pageToken) =>
        content.listSkippedTexts({ teamId, pageSize: maxPageRows, pageToken }, options),
      );
      for await (const { texts } of pages) yield texts.map(skippedTextFrom);
    },
    async repairUsage(options) {
      const total: UsageRepairRecord = { checked: 0, repaired: 0, busy: 0 };
      const pages = everyPage((pageToken) => content.repairUsage({ pageToken }, options));
      for await (const page of pages) {
        for (const name of ['checked', 'repaired', 'busy'] as const) total[name] += page[name];
      }
      return total;
    },
  };
}
