import { AppError } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { Reader } from '../feed/feed-page.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import { acceptedRows, textMember } from '../feed/filtered-page.ts';
import type { Projection } from '../feed/progress.ts';
import type { ProjectStore } from '../projects/projects.ts';

/** Projects that are asked about at once: the cards of some screens. */
const maxActiveProjects = 120;

/** What belongs to a project. */
export interface ProjectActivity {
  slug: string;
  items: number;
  openTasks: number;
  /** When an item that names it now changed last, milliseconds since the epoch; undefined without items. */
  changedAtMs: number | undefined;
}

interface Dependencies {
  projects: ProjectStore;
  projection: Projection;
  items: FeedStore;
  tasks: FeedStore;
}

/**
 * Says what belongs to some projects, in their order. `hasMoreTasks` where the team has too many tasks to look through
 * them all.
 * @throws AppError `forbidden_tier` for external readers, `invalid_request` for a slug that is none, `unavailable`.
 */
export async function readProjectActivity(
  { projects, projection, items, tasks }: Dependencies,
  { teamId, tier }: Reader,
  slugs: readonly string[],
): Promise<{ activity: ProjectActivity[]; hasMoreTasks: boolean }> {
  if (tier !== 'team') throw new AppError('forbidden_tier', 'Projects are for keys of tier team.');
  if (slugs.length > maxActiveProjects || !slugs.every(isSlug)) {
    const detail = `The slugs must be those of at most ${maxActiveProjects} projects, such as web-app.`;
    throw new AppError('invalid_request', detail);
  }
  await projection.catchUp(teamId);
  const used = await projects.uses(teamId, slugs);
  const newest = [...used.values()].map(({ newestRowKey }) => newestRowKey);
  const [states, open] = await Promise.all([items.find(teamId, newest), countOpenTasks(tasks, teamId)]);
  const activity = slugs.map((slug) => {
    const use = used.get(slug);
    return {
      slug,
      items: use?.items ?? 0,
      openTasks: open.byProject.get(slug) ?? 0,
      changedAtMs: states.get(use?.newestRowKey ?? '')?.updatedAtMs,
    };
  });
  return { activity, hasMoreTasks: open.hasMore };
}

/** Counts the open tasks of each project, in the tasks that one page of a filtered list looks through. */
async function countOpenTasks(
  tasks: FeedStore,
  teamId: string,
): Promise<{ byProject: ReadonlyMap<string, number>; hasMore: boolean }> {
  const byProject = new Map<string, number>();
  const counting = {
    name: '',
    accepts(json: Uint8Array) {
      const project = textMember(json, 'project');
      if (project !== undefined && textMember(json, 'status') === 'open') {
        byProject.set(project, (byProject.get(project) ?? 0) + 1);
      }
      return false;
    },
  };
  const untilMs = await tasks.newestAtMs(teamId, 'team');
  const range = { afterMs: 0, untilMs, limit: 1, maxBytes: Infinity, includeDeleted: false };
  const { throughMs } = await acceptedRows(tasks, { teamId, tier: 'team' }, counting, range);
  return { byProject, hasMore: throughMs < untilMs };
}
