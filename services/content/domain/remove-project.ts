import { AppError } from '@teammemory/errors/app-error.ts';
import type { ProjectStore } from './project-store.ts';
import type { Projection } from './projection.ts';
import type { ProjectionStore } from './projection-store.ts';

/**
 * Removes a project that was created on the service side, durably, and returns
 * whether items still name it: then it stays in the list, called by its slug.
 * @throws AppError `not_found` where none of this slug was created, `unavailable`.
 */
export async function removeProject(
  dependencies: {
    projects: ProjectStore;
    places: Pick<ProjectionStore, 'raiseProjectsVersion'>;
    projection: Projection;
  },
  teamId: string,
  slug: string,
): Promise<{ isNamed: boolean }> {
  const { projects, places, projection } = dependencies;
  await projection.catchUp(teamId);
  const isRemoved = await projects.remove(teamId, slug);
  // Also for one that is gone: who removed it may have died before this.
  await places.raiseProjectsVersion(teamId);
  if (!isRemoved) {
    throw new AppError('not_found', 'The team has created no project of this slug.');
  }
  return { isNamed: await projects.isNamed(teamId, slug) };
}
