import { AppError, type Violation } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { Reader } from '../feed/feed-page.ts';
import type { ProgressStore, Projection } from '../feed/progress.ts';

/** Projects of one page: with names of 200 characters, well below what one message may have. */
export const maxPageProjects = 1_000;

/** Items of one page: their keys may have a KiB each. */
export const maxPageItems = 200;

const nameForm = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** A project that was created through the service. */
export interface CreatedProject {
  slug: string;
  name: string;
}

/** A project as clients see it. */
export interface Project extends CreatedProject {
  /** Whether no item names it. */
  brainOnly: boolean;
}

/** Which projects an item names at a position of the item feed. */
export interface NamedProjects {
  rowKey: string;
  seq: number;
  /** Empty for an item that names no project or was removed. */
  slugs: string[];
}

/** The items that name a project. */
export interface ProjectUse {
  items: number;
  /** The one with the highest position. */
  newestRowKey: string;
}

/** What content needs of a database for projects. Every method throws AppError `unavailable` when it cannot be reached in time. */
export interface ProjectStore {
  /**
   * Stores a project, unless the team has created one of this slug already, or `maxProjects` others. When several are
   * created at once, more than necessary may be refused.
   */
  create(teamId: string, project: CreatedProject, maxProjects: number): Promise<'created' | 'known' | 'full'>;
  /** Gives a created project another name; returns false if none of this slug was created. */
  rename(teamId: string, project: CreatedProject): Promise<boolean>;
  /** Removes a created project; returns false if none of this slug was created. */
  remove(teamId: string, slug: string): Promise<boolean>;
  /** Returns created projects after a slug, by slug. */
  created(teamId: string, afterSlug: string, limit: number): Promise<CreatedProject[]>;
  /** Returns the slugs that items name, after a slug, each once, in order. */
  named(teamId: string, afterSlug: string, limit: number): Promise<string[]>;
  /** Whether any item names a slug. */
  isNamed(teamId: string, slug: string): Promise<boolean>;
  /** Returns the row keys of the items that name a slug, after a row key, in order. */
  naming(teamId: string, slug: string, afterRowKey: string, limit: number): Promise<string[]>;
  /** Returns how many items name each slug, and which of them changed last; nothing for a slug that none names. */
  uses(teamId: string, slugs: readonly string[]): Promise<Map<string, ProjectUse>>;
  /**
   * Replaces what items name, unless a later position of an item is stored already. At most 200 items. Returns false if
   * none of them named a project before or names one now.
   */
  setNamed(teamId: string, items: readonly NamedProjects[]): Promise<boolean>;
}

/** Projects by slug; `nextSlug` is empty on the last page. */
export interface ProjectPage {
  projects: Project[];
  nextSlug: string;
}

interface ProjectDependencies {
  projects: ProjectStore;
  progress: Pick<ProgressStore, 'raiseProjectsVersion'>;
  projection: Projection;
}

interface BoundedProjects extends ProjectDependencies {
  /** Projects that a team may create. */
  maxProjects: number;
}

/**
 * Lists the team's projects: those that items name now, and those that were created. A project without a name is called
 * by its slug.
 * @throws AppError `forbidden_tier` for external readers, `invalid_request` for a page token that is not ours,
 *   `unavailable`.
 */
export async function listProjects(
  dependencies: Pick<ProjectDependencies, 'projects' | 'projection'>,
  { teamId, tier }: Reader,
  query: { afterSlug: string; limit: number },
): Promise<ProjectPage> {
  const { afterSlug } = query;
  if (tier !== 'team') throw new AppError('forbidden_tier', 'Projects are for keys of tier team.');
  if (afterSlug !== '' && !isSlug(afterSlug)) {
    throw new AppError(
      'invalid_request',
      'The page_token must be the next_page_token of the previous page of this list.',
    );
  }
  const { projects, projection } = dependencies;
  await projection.catchUp(teamId);
  const limit = Math.min(query.limit || maxPageProjects, maxPageProjects);
  const [created, named] = await Promise.all([
    projects.created(teamId, afterSlug, limit + 1),
    projects.named(teamId, afterSlug, limit + 1),
  ]);
  // Both lists reach beyond the end of the page, so each is complete for the page.
  const names = new Map<string, string>(named.map((slug) => [slug, slug]));
  for (const { slug, name } of created) names.set(slug, name);
  const slugs = [...names.keys()].sort().slice(0, limit);
  const isNamed = new Set(named);
  return {
    projects: slugs.map((slug) => ({ slug, name: names.get(slug) ?? slug, brainOnly: !isNamed.has(slug) })),
    nextSlug: names.size > limit ? (slugs.at(-1) ?? '') : '',
  };
}

