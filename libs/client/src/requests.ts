import type { CallOptions } from './call-options.ts';

/** A page of a list. */
export interface PageOptions extends CallOptions {
  /** `next_cursor` of an earlier page. */
  cursor?: string;
  /** Page size, 1 to 200; default 50. */
  limit?: number;
}

/** A page of a change feed. */
export interface ListOptions extends PageOptions {
  /** RFC 3339: only later changes. Ignored if `cursor` is given. */
  since?: string;
  /** Also list rows that were removed or that this key may no longer see. */
  includeDeleted?: boolean;
}

/** `prefix` and `view` belong to a cursor: with others the service refuses it with `invalid_cursor`. */
export interface ListItemsOptions extends ListOptions {
  /** Only items whose row_key begins with this text, such as `projects/p1/`. */
  prefix?: string;
  /** `summary` leaves out content and front matter. Default `full`. */
  view?: 'full' | 'summary';
}

/**
 * Only tasks that fit all that is given, now. A filter belongs to a cursor: with another one the service refuses it with
 * `invalid_cursor`. `includeDeleted` is refused with a filter, and a page may be empty while there are more.
 */
export interface ListTasksOptions extends ListOptions {
  /** What the box of the task says. */
  status?: 'open' | 'done' | 'cancelled';
  /** The name without its `@`, in any case. */
  owner?: string;
  /** The slug of the project. */
  project?: string;
  /** YYYY-MM-DD: due on this day or before. */
  dueBy?: string;
}

/** Returns the query of a list of tasks with its `?`, or an empty text. */
export function taskQuery({ status, owner, project, dueBy, ...list }: ListTasksOptions): string {
  return query([
    ...feedEntries(list),
    ['status', status],
    ['owner', owner],
    ['project', project],
    ['due_by', dueBy],
  ]);
}

/** Returns the query of a feed with its `?`, or an empty text. */
export function listQuery({ prefix, view, ...list }: ListItemsOptions): string {
  return query([
    ...feedEntries(list),
    ['prefix', prefix || undefined],
    ['view', view === 'full' ? undefined : view],
  ]);
}

function feedEntries({ since, cursor, limit, includeDeleted }: ListOptions): QueryEntry[] {
  return [
    ['since', since],
    ['cursor', cursor],
    ['limit', limit],
    ['include_deleted', includeDeleted || undefined],
  ];
}

/** Returns the query of a page with its `?`, or an empty text. */
export function pageQuery({ cursor, limit }: PageOptions): string {
  return query([
    ['cursor', cursor],
    ['limit', limit],
  ]);
}

/**
 * Returns the path of an item below `/api/v1/`. Throws TypeError for an empty text and for `.` and `..`, which cannot be
 * encoded: a URL parser would resolve them to another address.
 */
export function itemPath(rowKey: string): string {
  if (rowKey === '' || rowKey === '.' || rowKey === '..') throw new TypeError('This is not a row_key.');
  return `items/${encodeURIComponent(rowKey)}`;
}

type QueryEntry = [name: string, value: string | number | boolean | undefined];

/** Returns the parameters that are given with their `?`, or an empty text. */
export function query(entries: QueryEntry[]): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of entries) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
