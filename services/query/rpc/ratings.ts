import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type QueryService, type RatingSchema, RatingVerdict } from '@teammemory/proto/query/v1/query_pb.ts';
import {
  requireAdministrator,
  requireCaller,
  requireTeamAdministrator,
} from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto, teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import {
  eraseMemberRatings,
  listRatings,
  maxRatingsPage,
  type Rating,
  type RatingPosition,
  type RatingStore,
  rateAnswer,
  removeRatings,
  type Verdict,
} from '../domain/ratings/ratings.ts';
import { tierToProto } from './questions-proto.ts';

type Handlers = ServiceImpl<typeof QueryService>;

interface Dependencies {
  ratings: RatingStore;
  clock: () => number;
}

/** Handles `RateAnswer`. */
export function rateAnswerHandler({ ratings, clock }: Dependencies): Handlers['rateAnswer'] {
  return async ({ question, verdict, note }, context) => {
    const rater = requireCaller(context);
    await rateAnswer({ ratings, clock }, rater, { question, verdict: verdictFromProto(verdict), note });
    return {};
  };
}

/** Handles `ListRatings`. */
export function listRatingsHandler({ ratings, clock }: Dependencies): Handlers['listRatings'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    const query = {
      after: positionFromToken(request.pageToken),
      pageSize: pageSizeFromProto(request.pageSize, maxRatingsPage),
    };
    const page = await listRatings({ ratings, clock }, teamId, query);
    return {
      ratings: page.ratings.map(ratingToProto),
      nextPageToken: page.next === undefined ? '' : `${page.next.at}.${page.next.ratingId}`,
    };
  };
}

/** Handles `RemoveRatings`. */
export function removeRatingsHandler({ ratings }: Dependencies): Handlers['removeRatings'] {
  return async (request, context) => {
    const teamId = administeredTeam(context, request);
    await removeRatings({ ratings }, teamId, request.ratingIds);
    return {};
  };
}

/** Handles `EraseMemberRatings`. */
export function eraseMemberRatingsHandler({ ratings }: Dependencies): Handlers['eraseMemberRatings'] {
  return async ({ teamId, handle, dryRun }, context) => {
    requireAdministrator(context);
    const erased = await eraseMemberRatings({ ratings }, teamIdFromProto(teamId), { handle, dryRun });
    return { ratings: erased };
  };
}

/** The team of its administrator, whatever the message says, or the one that an administrator of the installation names. */
function administeredTeam(context: Pick<HandlerContext, 'values'>, named: { teamId: string }): string {
  return requireTeamAdministrator(context)?.teamId ?? teamIdFromProto(named.teamId);
}

const protoVerdicts: Readonly<Record<Verdict, RatingVerdict>> = {
  helped: RatingVerdict.HELPED,
  not_helped: RatingVerdict.NOT_HELPED,
  no_answer: RatingVerdict.NO_ANSWER,
};

function verdictFromProto(verdict: RatingVerdict): Verdict | undefined {
  if (verdict === RatingVerdict.UNSPECIFIED) return undefined;
  const [name] = Object.entries(protoVerdicts).find(([, each]) => each === verdict) ?? [];
  if (name !== undefined) return name as Verdict;
  const detail = 'must be one of the verdicts';
  throw new AppError('invalid_request', `verdict ${detail}.`, {
    violations: [{ pointer: '/verdict', detail }],
  });
}

function ratingToProto(rating: Rating): MessageInitShape<typeof RatingSchema> {
  const { ratingId, question, verdict, note, memberHandle, tier, at } = rating;
  return {
    ratingId,
    question,
    verdict: protoVerdicts[verdict],
    note,
    memberHandle,
    tier: tierToProto(tier),
    ratedAt: timestampFromMs(at),
  };
}

/** A token names a place in a list that its caller may read anyway, so it is not signed. */
function positionFromToken(token: string): RatingPosition | undefined {
  if (token === '') return undefined;
  const { at, ratingId } = /^(?<at>\d{1,15})\.(?<ratingId>[0-9a-f]{32})$/.exec(token)?.groups ?? {};
  if (at !== undefined && ratingId !== undefined) return { at: Number(at), ratingId };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}
