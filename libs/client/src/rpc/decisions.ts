import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { Tier as ProtoTier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type ContentService,
  type Decision as DecisionMessage,
  DecisionStatus,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { CallOptions } from '../call-options.ts';
import { type DecisionRow, decisionRowsSchema } from '../derived-lists.ts';
import { everyPage, given, timeText, translated } from './rpc-calls.ts';
import { RpcError } from './rpc-error.ts';

/** Decisions per page: each may have a body of 1 MiB. */
const decisionsPerPage = 10;

/** The statuses of the public API and their numbers in protobuf. */
export const decisionStatuses = {
  proposed: DecisionStatus.PROPOSED,
  accepted: DecisionStatus.ACCEPTED,
  superseded: DecisionStatus.SUPERSEDED,
  rejected: DecisionStatus.REJECTED,
} as const;
const audiences = { team: ProtoTier.TEAM, external: ProtoTier.EXTERNAL } as const;

export type DecisionStatusName = keyof typeof decisionStatuses;

/** A decision as the public API returns it, and whether it is hidden. */
export interface DecisionRecord {
  decision_id: string;
  title: string;
  body: string;
  /** `unknown` for a status that only a later version of the service has. */
  status: string;
  audience: Tier;
  project: string | null;
  decided_on: string | null;
  updated_at: string | null;
  updated_by: string;
  hidden: boolean;
}

function decisionFromProto(decision: DecisionMessage): DecisionRecord {
  const status = Object.entries(decisionStatuses).find(([, number]) => number === decision.status)?.[0];
  const { decisionId, title, body, project, decidedOn, updatedAt, updatedBy, hidden } = decision;
  return {
    decision_id: decisionId,
    title,
    body,
    status: status ?? 'unknown',
    audience: decision.audience === ProtoTier.EXTERNAL ? 'external' : 'team',
    project: project || null,
    decided_on: decidedOn || null,
    updated_at: timeText(updatedAt),
    updated_by: updatedBy,
    hidden,
  };
}

/** The fields of a decision that its author writes. */
export interface DecisionChange {
  title?: string;
  /** Markdown. */
  body?: string;
  status?: DecisionStatusName;
  audience?: Tier;
  /** Slug; empty for none. */
  project?: string;
  /** YYYY-MM-DD; empty for none. */
  decidedOn?: string;
  /** Clients of the public API see a hidden decision only as a removed row. */
  hidden?: boolean;
}

export interface DecisionEdit extends DecisionChange {
  /** `updated_at` of the version that was edited. The edit fails with `conflict` if another version is stored. */
  baseUpdatedAt?: Date;
}

export interface NewDecision extends DecisionChange {
  title: string;
  audience: Tier;
}

/** The decisions of one team. Every method throws RpcError. */
export interface DecisionMethods {
  create(decision: NewDecision, options?: CallOptions): Promise<DecisionRecord>;
  /** Changes the given fields. An edit of a hidden decision fails with `invalid_request` unless `hidden` is false. */
  edit(decisionId: string, edit: DecisionEdit, options?: CallOptions): Promise<DecisionRecord>;
  /** Removes a decision and its versions for good. Succeeds again if the decision was removed before. */
  remove(decisionId: string, options?: CallOptions): Promise<void>;
  /** Reads a decision, hidden or not. */
  get(decisionId: string, options?: CallOptions): Promise<DecisionRecord>;
  /** Yields decisions page by page, the longest unchanged first. Hidden decisions come without their text. */
  list(options?: CallOptions): AsyncGenerator<DecisionRow[]>;
  /** Yields the stored earlier versions page by page, newest first. */
  versions(decisionId: string, options?: CallOptions): AsyncGenerator<DecisionRecord[]>;
}

/** Makes the methods. `teamId` returns the team's id, or an empty text if the caller's token names the team. */
export function decisionMethods(
  content: Client<typeof ContentService>,
  teamId: (options?: CallOptions) => Promise<string>,
): DecisionMethods {
  return {
    create: (change, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), decision: decisionToProto(change) };
        return decisionFromProto(given((await content.createDecision(request, options)).decision));
      }),
    edit: (decisionId, { baseUpdatedAt, ...change }, options) =>
      translated(async () => {
        const request = {
          teamId: await teamId(options),
          decisionId,
          baseUpdatedAt: baseUpdatedAt && timestampFromDate(baseUpdatedAt),
          ...decisionToProto(change),
        };
        return decisionFromProto(given((await content.editDecision(request, options)).decision));
      }),
    remove: (decisionId, options) =>
      translated(async () => {
        await content.removeDecision({ teamId: await teamId(options), decisionId }, options);
      }),
    get: (decisionId, options) =>
      translated(async () => {
        const request = { teamId: await teamId(options), decisionId };
        return decisionFromProto(given((await content.getDecision(request, options)).decision));
      }),
    async *list(options) {
      const team = await translated(() => teamId(options));
      for (let cursor = ''; ; ) {
        const request = { teamId: team, page: { cursor, limit: decisionsPerPage, includeDeleted: true } };
        const page = await translated(async () =>
          given((await content.listDecisions(request, options)).page),
        );
        yield decisionRows(page.rowsJson);
        if (!page.hasMore) return;
        if (page.nextCursor === cursor) throw new RpcError('invalid_answer', 'The list does not advance.');
        cursor = page.nextCursor;
      }
    },
    async *versions(decisionId, options) {
      const team = await translated(() => teamId(options));
      const pages = everyPage((pageToken) => {
        const request = { teamId: team, decisionId, pageSize: decisionsPerPage, pageToken };
        return content.listDecisionVersions(request, options);
      });
      for await (const { versions } of pages) yield versions.map(decisionFromProto);
    },
  };
}

function decisionToProto({ status, audience, ...rest }: DecisionChange) {
  return {
    ...rest,
    status: status === undefined ? DecisionStatus.UNSPECIFIED : decisionStatuses[status],
    audience: audience === undefined ? ProtoTier.UNSPECIFIED : audiences[audience],
  };
}

function decisionRows(json: Uint8Array): DecisionRow[] {
  try {
    return decisionRowsSchema.parse(JSON.parse(new TextDecoder().decode(json)));
  } catch (cause) {
    throw new RpcError('invalid_answer', 'The server sent something other than decisions.', undefined, cause);
  }
}
