import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
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
