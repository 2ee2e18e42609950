import { isSlug } from '@teammemory/vocabulary/slug.ts';

const logTypes = /^(task|decision)-log$/i;
const logName = /(^|[-_])(tasks?|todos?|decisions?|task-log|decision-log)$/i;
const projectFolder = /(?:^|\/)projects\/([^/]+)\//;

/** What is known of an item beside its text. */
export interface ItemSource {
  rowKey: string;
  frontmatter: Record<string, unknown>;
}

/** Whether an item is a task or decision log, by its front matter or its file name (decisions §5). */
export function isLog({ rowKey, frontmatter }: ItemSource): boolean {
  if (typeof frontmatter.type === 'string' && logTypes.test(frontmatter.type)) return true;
  const name = rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return logName.test(dot > 0 ? name.slice(0, dot) : name);
}

/**
 * The projects that an item names, the one of its tasks first: its front
 * matter's `project`, then the `projects/<slug>/` in its path.
 */
export function projectsOf({ rowKey, frontmatter }: ItemSource): string[] {
  const folder = projectFolder.exec(rowKey)?.[1];
  return [...new Set([frontmatter.project, folder].filter(isSlug))];
}
