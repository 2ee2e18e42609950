import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller, requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { listProjects } from '../domain/list-projects.ts';
import type { ProjectStore } from '../domain/project-store.ts';
import type { Projection } from '../domain/projection.ts';

/** Answers `ContentService.ListProjects`. */
export function listProjectsHandler(dependencies: {
  projects: ProjectStore;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.listProjects> {
  return async (request, context) => {
    const { teamId, tier } = requireCaller(context);
    const query = { afterSlug: request.pageToken, limit: request.pageSize };
    const { projects, nextSlug } = await listProjects(dependencies, { teamId, tier }, query);
    return { projects, nextPageToken: nextSlug };
  };
}

/** Answers `ContentService.ReadProjects`: what team-tier keys read, of the team that the message names. */
export function readProjectsHandler(dependencies: {
  projects: ProjectStore;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.readProjects> {
  return async (request, context) => {
    requireScope(context, 'feed:read');
    const reader = { teamId: request.teamId, tier: 'team' } as const;
    const query = { afterSlug: request.pageToken, limit: request.pageSize };
    const { projects, nextSlug } = await listProjects(dependencies, reader, query);
    return { projects, nextPageToken: nextSlug };
  };
}
