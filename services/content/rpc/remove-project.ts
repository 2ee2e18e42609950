import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { ProjectStore } from '../domain/project-store.ts';
import type { Projection } from '../domain/projection.ts';
import type { ProjectionStore } from '../domain/projection-store.ts';
import { removeProject } from '../domain/remove-project.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.RemoveProject`. */
export function removeProjectHandler(dependencies: {
  projects: ProjectStore;
  places: ProjectionStore;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.removeProject> {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const { isNamed } = await removeProject(dependencies, teamId, request.slug);
    return { stillNamed: isNamed };
  };
}
