import { AppError, type ErrorCode } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpAnswers } from '../http-error.ts';

/** The page is text: it loads nothing, runs nothing and stands in no frame. It is the same for everybody. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=3600',
};

/** GET /problems/{code}: what an error code means and what to do about it. */
export async function problemPage(request: FastifyRequest, reply: FastifyReply) {
  const { '*': code } = request.params as { '*': string };
  if (!Object.hasOwn(httpAnswers, code)) throw new AppError('not_found', 'There is no such page.');
  // Everything on the page is a text of ours, the code included.
  const { status, title, explanation } = httpAnswers[code as ErrorCode];
  const page =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
    `<h1>${title}</h1><p>${explanation}</p><p>HTTP status ${status}, code <code>${code}</code>.</p></html>\n`;
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
}
