import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { AuditEntry } from '@teammemory/proto/common/v1/audit_pb.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient, RecordOf } from './records.ts';
import { everyPage, teamIdOf } from './rpc-calls.ts';

/** The services that keep an audit log. */
export const auditedServices = ['auth', 'content'] as const;
export type AuditedService = (typeof auditedServices)[number];

/** An entry of an audit log; docs/audit.md tells what it means. */
export interface AuditRecord {
  service: AuditedService;
  sequence: number;
  at: string;
  team_id: string | null;
  /** administrator:ada, member:rivers/ada, service:search or anonymous. */
  actor: string;
  key_id: string | null;
  action: string;
  object: string;
  outcome: string;
  /** Sequence of the entry that told that the act began. */
  begun: number | null;
  code: string | null;
  before: Record<string, string>;
  after: Record<string, string>;
  client_address: string;
  request_id: string;
  hash: string;
  /** What the hash is made of, behind the hash of the entry before. */
  text: string;
}

/** What a list of entries is restricted to. */
export interface AuditQuery {
  /** Slug of a team. */
  team?: string | undefined;
  actor?: string | undefined;
  since?: Date | undefined;
}

/** A place in an audit log that was checked. */
export interface AuditPlace {
  sequence: number;
  hash: string;
}

/** What a check of a log found. */
export interface AuditCheck {
  service: AuditedService;
  /** The newest entry up to which everything is as it was written; null for an empty log. */
  checked: AuditPlace | null;
  /** The first thing that is wrong, as a sentence. */
  problem: string | null;
  /** Whether the place to begin behind was removed as too old, so that nothing was compared with its hash. */
  is_too_old: boolean;
}

/** The audit logs. Every method throws RpcError. */
export interface AuditMethods {
  audit: {
    /** Lists the entries of one service, oldest first, page by page. */
    list(service: AuditedService, query: AuditQuery, options?: CallOptions): AsyncIterable<AuditRecord[]>;
    /** Checks the log of one service to its end, from the oldest entry or behind one that was checked before. */
    verify(service: AuditedService, after?: AuditPlace, options?: CallOptions): Promise<AuditCheck>;
  };
}

/** Makes the methods. */
export function auditMethods(logs: {
  auth: RecordClient<typeof AuthService>;
  content: RecordClient<typeof ContentService>;
}): AuditMethods {
  return {
    audit: {
      async *list(service, { team, actor: actorName = '', since }, options) {
        const teamId = team === undefined ? '' : await teamIdOf(logs.auth, team, options);
        const query = { teamId, actorName, since: since && timestampFromDate(since) };
        const pages = everyPage((pageToken) =>
          logs[service].listAuditEntries({ ...query, pageToken }, options),
        );
        for await (const { entries } of pages) {
          if (entries.length > 0) yield entries.map((entry) => recordFrom(service, entry));
        }
      },
      async verify(service, after, options) {
        let checked = after ?? null;
        let is_too_old = false;
        for (;;) {
          const { sequence = 0, hash: afterHash = '' } = checked ?? {};
          const request = { afterSequence: BigInt(sequence), afterHash };
          const found = await logs[service].verifyAuditLog(request, options);
          const place = { sequence: found.checked_sequence, hash: found.checked_hash };
          checked = place.sequence === 0 ? null : place;
          is_too_old ||= found.is_too_old;
          if (found.problem !== '') return { service, checked, problem: found.problem, is_too_old };
          if (found.is_end) return { service, checked, problem: null, is_too_old };
        }
      },
    },
  };
}

function recordFrom(
  service: AuditedService,
  { actor, begun_sequence: begun, ...entry }: RecordOf<AuditEntry>,
): AuditRecord {
  return {
    ...entry,
    service,
    at: entry.at ?? '',
    team_id: entry.team_id || null,
    actor: actor?.full_name ?? 'anonymous',
    key_id: actor?.key_id || null,
    begun: begun || null,
    code: entry.code || null,
  };
}
