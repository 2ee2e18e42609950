import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance } from 'fastify';

/** Answers 405 with Allow to all methods of a path but the given ones, before a body is looked at. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = methods.join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowed);
      throw new AppError('method_not_allowed', `This path answers ${allowed}.`);
    },
    handler: () => undefined,
  });
}
