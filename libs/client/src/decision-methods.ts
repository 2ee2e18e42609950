import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, DecisionStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from './call-options.ts';
import {
  type DecisionRecord,
  type DecisionRow,
  decisionFromProto,
  decisionRowsSchema,
  decisionStatuses,
} from './decision-record.ts';
import { everyPage, given, translated } from './rpc-answer.ts';
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
  /** `updated_at` of the version that was edited: refused with `conflict` when another one is stored. */
  baseUpdatedAt?: Date;
}

export interface NewDecision extends DecisionChange {
  title: string;
  audience: 'team' | 'external';
}

/** The decisions of one team. Every method throws RpcError. */
export interface DecisionMethods {
  create(decision: NewDecision, options?: CallOptions): Promise<DecisionRecord>;
  /** Changes what is given and leaves the rest; of a hidden decision `invalid_request` unless `hidden` is false. */
  edit(decisionId: string, edit: DecisionEdit, options?: CallOptions): Promise<DecisionRecord>;
  /** Removes a decision for good, with its versions; again success when it was removed before. */
  remove(decisionId: string, options?: CallOptions): Promise<void>;
  /** Reads a decision, hidden or not. */
  get(decisionId: string, options?: CallOptions): Promise<DecisionRecord>;
  /** Yields decisions page by page, the longest unchanged first; hidden ones without their text. */
  list(options?: CallOptions): AsyncGenerator<DecisionRow[]>;
  /** Yields the kept versions before the present one page by page, newest first. */
  versions(decisionId: string, options?: CallOptions): AsyncGenerator<DecisionRecord[]>;
}

/** Makes the methods; `teamId` gives the team's id, which is empty where the caller's token says it. */
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
