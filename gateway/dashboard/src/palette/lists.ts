import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { everyPage } from '../data/every-page.ts';
import { feedPageRows, rowsOf } from '../data/use-feed.ts';
import { t } from '../language/language.ts';
import { destinations } from '../layout/destinations.ts';
import { type Decision, mayCreate } from '../pages/decisions/decision.ts';
import { statusWords } from '../pages/decisions/status-badge.tsx';
import { readProjects } from '../pages/projects/projects.ts';
import type { Task } from '../pages/tasks/task-groups.ts';
import { findItems } from '../service/items.ts';
import { decisionPath, itemPath, projectPath, writePath } from '../service/paths.ts';
import { rpc } from '../service/rpc.ts';
import { isTeamMember, mayWrite, session } from '../service/session.ts';
import type { Entry } from './entries.ts';

/** Pages of a list that are read; what stands beyond is found by its words. */
const maxPages = 5;
/** Passages that are searched for. */
const maxPassages = 20;

/** The pages that the session opens. */
export function pageEntries(): Entry[] {
  return destinations().map(({ path, label, icon }) => ({
    key: `page ${path}`,
    icon,
    title: label,
    detail: '',
    path,
  }));
}

/** What the session may do; what takes words takes those that were typed. */
export function actionEntries(words: string): Entry[] {
  const own = session.value?.member ?? '';
  const q = new URLSearchParams({ q: words });
  const actions: Omit<Entry, 'key' | 'detail'>[] = [
    ...(words === '' ? [] : [{ icon: 'ask' as const, title: t('Ask “{words}”', { words }), path: `/?${q}` }]),
    ...(words === ''
      ? []
      : [{ icon: 'search' as const, title: t('Search for “{words}”', { words }), path: `/memory?${q}` }]),
    ...(mayWrite()
      ? [{ icon: 'edit' as const, title: t('Write a new note'), path: writePath({ folder: '' }) }]
      : []),
    ...(mayCreate()
      ? [{ icon: 'plus' as const, title: t('Write a new decision'), path: '/decisions/new' }]
      : []),
    { icon: 'tasks', title: t('Show my tasks'), path: tasksOf(own) },
  ];
  return actions.map((action) => ({ ...action, key: `action ${action.title}`, detail: '' }));
}

/** Finds items by parts of their title or path. */
export async function findNotes(words: string, signal: AbortSignal): Promise<Entry[]> {
  if (words === '') return [];
  const { items } = await findItems(words, signal);
  return items.map(({ row_key, title }) => ({
    key: `item ${row_key}`,
    icon: 'file',
    title,
    detail: row_key,
    path: itemPath(row_key),
  }));
}

/** Whoever has a task; each leads to the tasks of that person. */
export function peopleEntries(tasks: readonly Task[]): Entry[] {
  const handles = new Set(tasks.flatMap(({ owner }) => owner ?? []));
  return [...handles].sort().map((handle) => ({
    key: `person ${handle}`,
    icon: 'team',
    title: handle,
    detail: t('open tasks'),
    path: tasksOf(handle),
  }));
}

/** What is read when the palette opens: open tasks, decisions and projects. */
export interface Lists {
  tasks: Task[];
  decisions: Decision[];
  projects: { slug: string; name: string }[];
}

/** Reads the lists, each as far as its bound. Rejects as the RPCs do. */
export async function readLists(signal: AbortSignal): Promise<Lists> {
  const filter = { status: TaskStatus.OPEN };
  const [tasks, decisions, projects] = await Promise.all([
    feedRows<Task>((page) => rpc.content.listTasks({ page, filter }, { signal })),
    feedRows<Decision>((page) => rpc.content.listDecisions({ page }, { signal })),
    isTeamMember() ? readProjects(signal) : [],
  ]);
  return { tasks, decisions, projects };
}

/** The open tasks, each at its line. */
export function taskEntries(tasks: readonly Task[]): Entry[] {
  return tasks.map(({ task_id, title, owner, source: { row_key, decision_id, line } }) => ({
    key: `task ${task_id}`,
    icon: 'tasks',
    title,
    detail: `${decision_id === undefined ? row_key : t('a decision')}${owner === null ? '' : ` · @${owner}`}`,
    path: decision_id === undefined ? itemPath(row_key, line) : decisionPath(decision_id),
  }));
}

/** The decisions by their titles. */
export function decisionEntries(decisions: readonly Decision[]): Entry[] {
  return decisions.map(({ decision_id, title, status }) => ({
    key: `decision ${decision_id}`,
    icon: 'decisions',
    title,
    detail: statusWords[status],
    path: decisionPath(decision_id),
  }));
}

/** The projects by their names. */
export function projectEntries(projects: Lists['projects']): Entry[] {
  return projects.map(({ slug, name }) => ({
    key: `project ${slug}`,
    icon: 'projects',
    title: name,
    detail: slug,
    path: projectPath(slug),
  }));
}

/** Searches the texts of items, decisions and projects; each is told once. */
export async function searchTexts(words: string, signal: AbortSignal): Promise<Entry[]> {
  if (words === '') return [];
  const { passages } = await rpc.query.search({ question: words, limit: maxPassages }, { signal });
  const entries = passages.map(({ rowKey, title, kind }): Entry => {
    const name = rowKey.slice(rowKey.indexOf('/') + 1);
    if (kind === 'decision')
      return {
        key: `decision ${name}`,
        icon: 'decisions',
        title,
        detail: t('decision'),
        path: decisionPath(name),
      };
    if (kind === 'project')
      return { key: `project ${name}`, icon: 'projects', title, detail: name, path: projectPath(name) };
    return { key: `item ${rowKey}`, icon: 'file', title, detail: rowKey, path: itemPath(rowKey) };
  });
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

function tasksOf(handle: string): string {
  return `/tasks?${new URLSearchParams({ owner: handle })}`;
}

/** Reads the pages of a feed, as far as its bound. */
function feedRows<Row>(
  read: (page: { cursor: string; limit: number }) => Promise<{ page?: Page }>,
): Promise<Row[]> {
  const load = async (cursor: string) => {
    const { page } = await read({ cursor, limit: feedPageRows });
    return { page, nextPageToken: page?.hasMore ? page.nextCursor : '' };
  };
  return everyPage(load, ({ page }) => rowsOf<Row>(page), maxPages);
}
