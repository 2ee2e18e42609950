import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/caller-context.ts';
import { createProject } from '../domain/create-project.ts';
import type { ProjectStore } from '../domain/project-store.ts';
import type { Projection } from '../domain/projection.ts';
import { teamIdFromProto } from './team-id-proto.ts';

/** Answers `ContentService.CreateProject`. */
export function createProjectHandler(dependencies: {
  projects: ProjectStore;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.createProject> {
  return async ({ teamId, slug, name }, context) => {
    requireAdministrator(context);
    const project = await createProject(dependencies, teamIdFromProto(teamId), { slug, name });
    return { project };
  };
}
