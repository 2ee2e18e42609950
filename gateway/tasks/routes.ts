import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { pageQuery } from '../feed/contract.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { taskOperations } from './operations.ts';

/** Returns a handler for each operation of tasks. */
export function taskRoutes(dependencies: RouteDependencies): Handlers<typeof taskOperations> {
  return {
    listTasks: listTasks(dependencies),
  };
}

/** GET /api/v1/tasks: one page of the feed of tasks made from the team's logs. */
export function listTasks({ clients, answers }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageRequest(validate(pageQuery, request.query));
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const makePage = async () => pageBody('tasks', (await clients.content.listTasks({ page }, options)).page);
    return answers.send(request, reply, await answers.make(request, makePage));
  };
}
