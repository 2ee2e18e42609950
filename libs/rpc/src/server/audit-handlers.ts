import { create } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { type AuditActor, type AuditEntry, actorName } from '@teammemory/audit/audit-entry.ts';
import type { Act, AuditLog, Done } from '@teammemory/audit/audit-log.ts';
import type { ShownTo } from '@teammemory/audit/audit-store.ts';
import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import {
  AuditEntrySchema,
  type AuditEntry as ProtoAuditEntry,
} from '@teammemory/proto/common/v1/audit_pb.ts';
import { clientAddressOf, requestIdOf } from '../auth/call-origin.ts';
import { principalKey, requireAdministrator, requireTeamAdministrator } from '../auth/caller-context.ts';
import { pageSizeFromProto, teamIdFromProto } from '../request-fields.ts';

type CallContext = Pick<HandlerContext, 'values' | 'requestHeader'>;

/** What a handler knows of the act that it is about to run; who acts and from where is known from its call. */
export type ActOfCall = Pick<Act, 'action' | 'object' | 'before' | 'after'> & { teamId?: string };

/** Runs the acts of handlers, each between two entries of the audit log. */
export interface Audit {
  /** As `AuditLog.act`. To be called once it is known that the caller may do it, and before anything is changed. */
  act<Result>(
    context: CallContext,
    act: ActOfCall,
    run: () => Promise<Result>,
    told?: (result: Result) => Done,
  ): Promise<Result>;
}

const maxEntriesPerPage = 200;
const hash = /^[0-9a-f]{64}$/;
const wholeNumber = /^[1-9][0-9]{0,15}$/;
/** `ShownTo` as text: the moment, and the entries of that moment. */
const teamPageToken = /^([1-9][0-9]{0,15})\.([1-9][0-9]{0,3})$/;
/** Codes of errors that say that the caller may not do it. */
const refusedCodes: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'invalid_key',
  'permission_denied',
  'forbidden_tier',
  'forbidden_access',
]);

/** Makes what handlers audit their acts with. */
export function createAudit(log: AuditLog): Audit {
  return {
    act: (context, act, run, told) => log.act({ teamId: null, ...act, ...callerOf(context) }, run, told),
  };
}

/** Notes in the audit log a call that was not allowed; others that failed are none of its business. */
export function refusalsTo(log: AuditLog): (method: string, error: AppError, context: CallContext) => void {
  return (method, { code }, context) => {
    if (!refusedCodes.has(code)) return;
    const principal = context.values.get(principalKey);
    const teamId = principal?.kind === 'member' ? principal.caller.teamId : null;
    log.refused({ teamId, object: method, code, ...callerOf(context) });
  };
}

function callerOf(context: CallContext): Pick<Act, 'actor' | 'address' | 'requestId'> {
  return {
    actor: actorOf(context),
    address: clientAddressOf(context),
    requestId: requestIdOf(context.requestHeader),
  };
}

function actorOf({ values }: Pick<CallContext, 'values'>): AuditActor {
  const principal = values.get(principalKey);
  if (principal === undefined) return { kind: 'anonymous', name: '' };
  if (principal.kind === 'member') {
    const { memberHandle: name, teamSlug: team, keyId } = principal.caller;
    return { kind: 'member', name, team, keyId };
  }
  return { kind: principal.kind, name: principal.name };
}

