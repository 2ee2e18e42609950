import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { createPageEncoder } from '../feed/page-cache.ts';
import { problemFrom } from '../http-error.ts';
import { originOf } from '../request.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { itemListQuery, type PushAnswer, pushBody, removalQuery } from './contract.ts';
import { createItemPages } from './item-pages.ts';
import { createItemPush } from './push-items.ts';
import { rowKeyFrom } from './row-key-path.ts';

/** GET /api/v1/items: one page of the team's item feed. */
export function listItems({
  clients,
  pages,
  answers,
  compressor,
}: Pick<RouteDependencies, 'clients' | 'pages' | 'answers' | 'compressor'>) {
  const readPage = createItemPages({ clients, pages, answers });
  const encoder = createPageEncoder({ compressor, pages, answers });
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = validate(itemListQuery, request.query);
    const { name, page } = await readPage(request, parameters, encoder.encodingFor(request));
    return answers.send(request, reply, await encoder.encode(request, name, page));
  };
}

/** POST /api/v1/items: stores a batch, each item on its own. */
export function pushItems({ clients, itemWrites, refusals }: RouteDependencies) {
  const pushBatch = createItemPush({ clients, itemWrites, refusals });
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { items } = validate(pushBody, request.body);
    return answer(request, reply, await pushBatch(items, { request, answer: reply }));
  };
}

function answer(request: FastifyRequest, reply: FastifyReply, counts: PushAnswer) {
  const admin = counts.errors.some(({ code }) => code === 'admin_tier');
  if (counts.accepted > 0 && !admin) return reply.send(counts);
  const error = admin
    ? new AppError('admin_tier', 'At least one item is private and was not stored; correct its audience.')
    : new AppError('invalid_request', 'No item was accepted; errors lists the reasons.');
  const problem = { ...problemFrom(error, request.id), ...counts };
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

/** DELETE /api/v1/items/{row_key}. */
export function deleteItem({ clients }: RouteDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { base_checksum: baseChecksum, erase } = validate(removalQuery, request.query);
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, ...originOf(request) });
    const version = baseChecksum === undefined ? {} : { baseChecksum };
    if (erase === 'true') await clients.content.eraseItem({ rowKey, ...version }, options);
    else await clients.content.deleteItem({ rowKey, ...version }, options);
    return reply.code(204).send();
  };
}
