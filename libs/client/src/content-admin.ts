import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, DecisionStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import type { AdminCallOptions } from './admin-client.ts';
import {
  type DecisionRecord,
  type DecisionRow,
  decisionFromProto,
  decisionRowsSchema,
  decisionStatuses,
  type ProjectRecord,
} from './decision-record.ts';
import { given, translated } from './rpc-answer.ts';
import { RpcError } from './rpc-error.ts';

/** Decisions of one page: each may have a body of 1 MiB. */
const decisionsPerPage = 10;

/** What a decision says. */
export interface DecisionChange {
  title?: string;
  /** Markdown. */
  body?: string;
  status?: 'proposed' | 'accepted' | 'superseded' | 'rejected';
  audience?: 'team' | 'external';
  /** Slug; empty for none. */
  project?: string;
  /** YYYY-MM-DD; empty for none. */
  decidedOn?: string;
  /** Hidden decisions reach clients only as removed rows. */
  hidden?: boolean;
}

export interface DecisionEdit extends DecisionChange {
  /** Slug of the team. */
  team: string;
  /** `updated_at` of the version that was edited: refused with `conflict` when another one is stored. */
  baseUpdatedAt?: Date;
}

export interface NewDecision extends DecisionChange {
  /** Slug of the team. */
  team: string;
  title: string;
  audience: 'team' | 'external';
}

/** Administration of what teams know. Every method throws RpcError. */
export interface ContentAdmin {
  createDecision(decision: NewDecision, options?: AdminCallOptions): Promise<DecisionRecord>;
  /** Changes what is given and leaves the rest as it is. */
  editDecision(decisionId: string, edit: DecisionEdit, options?: AdminCallOptions): Promise<DecisionRecord>;
  /** Yields a team's decisions page by page, the longest unchanged first; hidden ones without their text. */
  listDecisions(team: string, options?: AdminCallOptions): AsyncGenerator<DecisionRow[]>;
  createProject(
    project: { team: string; slug: string; name: string },
    options?: AdminCallOptions,
  ): Promise<ProjectRecord>;
}

/** The methods of an administrator's client that the content service answers; it knows teams by id only. */
export function contentMethods(
  auth: Client<typeof AuthService>,
  content: Client<typeof ContentService>,
): ContentAdmin {
  const teamIdOf = async (slug: string, options?: AdminCallOptions) =>
    given((await auth.getTeam({ slug }, options)).team).teamId;
  return {
    createDecision: ({ team, ...change }, options) =>
      translated(async () => {
        const request = { teamId: await teamIdOf(team, options), decision: decisionToProto(change) };
        return decisionFromProto(given((await content.createDecision(request, options)).decision));
      }),
    editDecision: (decisionId, { team, baseUpdatedAt, ...change }, options) =>
      translated(async () => {
        const request = {
          teamId: await teamIdOf(team, options),
          decisionId,
          baseUpdatedAt: baseUpdatedAt && timestampFromDate(baseUpdatedAt),
          ...decisionToProto(change),
        };
        return decisionFromProto(given((await content.editDecision(request, options)).decision));
      }),
    async *listDecisions(team, options) {
      const teamId = await translated(() => teamIdOf(team, options));
      for (let cursor = ''; ; ) {
        const request = { teamId, page: { cursor, limit: decisionsPerPage, includeDeleted: true } };
        const page = await translated(async () =>
          given((await content.listDecisions(request, options)).page),
        );
        yield decisionRows(page.rowsJson);
        if (!page.hasMore) return;
        if (page.nextCursor === cursor) throw new RpcError('invalid_answer', 'The list does not advance.');
        cursor = page.nextCursor;
      }
    },
    createProject: ({ team, slug, name }, options) =>
      translated(async () => {
        const request = { teamId: await teamIdOf(team, options), slug, name };
        const { project } = await content.createProject(request, options);
        const created = given(project);
        return { slug: created.slug, name: created.name, brain_only: created.brainOnly };
      }),
  };
}

const audiences = { team: Tier.TEAM, external: Tier.EXTERNAL } as const;

function decisionToProto({ status, audience, ...rest }: DecisionChange) {
  return {
    ...rest,
    status: status === undefined ? DecisionStatus.UNSPECIFIED : decisionStatuses[status],
    audience: audience === undefined ? Tier.UNSPECIFIED : audiences[audience],
  };
}

function decisionRows(json: Uint8Array): DecisionRow[] {
  try {
    return decisionRowsSchema.parse(JSON.parse(new TextDecoder().decode(json)));
  } catch (cause) {
    throw new RpcError('invalid_answer', 'The server sent something else than decisions.', undefined, cause);
  }
}