/** The handlers of the methods by which the audit log of a service is read. */
export function auditHandlers(log: AuditLog) {
  return {
    async listAuditEntries(
      request: { teamId: string; actorName: string; since?: Timestamp; pageSize: number; pageToken: string },
      context: HandlerContext,
    ) {
      requireAdministrator(context);
      const { teamId, actorName: actor, since, pageToken } = request;
      if (teamId !== '') teamIdFromProto(teamId);
      if (pageToken !== '' && !wholeNumber.test(pageToken))
        throw invalid('/page_token', 'must be the next_page_token of an earlier answer');
      const limit = pageSizeFromProto(request.pageSize, maxEntriesPerPage) || maxEntriesPerPage;
      const entries = await log.list(Number(pageToken), limit, {
        ...(teamId !== '' && { teamId }),
        ...(actor !== '' && { actor }),
        ...(since !== undefined && { since: timestampMs(since) }),
      });
      const last = entries.at(-1);
      return {
        entries: entries.map(entryToProto),
        nextPageToken: entries.length < limit || last === undefined ? '' : String(last.sequence),
      };
    },

    async listTeamAuditEntries(
      { memberHandle, pageSize, pageToken }: { memberHandle: string; pageSize: number; pageToken: string },
      context: HandlerContext,
    ) {
      const caller = requireTeamAdministrator(context);
      if (caller === undefined)
        throw new AppError('permission_denied', 'This method is for administrators of a team.');
      const { teamId, teamSlug } = caller;
      const [, at, count] = teamPageToken.exec(pageToken) ?? [];
      if (pageToken !== '' && count === undefined)
        throw invalid('/page_token', 'must be the next_page_token of an earlier answer');
      const limit = pageSizeFromProto(pageSize, maxEntriesPerPage) || maxEntriesPerPage;
      const shownTo = count === undefined ? undefined : { at: Number(at), count: Number(count) };
      const entries = await log.listOfTeam(teamId, limit, {
        actor:
          memberHandle === '' ? undefined : actorName({ kind: 'member', name: memberHandle, team: teamSlug }),
        shownTo,
      });
      return {
        entries: entries.map((entry) => entryForTeam(entry, teamSlug)),
        nextPageToken: entries.length < limit ? '' : placeAfter(entries, shownTo),
      };
    },

    async verifyAuditLog(
      { afterSequence, afterHash }: { afterSequence: bigint; afterHash: string },
      context: HandlerContext,
    ) {
      requireAdministrator(context);
      if (afterSequence > 0n && !hash.test(afterHash))
        throw invalid('/after_hash', 'must be the hash of an entry, 64 lower-case hex digits');
      if (afterSequence > BigInt(Number.MAX_SAFE_INTEGER))
        throw invalid('/after_sequence', 'is more than any entry has');
      const after = afterSequence === 0n ? undefined : { sequence: Number(afterSequence), hash: afterHash };
      const { checked, isEnd, problem = '', isTooOld = false } = await log.verify(after);
      return {
        checkedSequence: BigInt(checked?.sequence ?? 0),
        checkedHash: checked?.hash ?? '',
        isEnd,
        problem,
        isTooOld,
      };
    },
  };
}

function entryToProto(entry: AuditEntry & { hash: string; text: string }): ProtoAuditEntry {
  const { kind, name, team, keyId } = entry.actor;
  return create(AuditEntrySchema, {
    sequence: BigInt(entry.sequence),
    at: timestampFromMs(entry.at),
    teamId: entry.teamId ?? '',
    actor: { kind, name, teamSlug: team ?? '', keyId: keyId ?? '', fullName: actorName(entry.actor) },
    action: entry.action,
    object: entry.object,
    outcome: entry.outcome,
    begunSequence: BigInt(entry.begun ?? 0),
    code: entry.code ?? '',
    before: { ...entry.before },
    after: { ...entry.after },
    clientAddress: entry.address,
    requestId: entry.requestId,
    hash: entry.hash,
    text: entry.text,
  });
}

/** The token of the page behind these entries of a list that was shown to a place before. */
function placeAfter(entries: readonly AuditEntry[], shownTo: ShownTo | undefined): string {
  const at = entries.at(-1)?.at ?? 0;
  const before = shownTo?.at === at ? shownTo.count : 0;
  return `${at}.${before + entries.filter((entry) => entry.at === at).length}`;
}

/** An entry as the team's own administrators see it: without what tells of other teams or of the installation. */
function entryForTeam({ actor, ...entry }: AuditEntry, teamSlug: string): ProtoAuditEntry {
  const isOwn = actor.kind === 'member' && actor.team === teamSlug;
  return entryToProto({
    ...entry,
    sequence: 0,
    begun: null,
    actor: isOwn ? actor : { kind: actor.kind, name: '' },
    address: isOwn ? entry.address : '',
    hash: '',
    text: '',
  });
}

function invalid(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `${pointer.slice(1)}: ${detail}.`, {
    violations: [{ pointer, detail }],
  });
}
