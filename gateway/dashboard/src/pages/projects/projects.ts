import type { Project } from '@teammemory/proto/content/v1/content_pb.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, session } from '../../service/session.ts';

/** Reads the team's projects to the end; it may have some thousands. */
export async function readProjects(signal: AbortSignal): Promise<Project[]> {
  const projects: Project[] = [];
  let pageToken = '';
  do {
    const page = await rpc.content.listProjects({ pageToken }, { signal });
    projects.push(...page.projects);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return projects;
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
