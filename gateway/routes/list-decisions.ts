import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageQuery } from '../contract/page.ts';
import { validate } from '../contract/validate.ts';
import { pageBody, pageRequest } from './list-items.ts';
import type { RouteContext } from './route-context.ts';

/** GET /api/v1/decisions: one page of the decisions made on the service side. */
export function listDecisions({ clients }: RouteContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageRequest(validate(pageQuery, request.query));
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const answer = await clients.content.listDecisions({ page }, options).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
    return reply.type('application/json; charset=utf-8').send(pageBody('decisions', answer.page));
  };
}
