import { AppError } from '@teammemory/errors/app-error.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteContext } from './route-context.ts';

/** DELETE /api/v1/items/{row_key}. */
export function deleteItem({ clients }: RouteContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    await clients.content.deleteItem({ rowKey }, options).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
    return reply.code(204).send();
  };
}

/**
 * The row_key in a path as the client sent it, decoded once. Slashes may be
 * encoded or not. Decoding it from the raw path keeps `%2525` what it is; a
 * request may name the host before it (RFC 9112, absolute form).
 * @throws AppError `not_found` for what cannot be decoded: no item has that name.
 */
export function rowKeyFrom(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split('?', 1);
  const encoded = path.split('/').slice(4).join('/');
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new AppError('not_found', 'There is no such item.', { cause });
  }
}
