/** A project made on the service side. */
export interface CreatedProject {
  slug: string;
  name: string;
}

/** Which projects an item names, as of a position of the item feed. */
export interface NamedProjects {
  rowKey: string;
  seq: number;
  /** None for an item that names no project, or was removed. */
  slugs: string[];
}

/** What content needs of a database for projects. Every method throws AppError `unavailable` when it cannot be reached in time. */
export interface ProjectStore {
  /**
   * Keeps a project, unless the team has created one of this slug already, or
   * `projectsMax` others. Of several that are created at once more than needed may be refused.
   */
  create(teamId: string, project: CreatedProject, projectsMax: number): Promise<'created' | 'known' | 'full'>;
  /** Forgets a created project; false where none of this slug was created. */
  remove(teamId: string, slug: string): Promise<boolean>;
  /** Created projects after a slug, by slug. */
  created(teamId: string, afterSlug: string, limit: number): Promise<CreatedProject[]>;
  /** Slugs that items name, after a slug, each once, in order. */
  named(teamId: string, afterSlug: string, limit: number): Promise<string[]>;
  /** Whether any item names a slug. */
  isNamed(teamId: string, slug: string): Promise<boolean>;
  /** Replaces what items name, each unless a later position of it was worked in already. At most 200 items. */
  setNamed(teamId: string, items: readonly NamedProjects[]): Promise<void>;
}
