import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemFrom } from './http-error.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { problemPage } from './routes/problem-page.ts';

/** How long one dependency may take to say that it is there. */
const readinessTimeoutMs = 3_000;

/** What needs no key: the state of the process and pages for people. */
export function publicRoutes(options: { dependencies: Readonly<Record<string, () => Promise<void>>> }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setNotFoundHandler(() => {
      throw new AppError('not_found', 'There is no such path.');
    });
    app.get('/healthz', async () => ({ status: 'ok' }));
    app.get('/readyz', async (request, reply) => {
      const missing = await unreadyParts(options.dependencies);
      return missing.length === 0 ? { status: 'ready' } : answerUnready(request, reply, missing);
    });
    app.get('/problems/:code', problemPage);
    for (const url of ['/healthz', '/readyz', '/problems/:code'])
      refuseOtherMethods(app, url, ['GET', 'HEAD']);
  };
}

async function unreadyParts(dependencies: Readonly<Record<string, () => Promise<void>>>): Promise<string[]> {
  const checks = Object.entries(dependencies).map(async ([name, ready]) => {
    const limit = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error(`${name} did not answer`)), readinessTimeoutMs).unref();
    });
    return Promise.race([ready(), limit]).then(
      () => [],
      () => [name],
    );
  });
  return (await Promise.all(checks)).flat();
}

function answerUnready(request: FastifyRequest, reply: FastifyReply, missing: string[]) {
  const error = new AppError('unavailable', `Not ready: ${missing.join(', ')}.`);
  const problem = { ...problemFrom(error, request.id), missing };
  return reply
    .code(problem.status)
    .header('retry-after', '1')
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}
