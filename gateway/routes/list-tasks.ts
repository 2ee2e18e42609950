import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageQuery } from '../contract/page.ts';
import { validate } from '../contract/validate.ts';
import { pageBody, pageRequest } from './list-items.ts';
import type { RouteContext } from './route-context.ts';

/** GET /api/v1/tasks: one page of the tasks made from the team's logs. */
export function listTasks({ clients }: RouteContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageRequest(validate(pageQuery, request.query));
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const answer = await clients.content.listTasks({ page }, options).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
    return reply.type('application/json; charset=utf-8').send(pageBody('tasks', answer.page));
  };
}
