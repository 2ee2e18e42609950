import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/slug.ts';
import type { Project } from './list-projects.ts';
import type { CreatedProject, ProjectStore } from './project-store.ts';
import type { Projection } from './projection.ts';
import type { ProjectionStore } from './projection-store.ts';

const nameForm = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/**
 * Creates a project on the service side. One that items name already gets its
 * name that way.
 * @throws AppError `invalid_request`, `already_exists` where it was created
 *   before, `quota_exceeded`, `unavailable`.
 */
export async function createProject(
  dependencies: {
    projects: ProjectStore;
    places: Pick<ProjectionStore, 'raiseProjectsVersion'>;
    projection: Projection;
    /** Projects that a team may create. */
    projectsMax: number;
  },
  teamId: string,
  project: CreatedProject,
): Promise<Project> {
  const { projects, places, projection, projectsMax } = dependencies;
  checkProject(project);
  await projection.catchUp(teamId);
  const outcome = await projects.create(teamId, project, projectsMax);
  // Also for one that is known: who created it may have died before this.
  if (outcome !== 'full') await places.raiseProjectsVersion(teamId);
  if (outcome === 'known') throw new AppError('already_exists', 'The team has a project of this slug.');
  if (outcome === 'full') {
    const detail = `The team has created as many projects as are allowed (${projectsMax}). Remove some that nobody needs.`;
    throw new AppError('quota_exceeded', detail);
  }
  return { ...project, brainOnly: !(await projects.isNamed(teamId, project.slug)) };
}

function checkProject({ slug, name }: CreatedProject): void {
  const violations: Violation[] = [];
  if (!isSlug(slug)) {
    const detail = 'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit';
    violations.push({ pointer: '/slug', detail });
  }
  if (!nameForm.test(name) || name.trim() === '') {
    violations.push({ pointer: '/name', detail: 'must be 1 to 200 characters without control characters' });
  }
  if (violations.length > 0)
    throw new AppError('invalid_request', 'The project breaks a rule.', { violations });
}
