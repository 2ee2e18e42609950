import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Tier as ProtoTier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  type ContentService,
  type Decision,
  DecisionStatus,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { CallOptions } from '../call-options.ts';
import { type DecisionRow, decisionRowsSchema } from '../derived-lists.ts';
import { enumNumber, type RecordClient, type RecordOf } from './records.ts';
import { everyPage, given } from './rpc-calls.ts';
import { RpcError } from './rpc-error.ts';

/** Decisions per page: each may have a body of 1 MiB. */
const decisionsPerPage = 10;

export type DecisionStatusName = 'proposed' | 'accepted' | 'superseded' | 'rejected';

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

function decisionFrom(answered: RecordOf<Decision> | null): DecisionRecord {
  const decision = given(answered);
  return {
    ...decision,
    status: decision.status ?? 'unknown',
    audience: decision.audience === 'external' ? 'external' : 'team',
    project: decision.project || null,
    decided_on: decision.decided_on || null,
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
  content: RecordClient<typeof ContentService>,
  teamId: (options?: CallOptions) => Promise<string>,
): DecisionMethods {
  return {
    async create(change, options) {
      const request = { teamId: await teamId(options), decision: decisionFields(change) };
      return decisionFrom((await content.createDecision(request, options)).decision);
    },
    async edit(decisionId, { baseUpdatedAt, ...change }, options) {
      const request = {
        teamId: await teamId(options),
        decisionId,
        baseUpdatedAt: baseUpdatedAt && timestampFromDate(baseUpdatedAt),
        ...decisionFields(change),
      };
      return decisionFrom((await content.editDecision(request, options)).decision);
    },
    async remove(decisionId, options) {
      await content.removeDecision({ teamId: await teamId(options), decisionId }, options);
    },
    async get(decisionId, options) {
      const request = { teamId: await teamId(options), decisionId };
      return decisionFrom((await content.getDecision(request, options)).decision);
    },
    async *list(options) {
      const team = await teamId(options);
      for (let cursor = ''; ; ) {
        const request = { teamId: team, page: { cursor, limit: decisionsPerPage, includeDeleted: true } };
        const page = given((await content.listDecisions(request, options)).page);
        yield decisionRows(page.rows_json);
        if (!page.has_more) return;
        if (page.next_cursor === cursor) throw new RpcError('invalid_answer', 'The list does not advance.');
        cursor = page.next_cursor;
      }
    },
    async *versions(decisionId, options) {
      const team = await teamId(options);
      const pages = everyPage((pageToken) => {
        const request = { teamId: team, decisionId, pageSize: decisionsPerPage, pageToken };
        return content.listDecisionVersions(request, options);
      });
      for await (const { versions } of pages) yield versions.map(decisionFrom);
    },
  };
}

/** Returns the fields of a message that stores or changes a decision. */
export function decisionFields<Change extends DecisionChange>({ status, audience, ...rest }: Change) {
  return {
    ...rest,
    status: enumNumber(DecisionStatus, status),
    audience: enumNumber(ProtoTier, audience),
  };
}

function decisionRows(json: Uint8Array): DecisionRow[] {
  try {
    return decisionRowsSchema.parse(JSON.parse(new TextDecoder().decode(json)));
  } catch (cause) {
    throw new RpcError('invalid_answer', 'The server sent something other than decisions.', undefined, cause);
  }
}
