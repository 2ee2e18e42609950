import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { publicOperations } from './contract/public-operations.ts';
import { problemFrom } from './http-error.ts';
import { mountOperations } from './mount-operations.ts';
import { openApiDocument } from './openapi/document.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { problemPage } from './routes/problem-page.ts';
import { docsPages, docsScriptPath } from './routes/show-docs.ts';

/** How long one dependency may take to say that it is there. */
const readinessTimeoutMs = 3_000;

/** What the table below has a handler for. */
type Handlers = Record<keyof typeof publicOperations, RouteHandlerMethod>;

/** What needs no key: the state of the process, the API's document and pages for people. */
export function publicRoutes(options: { dependencies: Readonly<Record<string, () => Promise<void>>> }) {
  const { showDocs, sendScript } = docsPages(publicOperations.readOpenApi.path);
  const document = JSON.stringify(openApiDocument());
  const handlers: Handlers = {
    readHealth: async () => ({ status: 'ok' }),
    readReadiness: async (request, reply) => {
      const missing = await unreadyParts(options.dependencies);
      return missing.length === 0 ? { status: 'ready' } : answerUnready(request, reply, missing);
    },
    readOpenApi: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document),
    showDocs,
    showProblem: problemPage,
  };
  return async (app: FastifyInstance): Promise<void> => {
    app.setNotFoundHandler(() => {
      throw new AppError('not_found', 'There is no such path.');
    });
    mountOperations(app, publicOperations, (name) => ({ handler: handlers[name] }));
    app.get(docsScriptPath, sendScript);
    refuseOtherMethods(app, docsScriptPath, ['GET', 'HEAD']);
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
