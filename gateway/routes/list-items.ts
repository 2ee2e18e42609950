import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import type { ListItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PageParameters, pageQuery } from '../contract/page.ts';
import { validate } from '../contract/validate.ts';
import type { RouteContext } from './route-context.ts';
import { createSharedCalls } from './shared-calls.ts';

/** GET /api/v1/items: one page of the team's item feed. */
export function listItems({ clients }: RouteContext) {
  const shared = createSharedCalls<ListItemsResponse>();
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, id: requestId } = request;
    const parameters = validate(pageQuery, request.query);
    // What a page depends on, and no more: members of a team who poll it under load get the same one.
    const question = JSON.stringify([caller.teamId, caller.tier, parameters]);
    const answer = await shared(question, async () => {
      const options = await clients.unary('content', { caller, requestId });
      return clients.content.listItems({ page: pageRequest(parameters) }, options);
    }).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
    return reply.type('application/json; charset=utf-8').send(pageBody('items', answer.page));
  };
}

/** The parameters of a list as the services know them. */
export function pageRequest(parameters: PageParameters) {
  const { since, cursor, limit, include_deleted } = parameters;
  return {
    ...(since === undefined ? {} : { since: timestampFromMs(since) }),
    cursor: cursor ?? '',
    limit: limit ?? 0,
    includeDeleted: include_deleted ?? false,
  };
}

/** Answers already put together, by the rows they hold: a page that content remembers comes as the same bytes. */
const bodies = new WeakMap<Uint8Array, Buffer>();

/** The answer of a list. Its rows are JSON already and are passed on without being read. */
export function pageBody(name: string, page: Page | undefined): Buffer {
  const { rowsJson, nextCursor, hasMore } = page ?? {
    rowsJson: Buffer.from('[]'),
    nextCursor: '',
    hasMore: false,
  };
  let body = bodies.get(rowsJson);
  if (body === undefined) {
    body = Buffer.concat([
      Buffer.from(`{"${name}":`),
      rowsJson,
      Buffer.from(`,"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}`),
    ]);
    bodies.set(rowsJson, body);
  }
  return body;
}
