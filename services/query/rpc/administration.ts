import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type {
  DaySpendingSchema,
  GetUsageRequest,
  GetUsageResponseSchema,
  IndexCoverageSchema,
  QueryService,
  UsageRowSchema,
} from '@teammemory/proto/query/v1/query_pb.ts';
import { principalKey, requireAdministrator, requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { pageSizeFromProto, teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { TeamIndexes } from '../domain/index/team-indexes.ts';
import type { Sweep } from '../domain/spending/spending.ts';
import {
  type CappedDay,
  daySpending,
  pageSizes,
  type UsagePage,
  type UsageQuery,
  usageReport,
} from '../domain/spending/usage-report.ts';
import type { Caps, UsagePosition, UsageStore, UsageTotal } from '../domain/spending/usage-store.ts';
import type { Coverage } from '../domain/views/view.ts';

type Handlers = ServiceImpl<typeof QueryService>;

interface Spending {
  usage: UsageStore;
  sweep: Sweep;
  clock: () => number;
  caps: Caps;
}

/** Handles `GetIndex`. */
export function getIndexHandler({ indexes }: { indexes: TeamIndexes }): Handlers['getIndex'] {
  return async ({ teamId }, context) => {
    requireAdministrator(context);
    teamIdFromProto(teamId);
    const { views, bytes } = await indexes.use({ teamId, tier: 'team' }, context.signal, (host) =>
      host.coverage(teamId),
    );
    return {
      team: coverageToProto(views.team),
      external: coverageToProto(views.external),
      bytes: BigInt(bytes),
    };
  };
}

/** How much of a view can be searched, as RPC writes it. */
export function coverageToProto({
  passages,
  missing,
}: Coverage): MessageInitShape<typeof IndexCoverageSchema> {
  return { passages: BigInt(passages), missingPassages: BigInt(missing) };
}

/** Handles `GetUsage`. */
export function getUsageHandler({ usage, sweep, clock }: Spending): Handlers['getUsage'] {
  return async (request, context) => {
    const { teamId, memberId } = usageReader(context, request.teamId);
    const query = { ...usageQueryFromProto(request), memberId };
    return usagePageToProto(await usageReport({ usage, sweep, clock }, teamId, query));
  };
}

/** Whose usage a caller may read: of any team, of the own team, or the own. */
function usageReader(
  context: Pick<HandlerContext, 'values'>,
  namedTeamId: string,
): { teamId: string; memberId?: string } {
  if (context.values.get(principalKey)?.kind === 'administrator')
    return { teamId: teamIdFromProto(namedTeamId) };
  const { teamId, memberId, isTeamAdministrator } = requireTeamMember(context);
  return isTeamAdministrator ? { teamId } : { teamId, memberId };
}

/** Handles `GetSpending`. */
export function getSpendingHandler({ usage, sweep, caps, clock }: Spending): Handlers['getSpending'] {
  return async (_request, context) => {
    const { day, team, member, resetAt } = await daySpending(
      { usage, sweep, caps, clock },
      requireTeamMember(context),
    );
    return {
      day,
      team: cappedDayToProto(team),
      member: cappedDayToProto(member),
      resetAt: timestampFromMs(resetAt),
    };
  };
}

function cappedDayToProto({ cap, spent, reserved }: CappedDay): MessageInitShape<typeof DaySpendingSchema> {
  return {
    capMicroDollars: BigInt(cap),
    spentMicroDollars: BigInt(spent),
    reservedMicroDollars: BigInt(reserved),
  };
}

/** What a team spends is nothing that guests see. */
function requireTeamMember(context: Pick<HandlerContext, 'values'>): Caller {
  const caller = requireCaller(context);
  if (caller.tier === 'team') return caller;
  throw new AppError('permission_denied', 'This method is for keys of tier team.');
}

/** A token is a cursor as JSON in base64url; it names nothing that an administrator may not see. */
const maxTokenCharacters = 1_000;

/**
 * Which part of a team's usage is wanted.
 * @throws AppError `invalid_cursor`, `invalid_request`.
 */
export function usageQueryFromProto(request: GetUsageRequest): UsageQuery {
  const { from, to, pageToken } = request;
  const pageSize = pageSizeFromProto(request.pageSize, pageSizes.maximum);
  return { from, to, pageSize, after: pageToken === '' ? undefined : positionFrom(pageToken) };
}

/** One page of a team's usage. */
export function usagePageToProto(page: UsagePage): MessageInitShape<typeof GetUsageResponseSchema> {
  return {
    from: page.from,
    to: page.to,
    rows: page.totals.map(usageTotalToProto),
    nextPageToken: page.next === undefined ? '' : tokenOf(page.next),
  };
}

/** One row of it. */
export function usageTotalToProto(total: UsageTotal): MessageInitShape<typeof UsageRowSchema> {
  return {
    day: total.day,
    memberId: total.memberId,
    model: total.model,
    calls: BigInt(total.calls),
    inputTokens: BigInt(total.inputTokens),
    outputTokens: BigInt(total.outputTokens),
    costMicroDollars: BigInt(total.cost),
  };
}

function tokenOf({ day, memberId, model }: UsagePosition): string {
  return Buffer.from(JSON.stringify([day, memberId, model])).toString('base64url');
}

function positionFrom(token: string): UsagePosition {
  try {
    if (token.length > maxTokenCharacters) throw new RangeError('too long');
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(place) || place.length !== 3) throw new TypeError('not a place');
    const [day, memberId, model] = place.map(textFrom) as [string, string, string];
    return { day, memberId, model };
  } catch (cause) {
    throw new AppError('invalid_cursor', 'The page token was not issued for this list.', { cause });
  }
}

function textFrom(part: unknown): string {
  if (typeof part === 'string') return part;
  throw new TypeError('not a place');
}
