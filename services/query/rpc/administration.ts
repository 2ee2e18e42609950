import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type {
  DaySpendingSchema,
  IndexCoverageSchema,
  QueryService,
} from '@teammemory/proto/query/v1/query_pb.ts';
import { principalKey, requireAdministrator, requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { teamIdFromProto } from '@teammemory/rpc/team-id.ts';
import type { TeamIndexes } from '../domain/index/team-indexes.ts';
import type { Sweep } from '../domain/spending/spending.ts';
import { type CappedDay, daySpending, usageReport } from '../domain/spending/usage-report.ts';
import type { Caps, UsageStore } from '../domain/spending/usage-store.ts';
import type { Coverage } from '../domain/views/view.ts';
import { usagePageToProto, usageQueryFromProto } from './usage-proto.ts';

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
