import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ListProjectsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { ProjectList } from './contract.ts';

/**
 * GET /api/v1/projects: all projects of the team, by slug. The answer is one
 * list, but content returns it in pages, which are streamed as they arrive. So the
 * gateway holds only one page, even of a team that created too many projects
 * before quotas existed.
 */
export function listProjects({ clients }: RouteDependencies) {
  async function readPage(request: FastifyRequest, pageToken: string): Promise<ListProjectsResponse> {
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    return clients.content.listProjects({ pageToken }, options);
  }

  /** Yields the text of the answer, page by page. */
  async function* answerText(request: FastifyRequest, first: ListProjectsResponse): AsyncGenerator<string> {
    yield '{"projects":[';
    for (let page = first, separator = ''; ; separator = ',') {
      if (page.projects.length > 0) yield `${separator}${JSON.stringify(rowsOf(page)).slice(1, -1)}`;
      if (page.nextPageToken === '') break;
      // In one process with content a page arrives without I/O, so other requests get a turn here.
      await setImmediate();
      page = await readPage(request, page.nextPageToken);
    }
    yield ']}';
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    // The first page is read before the answer begins, so that a refusal is still a problem.
    const first = await readPage(request, '');
    if (first.nextPageToken === '') return reply.send({ projects: rowsOf(first) } satisfies ProjectList);
    return reply.type('application/json; charset=utf-8').send(Readable.from(answerText(request, first)));
  };
}

function rowsOf({ projects }: ListProjectsResponse): ProjectList['projects'] {
  return projects.map(({ slug, name, brainOnly }) => ({ slug, name, brain_only: brainOnly }));
}
