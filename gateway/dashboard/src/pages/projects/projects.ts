import type { Project } from '@teammemory/proto/content/v1/content_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, session } from '../../service/session.ts';

/** The most projects that a page has. */
const projectsPage = 1_000;

/** Reads the team's projects to the end; it may have some thousands. */
export function readProjects(signal: AbortSignal): Promise<Project[]> {
  return everyPage(
    (pageToken) => rpc.content.listProjects({ pageSize: projectsPage, pageToken }, { signal }),
    ({ projects }) => projects,
  );
}

/** Whether who is signed in may create projects. */
export function mayCreateProjects(): boolean {
  return isTeamMember() && session.value?.access !== 'read';
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
