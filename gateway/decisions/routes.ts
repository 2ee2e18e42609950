import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { pageQuery } from '../feed/contract.ts';
import { pageBody, pageRequest } from '../feed/page.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { decisionOperations } from './operations.ts';

/** Returns a handler for each operation of decisions. */
export function decisionRoutes(dependencies: RouteDependencies): Handlers<typeof decisionOperations> {
  return {
    listDecisions: listDecisions(dependencies),
  };
}

/** GET /api/v1/decisions: one page of the feed of decisions made on the service side. */
export function listDecisions({ clients, answers }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = pageRequest(validate(pageQuery, request.query));
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const makePage = async () =>
      pageBody('decisions', (await clients.content.listDecisions({ page }, options)).page);
    return answers.send(request, reply, await answers.make(request, makePage));
  };
}
