import { isSlug } from '@teammemory/vocabulary/formats.ts';
import { type FeedRow, isErased } from '../feed/feed-row.ts';
import type { TaskSource } from './task.ts';

const logTypes = /^(task|decision)-log$/i;
const logName = /(^|[-_])(tasks?|todos?|decisions?|task-log|decision-log)$/i;
const projectFolder = /(?:^|\/)projects\/([^/]+)\//;

/** The parts of an item that say whether it is a log, and which projects it names. */
export interface ItemHeader {
  rowKey: string;
  frontmatter: Record<string, unknown>;
}

/** Whether an item is a task or decision log, by its front matter or its file name (docs/contract.md, "Tasks"). */
export function isLog({ rowKey, frontmatter }: ItemHeader): boolean {
  if (typeof frontmatter.type === 'string' && logTypes.test(frontmatter.type)) return true;
  const name = rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return logName.test(dot > 0 ? name.slice(0, dot) : name);
}

/**
 * Returns the projects that an item names, the one of its tasks first: the front matter's `project`, then the
 * `projects/<slug>/` in its path.
 */
export function projectsOf({ rowKey, frontmatter }: ItemHeader): string[] {
  const folder = projectFolder.exec(rowKey)?.[1];
  return [...new Set([frontmatter.project, folder].filter(isSlug))];
}

/** The text of a row, to be read for tasks. */
export interface SourceText extends Omit<TaskSource, 'entries'> {
  seq: number;
  revision: number;
  /** Empty for removed rows and for items that are not logs. */
  text: string;
  /** The project of tasks that name none. */
  project: string | null;
  /** The row, if it was erased: the titles of its tasks go too. */
  erased?: FeedRow;
}

/** Returns the text of an item, if it is a log, and the projects that the item names. */
export function readItem(row: FeedRow): { source: SourceText; slugs: string[] } {
  const { rowKey: id, tier, seq, revision } = row;
  const none = { kind: 'item', id, tier, seq, revision, text: '', project: null } as const;
  if (row.deleted) return { source: { ...none, ...erasedOf(row) }, slugs: [] };
  const { frontmatter, content } = JSON.parse(Buffer.from(row.json).toString());
  const header: ItemHeader = { rowKey: id, frontmatter };
  const slugs = projectsOf(header);
  return { source: isLog(header) ? { ...none, text: content, project: slugs[0] ?? null } : none, slugs };
}

/** Returns the body of a decision. */
export function readDecision(row: FeedRow): SourceText {
  const { rowKey: id, tier, seq, revision } = row;
  const none = { kind: 'decision', id, tier, seq, revision, text: '', project: null } as const;
  if (row.deleted) return { ...none, ...erasedOf(row) };
  const { body, project } = JSON.parse(Buffer.from(row.json).toString());
  return { ...none, text: body, project };
}

function erasedOf(row: FeedRow): { erased?: FeedRow } {
  return isErased(row) ? { erased: row } : {};
}
