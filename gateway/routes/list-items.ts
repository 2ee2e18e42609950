import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PageParameters, pageQuery } from '../contract/page.ts';
import { validate } from '../contract/validate.ts';
import type { RouteContext } from './route-context.ts';
import { createSharedCalls } from './shared-calls.ts';

/**
 * GET /api/v1/items: one page of the team's item feed. A page that was answered
 * before is answered again when content says, asked after the request came,
 * that the caller's items have the version that the page was made of.
 */
export function listItems({ clients, pages, answers }: Pick<RouteContext, 'clients' | 'pages' | 'answers'>) {
  const versions = createSharedCalls<string>();
  const fresh = createSharedCalls<Buffer>();
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, id: requestId } = request;
    const parameters = validate(pageQuery, request.query);
    // All that a page depends on, and no more: readers of a team who ask the same get the same one.
    const readers = [caller.teamId, caller.tier];
    const name = JSON.stringify([...readers, parameters]);
    const options = () => clients.unary('content', { caller, requestId });

    const presentVersion = () =>
      versions(JSON.stringify(readers), async () =>
        clients.content.getItemsVersion({}, await options()).then(({ version }) => version, noVersion),
      );
    async function makePage(): Promise<Buffer> {
      const { page, version } = await clients.content.listItems(
        { page: pageRequest(parameters) },
        await options(),
      );
      const body = pageBody('items', page);
      pages.keep(name, { version, body });
      return body;
    }
    const freshPage = () => fresh(name, () => answers.make(request, makePage));
    try {
      const body = (await pages.read(name, presentVersion)) ?? (await freshPage());
      return await answers.send(request, reply, body);
    } catch (error) {
      throw appErrorFromRpc(error);
    }
  };
}

/** Content of the version before this one, while it is being replaced, knows the pages alone. */
function noVersion(error: unknown): string {
  if (appErrorFromRpc(error).code === 'unimplemented') return '';
  throw error;
}

/** The parameters of a list as the services know them. */
export function pageRequest(parameters: PageParameters) {
  const { since, cursor, limit, include_deleted } = parameters;
  return {
    ...(since === undefined ? {} : { since: timestampFromMs(since) }),
    cursor: cursor ?? '',
    limit: limit ?? 0,
    includeDeleted: include_deleted ?? false,
  };
}

/** The answer of a list. Its rows are JSON already and are passed on without being read. */
export function pageBody(name: string, page: Page | undefined): Buffer {
  const { rowsJson, nextCursor, hasMore } = page ?? {
    rowsJson: Buffer.from('[]'),
    nextCursor: '',
    hasMore: false,
  };
  const head = Buffer.from(`{"${name}":`);
  const tail = Buffer.from(`,"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}`);
  // Memory of its own: out of Node's pool a small body that is kept would hold on to all that shares it.
  const body = Buffer.allocUnsafeSlow(head.length + rowsJson.length + tail.length);
  body.set(head);
  body.set(rowsJson, head.length);
  body.set(tail, head.length + rowsJson.length);
  return body;
}
