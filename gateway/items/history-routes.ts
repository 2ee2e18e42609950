import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate } from '../contract/validate.ts';
import { listParameters } from '../feed/contract.ts';
import { answerOf } from '../feed/row.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { rowKeyFrom } from './row-key-path.ts';

type Dependencies = Pick<RouteDependencies, 'clients' | 'answers'>;

/** GET /api/v1/items/{row_key}: one item. */
export function getItem({ clients, answers }: Dependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const rowKey = rowKeyFrom(request.raw.url ?? '');
    return answers.send(request, reply, await makeItem({ clients, answers }, request, rowKey));
  };
}

/** Makes the answer with one item for the caller of a request, when it is the team's turn. */
export async function makeItem({ clients, answers }: Dependencies, request: FastifyRequest, rowKey: string) {
  const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
  return answers.make(request, async () =>
    answerOf((await clients.content.getItem({ rowKey }, options)).itemJson),
  );
}

/** GET /api/v1/items/{row_key}/versions: a page of the versions of an item. */
export function listItemVersions({ clients, answers }: Dependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { cursor = '', limit = 0 } = validate(listParameters, request.query);
    const { rowKey } = versionPathFrom(request.raw.url ?? '');
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    async function makeBody() {
      const page = await clients.content.listItemHistory({ rowKey, cursor, limit }, options);
      const hasMore = page.nextCursor !== '';
      const nextCursor = JSON.stringify(hasMore ? page.nextCursor : null);
      const tail = Buffer.from(`,"next_cursor":${nextCursor},"has_more":${hasMore}}`);
      return answerOf(Buffer.from('{"versions":'), page.versionsJson, tail);
    }
    return answers.send(request, reply, await answers.make(request, makeBody));
  };
}

/** GET /api/v1/items/{row_key}/versions/{revision}: one version of an item, whole. */
export function getItemVersion({ clients, answers }: Dependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { rowKey, revision } = versionPathFrom(request.raw.url ?? '');
    // What is no number is no revision of any item.
    if (!/^[1-9]\d{0,14}$/.test(revision)) throw new AppError('not_found', 'There is no such item.');
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const makeBody = async () =>
      answerOf(
        (await clients.content.getItemVersion({ rowKey, revision: BigInt(revision) }, options)).versionJson,
      );
    return answers.send(request, reply, await answers.make(request, makeBody));
  };
}

/** Returns the row_key and the revision, '' if there is none, of a path that goes on behind the row_key. */
function versionPathFrom(url: string): { rowKey: string; revision: string } {
  const [, path = '', revision = ''] = /^([^?]*)\/versions(?:\/([^/?]*))?(?:\?|$)/.exec(url) ?? [];
  return { rowKey: rowKeyFrom(path), revision };
}
