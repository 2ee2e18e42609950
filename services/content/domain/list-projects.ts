import { AppError } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/slug.ts';
import type { ProjectStore } from './project-store.ts';
import type { Projection } from './projection.ts';
import type { Tier } from './tier.ts';

/** Projects of one page: with names of 200 characters, well below what one message may have. */
export const projectsMaxPage = 1_000;

/** A project as clients see it. */
export interface Project {
  slug: string;
  name: string;
  /** Whether no item names it. */
  brainOnly: boolean;
}

/** Projects by slug; `nextSlug` is empty on the last page. */
export interface ProjectPage {
  projects: Project[];
  nextSlug: string;
}

/**
 * Lists the team's projects: those that items name now, and those created on
 * the service side. One that was never given a name is called by its slug.
 * @throws AppError `forbidden_tier` for external readers, `invalid_request` for
 *   a place that no page gave, `unavailable`.
 */
export async function listProjects(
  dependencies: { projects: ProjectStore; projection: Projection },
  reader: { teamId: string; tier: Tier },
  query: { afterSlug: string; limit: number },
): Promise<ProjectPage> {
  const { teamId, tier } = reader;
  const { afterSlug } = query;
  if (tier !== 'team') throw new AppError('forbidden_tier', 'Projects are for keys of tier team.');
  if (afterSlug !== '' && !isSlug(afterSlug)) {
    throw new AppError('invalid_request', 'The page token is not ours.');
  }
  const { projects, projection } = dependencies;
  await projection.catchUp(teamId);
  const limit = Math.min(query.limit || projectsMaxPage, projectsMaxPage);
  const [created, named] = await Promise.all([
    projects.created(teamId, afterSlug, limit + 1),
    projects.named(teamId, afterSlug, limit + 1),
  ]);
  // Both lists reach beyond the page's end, so on the page each knows all that it has.
  const names = new Map<string, string>(named.map((slug) => [slug, slug]));
  for (const { slug, name } of created) names.set(slug, name);
  const slugs = [...names.keys()].sort().slice(0, limit);
  const isNamed = new Set(named);
  return {
    projects: slugs.map((slug) => ({ slug, name: names.get(slug) ?? slug, brainOnly: !isNamed.has(slug) })),
    nextSlug: names.size > limit ? (slugs.at(-1) ?? '') : '',
  };
}
