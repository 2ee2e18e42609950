import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { Permits } from '@teammemory/admission/permits.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller, requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { pageSizeFromProto, teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import { giveAnswer } from '../domain/answer/answer.ts';
import type { AnswerWriter } from '../domain/answer/answer-model-call.ts';
import { type AnswerPart, partStream } from '../domain/answer/answer-parts.ts';
import { maxPassages } from '../domain/index/index-host.ts';
import { listItemCoverage, readItemCoverage } from '../domain/index/item-coverage.ts';
import { findItems, listNotesToCheck } from '../domain/index/item-lists.ts';
import type { TeamIndexes } from '../domain/index/team-indexes.ts';
import type { AnswerMarkup } from '../domain/markup/answer-markup.ts';
import type { PassageStore } from '../domain/passages/passage-store.ts';
import { type Asking, type FindPassages, rankPassages } from '../domain/search/passage-search.ts';
import { coverageToProto } from './administration.ts';
import { answerPartToProto, itemCoverageToProto, passageToProto } from './questions-proto.ts';

type Handlers = ServiceImpl<typeof QueryService>;

interface Searching {
  findPassages: FindPassages;
  acquirePermit: Permits['acquire'];
}

interface Answering extends Searching {
  writer: AnswerWriter | undefined;
  markup: AnswerMarkup;
}

interface Covering {
  indexes: TeamIndexes;
  passages: PassageStore;
}

interface Checking {
  indexes: TeamIndexes;
  clock: () => number;
}

/** Handles `Ask`. Without a writer answers consist of quotes. An answer holds a permit until it ends or its reader goes. */
export function askHandler({ findPassages, writer, markup, acquirePermit }: Answering): Handlers['ask'] {
  return ({ question }, context) => {
    const viewer = requireCaller(context);
    return partStream(async (given, signal) => {
      const release = acquirePermit(viewer);
      const give = (part: AnswerPart) => given(answerPartToProto(part));
      try {
        await giveAnswer(question, { findPassages, writer, markup, viewer, give, signal });
      } finally {
        release();
      }
    }, context.signal);
  };
}

/** Handles `Search`. A search holds one of the permits of `Ask` until it ends. */
export function searchHandler({ findPassages, acquirePermit }: Searching): Handlers['search'] {
  return async ({ question, limit: wanted, teamId, prefix, kind, since }, context) => {
    const viewer = viewerOf(teamId, context);
    const limit = pageSizeFromProto(wanted, maxPassages, 'limit');
    const release = acquirePermit(viewer);
    try {
      const asking = { viewer, signal: context.signal };
      const request = { question, limit, filter: { prefix, kind, since } };
      const { passages, coverage } = await rankPassages(findPassages, request, asking);
      return { passages: passages.map(passageToProto), coverage: coverageToProto(coverage) };
    } finally {
      release();
    }
  };
}

/** Handles `GetItemCoverage`. */
export function getItemCoverageHandler({ indexes, passages }: Covering): Handlers['getItemCoverage'] {
  return async ({ rowKey, teamId }, context) => {
    const asking = { viewer: viewerOf(teamId, context), signal: context.signal };
    return { coverage: itemCoverageToProto(await readItemCoverage({ indexes, passages }, rowKey, asking)) };
  };
}

/** Handles `ListItemCoverage`. */
export function listItemCoverageHandler({ indexes, passages }: Covering): Handlers['listItemCoverage'] {
  return async ({ rowKeys, teamId }, context) => {
    const asking = { viewer: viewerOf(teamId, context), signal: context.signal };
    return {
      items: (await listItemCoverage({ indexes, passages }, rowKeys, asking)).map(itemCoverageToProto),
    };
  };
}

/** Handles `FindItems`. */
export function findItemsHandler({ indexes }: Pick<Covering, 'indexes'>): Handlers['findItems'] {
  return async ({ words }, context) =>
    findItems(indexes, words, { viewer: requireCaller(context), signal: context.signal });
}

/** Handles `ListNotesToCheck`. */
export function listNotesToCheckHandler({ indexes, clock }: Checking): Handlers['listNotesToCheck'] {
  return async ({ mine }, context) => {
    const viewer = requireCaller(context);
    const writerId = mine ? viewer.memberId : undefined;
    return listNotesToCheck({ indexes, clock }, { writerId }, { viewer, signal: context.signal });
  };
}

/** A member sees what the token says, a service all of the team that it names. */
function viewerOf(teamId: string, context: HandlerContext): Asking['viewer'] {
  if (teamId === '') return requireCaller(context);
  requireScope(context, 'search:read', teamId);
  return { teamId: teamIdFromProto(teamId), tier: 'team' };
}
