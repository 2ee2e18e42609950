import type { Project, ProjectActivity } from '@teammemory/proto/content/v1/content_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayWrite, session } from '../../service/session.ts';

/** The most projects that a page has. */
const projectsPage = 1_000;

/** Reads the team's projects to the end; it may have some thousands. */
export function readProjects(signal: AbortSignal): Promise<Project[]> {
  return everyPage(
    (pageToken) => rpc.content.listProjects({ pageSize: projectsPage, pageToken }, { signal }),
    ({ projects }) => projects,
  );
}

/** The most projects whose activity one call tells. */
export const activeAtOnce = 120;

/** What belongs to projects, by slug; `hasMoreTasks` where they may have more open tasks. */
export interface Activity {
  bySlug: ReadonlyMap<string, ProjectActivity>;
  hasMoreTasks: boolean;
}

/** Reads what belongs to projects. */
export async function readActivity(slugs: readonly string[], signal: AbortSignal): Promise<Activity> {
  const bySlug = new Map<string, ProjectActivity>();
  let hasMoreTasks = false;
  for (let from = 0; from < slugs.length; from += activeAtOnce) {
    const part = slugs.slice(from, from + activeAtOnce);
    const answer = await rpc.content.readProjectActivity({ slugs: part }, { signal });
    for (const project of answer.projects) bySlug.set(project.slug, project);
    hasMoreTasks = answer.hasMoreTasks;
  }
  return { bySlug, hasMoreTasks };
}

/** Whether who is signed in may create projects. */
export function mayCreateProjects(): boolean {
  return isTeamMember() && mayWrite();
}

/** Whether who is signed in may rename projects, which belong to the team. */
export function mayRenameProjects(): boolean {
  return isTeamMember() && session.value?.access === 'write';
}

/** Makes a slug of a name: "Winter timetable" becomes "winter-timetable". */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
}
