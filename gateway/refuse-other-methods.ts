import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance } from 'fastify';

/** Answers 405 with Allow to all methods of a path but the given ones, before a body is looked at. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = methods.join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      // A parameter is never empty: without one it is another path, and there is none such.
      const { '*': parameter } = request.params as { '*'?: string };
      if (parameter === '') throw new AppError('not_found', 'There is no such path.');
      reply.header('allow', allowed);
      throw new AppError('method_not_allowed', `This path answers ${allowed}.`);
    },
    handler: () => undefined,
  });
}
