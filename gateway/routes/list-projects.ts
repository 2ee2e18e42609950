import type { CallOptions } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Project } from '@teammemory/proto/content/v1/content_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProjectList } from '../contract/project-list.ts';
import type { RouteContext } from './route-context.ts';

/** Pages of 1,000 projects put into one answer; it has no pages of its own, so a team with more is a fault. */
const pagesMax = 100;

/** GET /api/v1/projects: all of the team's projects, by slug. */
export function listProjects({ clients }: RouteContext) {
  async function readAll(options: CallOptions): Promise<Project[]> {
    const all: Project[] = [];
    let pageToken = '';
    for (let page = 0; page < pagesMax; page += 1) {
      const { projects, nextPageToken } = await clients.content.listProjects({ pageToken }, options);
      all.push(...projects);
      if (nextPageToken === '') return all;
      pageToken = nextPageToken;
    }
    throw new AppError('internal', 'The team has more projects than one answer can hold.');
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const options = await clients.unary('content', { caller: request.caller, requestId: request.id });
    const all = await readAll(options).catch((error: unknown) => {
      throw appErrorFromRpc(error);
    });
    const projects = all.map(({ slug, name, brainOnly }) => ({ slug, name, brain_only: brainOnly }));
    const answer: ProjectList = { projects };
    return reply.send(answer);
  };
}
