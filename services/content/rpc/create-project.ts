import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { createProject } from '../domain/create-project.ts';
import type { ProjectStore } from '../domain/project-store.ts';
import type { Projection } from '../domain/projection.ts';
import type { ProjectionStore } from '../domain/projection-store.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.CreateProject`. */
export function createProjectHandler(dependencies: {
  projects: ProjectStore;
  places: ProjectionStore;
  projection: Projection;
  projectsMax: number;
}): MethodImpl<typeof ContentService.method.createProject> {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const { slug, name } = request;
    const project = await createProject(dependencies, teamId, { slug, name });
    return { project };
  };
}
