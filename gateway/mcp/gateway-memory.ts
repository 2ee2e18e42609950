import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Log } from '@teammemory/log/log.ts';
import {
  type AnswerPart,
  type Call,
  type Decision,
  type FeedPage,
  type Item,
  type ItemSummary,
  type Memory,
  MemoryError,
  type Removed,
  type Task,
  type TaskFilter,
} from '@teammemory/mcp/memory.ts';
import { requireProposeAccess, requireWriteAccess } from '@teammemory/rpc/auth/caller-context.ts';
import type { FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { decisionFeed, oneDecision } from '../decisions/routes.ts';
import type { PageParameters } from '../feed/contract.ts';
import { type Feed, makeFeedPage } from '../feed/page.ts';
import { makeRow, type Row } from '../feed/row.ts';
import { itemListQuery } from '../items/contract.ts';
import { makeItem } from '../items/history-routes.ts';
import { proposalListQuery } from '../items/proposal-contract.ts';
import { makeProposal, readProposals } from '../items/proposal-routes.ts';
import { createItemPush } from '../items/push-items.ts';
import { createItemPages } from '../items/routes.ts';
import { queryBody, searchQuery } from '../query/contract.ts';
import { closestFromProto, openAnswer, sourceFromProto } from '../query/open-answer.ts';
import { searchPassages } from '../query/search.ts';
import { writeWithinLimit } from '../rate-limit/http-limits.ts';
import { originOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { oneTask, taskFeed } from '../tasks/routes.ts';
import { type LimitHeaders, limitHeaders, memoryErrorFrom } from './memory-error.ts';

/** What the memory of a caller is made of. */
export type GatewayMemoryDependencies = Pick<
  RouteDependencies,
  | 'clients'
  | 'pages'
  | 'answers'
  | 'itemWrites'
  | 'questions'
  | 'searches'
  | 'openAnswer'
  | 'overdue'
  | 'refusals'
> & { log: Log /** Milliseconds since the epoch. */; clock: () => number };

/**
 * Returns how a memory is made for a request: the calls of the services that the routes of /api/v1 make, with the same
 * checks and limits and under the name of the request's caller.
 */
export function createGatewayMemories(
  dependencies: GatewayMemoryDependencies,
): (request: FastifyRequest) => Memory {
  const { clients, answers } = dependencies;
  const readItems = createItemPages(dependencies);
  const pushItems = createItemPush(dependencies);

  return (request) => {
    const { caller } = request;
    const { teamSlug: team, memberHandle: member, tier, access } = caller;
    const refusal = (error: unknown, limit?: LimitHeaders) =>
      memoryErrorFrom(error, { ...dependencies, request, limit });

    async function orRefused<Result>(call: () => Promise<Result>, limit?: LimitHeaders): Promise<Result> {
      try {
        return await call();
      } catch (error) {
        throw refusal(error, limit);
      }
    }

    function listFeed<Row, Parameters extends PageParameters>(
      feed: Feed<Parameters>,
      query: Record<string, string | number | undefined>,
    ): Promise<FeedPage<Row>> {
      return orRefused(async () => {
        const { body } = await makeFeedPage(feed, { clients, answers }, request, queryOf(query));
        return pageFrom<Row>(feed.name, body);
      });
    }

    function readRow<Found>(row: Row, id: string): Promise<Found> {
      return orRefused(async () =>
        parsed<Found>((await makeRow(row, { clients, answers }, request, id)).body),
      );
    }

    async function* ask(question: string, { signal }: Call): AsyncGenerator<AnswerPart> {
      const limit = limitHeaders();
      const answer = await orRefused(() => {
        const { q } = validate(queryBody, { q: question });
        return openAnswer(dependencies, q, { request, answer: limit, signal });
      }, limit);
      try {
        const parts = await answer.opening;
        for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
          const { part } = next.value;
          if (part.case === 'delta') yield { type: 'delta', text: part.value.text };
          else if (part.case === 'sources') {
            const { sources, closest } = part.value;
            yield {
              type: 'sources',
              sources: sources.map(sourceFromProto),
              closest: closestFromProto(closest),
            };
          }
        }
      } catch (error) {
        throw refusal(answer.failure(error));
      } finally {
        answer.end();
      }
    }

    return {
      holder: { team, member, tier, access },
      ask,
      search(question, { signal, ...options }) {
        const limits = limitHeaders();
        return orRefused(() => {
          const parameters = validate(searchQuery, queryOf({ q: question, ...options }));
          return searchPassages(dependencies, parameters, { request, answer: limits, signal });
        }, limits);
      },
      getDecision: (id) => readRow<Decision>(oneDecision, id),
      getTask: (id) => readRow<Task>(oneTask, id),
      getItem: (rowKey) =>
        orRefused(async () => parsed<Item>((await makeItem({ clients, answers }, request, rowKey)).body)),
      listItems: ({ prefix, ...range }) =>
        orRefused(async () => {
          const query = queryOf({ ...range, prefix, view: 'summary', include_deleted: 'true' });
          const { page } = await readItems(request, validate(itemListQuery, query), 'identity');
          return pageFrom<ItemSummary | Removed<'row_key'>>('items', page.body);
        }),
      listDecisions: (range) => listFeed(decisionFeed, { ...range, include_deleted: 'true' }),
      listTasks: ({ filter, ...range }) => listFeed(taskFeed, { ...range, ...taskQuery(filter) }),
      // It counts as the write of an item.
      editDecision(decision, body, { signal }) {
        const reply = limitHeaders();
        const { keyId: key, itemWritesPerMinute: ownLimit } = caller;
        const limit = {
          limiter: dependencies.itemWrites,
          policy: 'item-writes',
          key,
          ownLimit,
          reply,
        } as const;
        return orRefused(async () => {
          requireWriteAccess(caller);
          const options = await clients.unary('content', { caller, requestId: request.id, signal });
          const baseUpdatedAt = timestampFromMs(Date.parse(decision.updated_at));
          const edit = { decisionId: decision.decision_id, body, baseUpdatedAt };
          await writeWithinLimit(limit, async (validateOnly) => {
            if (!validateOnly) await clients.content.editDecision(edit, options);
          });
        }, reply);
      },
      // A push that began goes on without its reader, as on /api/v1.
      pushItem(item) {
        const limit = limitHeaders();
        return orRefused(async () => {
          requireProposeAccess(caller);
          const { errors, proposed = 0 } = await pushItems([item], { request, answer: limit });
          const [refused] = errors;
          if (refused === undefined) return { proposed: proposed > 0 };
          throw new MemoryError(refused.code, refused.detail, {
            currentChecksum: refused.current_checksum ?? undefined,
          });
        }, limit);
      },
      listProposals: (range) =>
        orRefused(() => readProposals({ clients }, request, validate(proposalListQuery, queryOf(range)))),
      getProposal: (id) =>
        orRefused(async () => parsed((await makeProposal({ clients, answers }, request, id)).body)),
      removeItem: ({ row_key: rowKey, checksum: baseChecksum }) =>
        orRefused(async () => {
          requireWriteAccess(caller);
          const options = await clients.unary('content', { caller, ...originOf(request) });
          await clients.content.deleteItem({ rowKey, baseChecksum }, options);
        }),
    };
  };
}

/** Returns the parameters of a list of tasks; removed ones are listed without a filter. */
function taskQuery({ dueBy, ...fields }: TaskFilter = {}): Record<string, string | undefined> {
  const filter = { ...fields, due_by: dueBy };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return isFiltered ? filter : { include_deleted: 'true' };
}

/** Returns the parameters as the query of a URL has them. */
function queryOf(parameters: Record<string, string | number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function pageFrom<Row>(name: string, body: Uint8Array): FeedPage<Row> {
  const page = parsed<Record<string, Row[]> & { next_cursor: string; has_more: boolean }>(body);
  return { rows: page[name] ?? [], nextCursor: page.next_cursor, hasMore: page.has_more };
}

/** Content sends rows as the JSON of the public API. */
function parsed<Row>(json: Uint8Array): Row {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as Row;
}