/**
 * Creates a project. A project that items name already gets its name this way.
 * @throws AppError `invalid_request`, `already_exists` if it was created before, `quota_exceeded`, `unavailable`.
 */
export async function createProject(
  dependencies: BoundedProjects,
  teamId: string,
  project: CreatedProject,
): Promise<Project> {
  const { projects, progress, projection, maxProjects } = dependencies;
  checkProject(project);
  await projection.catchUp(teamId);
  const outcome = await projects.create(teamId, project, maxProjects);
  // Raised for a known project too: the process that created it may have died before this.
  if (outcome !== 'full') await progress.raiseProjectsVersion(teamId);
  if (outcome === 'known') throw new AppError('already_exists', 'The team has a project of this slug.');
  if (outcome === 'full') {
    const detail = `The team has created as many projects as are allowed (${maxProjects}). Remove some that nobody needs.`;
    throw new AppError('quota_exceeded', detail);
  }
  return { ...project, brainOnly: !(await projects.isNamed(teamId, project.slug)) };
}

/**
 * Gives a project another name, durably. A project that only items name is created with it. Of several renames at once
 * the last one stays: a name has no versions.
 * @throws AppError `invalid_request`, `not_found` if the team has no project of this slug, `quota_exceeded`, `unavailable`.
 */
export async function renameProject(
  dependencies: BoundedProjects,
  teamId: string,
  project: CreatedProject,
): Promise<Project> {
  const { projects, progress, projection } = dependencies;
  checkProject(project);
  await projection.catchUp(teamId);
  const isRenamed = await projects.rename(teamId, project);
  if (isRenamed) await progress.raiseProjectsVersion(teamId);
  const isNamed = await projects.isNamed(teamId, project.slug);
  if (isRenamed) return { ...project, brainOnly: !isNamed };
  if (!isNamed) throw new AppError('not_found', 'The team has no project of this slug.');
  return createProject(dependencies, teamId, project);
}

/** Row keys of items; `nextRowKey` is empty on the last page. */
export interface ProjectItemPage {
  rowKeys: string[];
  nextRowKey: string;
}

/**
 * Lists the items that name a project, by row key.
 * @throws AppError `forbidden_tier` for external readers, `invalid_request` for a slug that is none, `unavailable`.
 */
export async function listProjectItems(
  { projects, projection }: Pick<ProjectDependencies, 'projects' | 'projection'>,
  { teamId, tier }: Reader,
  { slug, afterRowKey, limit: wanted }: { slug: string; afterRowKey: string; limit: number },
): Promise<ProjectItemPage> {
  if (tier !== 'team') throw new AppError('forbidden_tier', 'Projects are for keys of tier team.');
  if (!isSlug(slug))
    throw new AppError('invalid_request', 'The slug must be that of a project, such as web-app.');
  await projection.catchUp(teamId);
  const limit = Math.min(wanted || maxPageItems, maxPageItems);
  const found = await projects.naming(teamId, slug, afterRowKey, limit + 1);
  const rowKeys = found.slice(0, limit);
  return { rowKeys, nextRowKey: found.length > limit ? (rowKeys.at(-1) ?? '') : '' };
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

/**
 * Removes a created project, durably. If items still name it, it stays in the list, called by its slug.
 * @throws AppError `not_found` if none of this slug was created, `unavailable`.
 */
export async function removeProject(
  dependencies: ProjectDependencies,
  teamId: string,
  slug: string,
): Promise<{ isNamed: boolean }> {
  const { projects, progress, projection } = dependencies;
  await projection.catchUp(teamId);
  const isRemoved = await projects.remove(teamId, slug);
  // Raised for a removed project too: the process that removed it may have died before this.
  await progress.raiseProjectsVersion(teamId);
  if (!isRemoved) {
    throw new AppError('not_found', 'The team has created no project of this slug.');
  }
  return { isNamed: await projects.isNamed(teamId, slug) };
}
