import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ListProjectsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { ProjectList } from './contract.ts';
import type { projectOperations } from './operations.ts';

/** A handler for each operation of projects. */
export function projectRoutes(dependencies: RouteDependencies): Handlers<typeof projectOperations> {
  return {
    listProjects: listProjects(dependencies),
  };
}

/**
 * GET /api/v1/projects: all of the team's projects, by slug. The answer has no
 * pages of its own, so what content gives in several is passed on as it comes: a
 * team that made too many before there were quotas gets them all, too, and the
 * gateway holds one page of them.
 */
export function listProjects({ clients }: RouteDependencies) {
  async function readPage(request: FastifyRequest, pageToken: string): Promise<ListProjectsResponse> {
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    return clients.content.listProjects({ pageToken }, options);
  }

  /** The answer as text, page by page, from the first on. */
  async function* answerText(request: FastifyRequest, first: ListProjectsResponse): AsyncGenerator<string> {
    yield '{"projects":[';
    for (let page = first, separator = ''; ; separator = ',') {
      if (page.projects.length > 0) yield `${separator}${JSON.stringify(rowsOf(page)).slice(1, -1)}`;
      if (page.nextPageToken === '') break;
      // In one process with content a page comes without waiting; whoever else has work gets a turn.
      await setImmediate();
      page = await readPage(request, page.nextPageToken);
    }
    yield ']}';
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    // Whatever can be refused is refused by the first page, before the answer begins.
    const first = await readPage(request, '');
    if (first.nextPageToken === '') return reply.send({ projects: rowsOf(first) } satisfies ProjectList);
    return reply.type('application/json; charset=utf-8').send(Readable.from(answerText(request, first)));
  };
}

function rowsOf({ projects }: ListProjectsResponse): ProjectList['projects'] {
  return projects.map(({ slug, name, brainOnly }) => ({ slug, name, brain_only: brainOnly }));
}
