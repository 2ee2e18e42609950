import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageQuery } from '../contract/page.ts';
import { validate } from '../contract/validate.ts';
import { pageBody, pageRequest } from './list-items.ts';
import type { RouteContext } from './route-context.ts';

/** GET /api/v1/tasks: one page of the tasks made from the team's logs. */
export function listTasks({ clients, answers }: RouteContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageRequest(validate(pageQuery, request.query));
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const makePage = async () => pageBody('tasks', (await clients.content.listTasks({ page }, options)).page);
    try {
      return await answers.send(request, reply, await answers.make(request, makePage));
    } catch (error) {
      throw appErrorFromRpc(error);
    }
  };
}
