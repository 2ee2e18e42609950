import { within } from '@teammemory/async/bounded-wait.ts';
import { buildVersion } from '@teammemory/config/product-version.ts';
import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Compressor, compressPublicAnswers } from '../encoding/compress-answers.ts';
import { httpAnswers, problemFrom } from '../http-error.ts';
import { type Handlers, mountOperations, refuseOtherMethods } from '../mount-operations.ts';
import { openApiDocument } from '../openapi/document.ts';
import { docsPages, docsScriptPath } from './docs-pages.ts';
import { publicOperations } from './operations.ts';

/** How long one part may take to say that it is ready. */
const readinessTimeoutMs = 3_000;

/** Everything that needs no key: the state of the process, the OpenAPI document and pages for people. */
export function publicRoutes({
  readiness,
  limitations = () => [],
  compressor,
  isLive = () => true,
}: {
  readiness: Readonly<Record<string, () => Promise<void>>>;
  /** What this process cannot do although all parts respond, in words such as `disk full`. */
  limitations?: () => readonly string[];
  compressor: Compressor;
  /** Whether this process goes on taking requests. */
  isLive?: () => boolean;
}) {
  const { showDocs, sendScript } = docsPages(publicOperations.readOpenApi.path);
  const document = JSON.stringify(openApiDocument());
  const handlers: Handlers<typeof publicOperations> = {
    readHealth: async () => ({ status: 'ok', version: buildVersion }),
    readLiveness: async (request, reply) =>
      isLive() ? { status: 'live' } : answerUnready(request, reply, ['gateway']),
    readReadiness: async (request, reply) => {
      const missing = await unreadyParts(readiness);
      if (missing.length > 0 && !canWork(Object.keys(readiness), missing))
        return answerUnready(request, reply, missing);
      const degraded = [...missing, ...limitations()];
      return degraded.length === 0 ? { status: 'ready' } : { status: 'ready', degraded };
    },
    readOpenApi: async (_request, reply) => reply.type('application/json; charset=utf-8').send(document),
    showDocs,
    showProblem: problemPage,
  };
  return async (app: FastifyInstance): Promise<void> => {
    compressPublicAnswers(app, compressor);
    app.setNotFoundHandler(() => {
      throw new AppError('not_found', 'There is no such path.');
    });
    mountOperations(app, publicOperations, (name) => ({ handler: handlers[name] }));
    app.get(docsScriptPath, sendScript);
    refuseOtherMethods(app, docsScriptPath, ['GET', 'HEAD']);
  };
}

/**
 * Whether a gateway can do some of its work. If one part is down, it is down for every gateway: to take them all out of
 * service would only replace a clear answer by none. If all are, this gateway is cut off.
 */
function canWork(all: readonly string[], missing: readonly string[]): boolean {
  return !missing.includes('gateway') && missing.length < all.length - 1;
}

async function unreadyParts(readiness: Readonly<Record<string, () => Promise<void>>>): Promise<string[]> {
  const checks = Object.entries(readiness).map(async ([name, ready]) => {
    const answered = ready().then(
      () => [],
      () => [name],
    );
    return (await within(answered, readinessTimeoutMs)) ?? [name];
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

/** The page is text only: it loads nothing, runs nothing and cannot be framed. It is the same for everybody. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=3600',
};

/** GET /problems/{code}: what an error code means and what to do about it. */
async function problemPage(request: FastifyRequest, reply: FastifyReply) {
  const { '*': code } = request.params as { '*': string };
  if (!Object.hasOwn(httpAnswers, code)) throw new AppError('not_found', 'There is no such page.');
  // Everything on the page is our own text, including the code.
  const { status, title, explanation } = httpAnswers[code as ErrorCode];
  const page =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
    `<h1>${title}</h1><p>${explanation}</p><p>HTTP status ${status}, code <code>${code}</code>.</p></html>\n`;
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
}
