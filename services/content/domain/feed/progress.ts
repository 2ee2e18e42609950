import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedStore } from './feed-store.ts';

/** Feeds of one page: some 50 KB, read from one small row each. */
export const maxPageFeeds = 1_000;
/** The id of a team is shorter than this. */
export const maxTeamIdCharacters = 64;

/**
 * How far tasks and named projects have followed the feeds they are made from: when the task feed was at `tasksSeq`,
 * every row up to the other two positions had been processed. It says nothing about any other position of the task feed.
 */
export interface Progress {
  tasksSeq: number;
  itemsSeq: number;
  decisionsSeq: number;
  /** The form in which tasks of decisions were written. */
  taskForm: number;
}

/** A team's progress as stored, and how often its list of projects has changed. */
export interface StoredProgress extends Progress {
  projectsVersion: number;
}

/** How much has changed in a team: rises with every processed change and with every change of a project. */
export interface TeamChanges {
  teamId: string;
  changes: number;
}

/** Stores the progress of each team. Every method throws AppError `unavailable` when the database cannot be reached in time. */
export interface ProgressStore {
  /** Returns the team's progress; zeros for a team that has none. */
  progress(teamId: string): Promise<StoredProgress>;
  /**
   * Stores progress, unless it is stored for a later position of the task feed already. `progress` returns it at once,
   * `all` shortly after. A power loss may take it, but nothing that was stored before it.
   */
  keep(teamId: string, progress: Progress): Promise<void>;
  /** Raises the version of the list of projects. To be called after each change of it, before that is acknowledged. */
  raiseProjectsVersion(teamId: string): Promise<void>;
  /** Returns every team that has progress, by its id, after one; '' begins with the first. */
  all(afterTeamId: string, limit: number): Promise<TeamChanges[]>;
}

/** Keeps up to date what is made from items and decisions: tasks, and which projects items name. */
export interface Projection {
  /**
   * Processes everything that was durable when it is called.
   * @throws AppError `unavailable`; what was done until then is kept.
   */
  catchUp(teamId: string): Promise<void>;
  /**
   * Takes the titles out of removed tasks of some items and decisions, for good; they cannot come back.
   * @throws AppError `unavailable`.
   */
  forgetRemovedTasks(
    teamId: string,
    texts: readonly { kind: 'item' | 'decision'; id: string }[],
  ): Promise<void>;
  /** Catches up soon, in the background. Readers catch up first anyway, and get its errors. */
  nudge(teamId: string): void;
  /** Drops nudges and waits for what is running. */
  close(): Promise<void>;
}

/**
 * Lists the teams with how much has changed in each. Reads one row a team; the newest rows of its feeds would be three.
 * `nextTeamId` is empty on the last page.
 * @throws AppError `invalid_request` for a page token that is not ours, `unavailable`.
 */
export async function listTeamFeeds(
  { progress }: { progress: ProgressStore },
  query: { afterTeamId: string; limit: number; teams: 'all' | readonly string[] },
): Promise<{ feeds: TeamChanges[]; nextTeamId: string }> {
  const { afterTeamId, teams } = query;
  if (afterTeamId.length > maxTeamIdCharacters)
    throw new AppError(
      'invalid_request',
      'The page_token must be the next_page_token of the previous page of this list.',
    );
  const limit = Math.min(query.limit || maxPageFeeds, maxPageFeeds);
  const found = await (teams === 'all'
    ? progress.all(afterTeamId, limit + 1)
    : changesOf(progress, teams, afterTeamId, limit + 1));
  const feeds = found.slice(0, limit);
  return { feeds, nextTeamId: found.length > limit ? (feeds.at(-1)?.teamId ?? '') : '' };
}

/** The changes of some teams, those after one in order, without those that have nothing. */
async function changesOf(
  progress: ProgressStore,
  teams: readonly string[],
  afterTeamId: string,
  limit: number,
): Promise<TeamChanges[]> {
  const found: TeamChanges[] = [];
  for (const teamId of teams) {
    if (teamId <= afterTeamId || found.length === limit) continue;
    const { itemsSeq, tasksSeq, decisionsSeq, projectsVersion } = await progress.progress(teamId);
    const changes = itemsSeq + tasksSeq + decisionsSeq + projectsVersion;
    if (changes > 0) found.push({ teamId, changes });
  }
  return found;
}

/** The newest positions of a team's feeds; zeros for a team that has nothing. */
export interface TeamHeads {
  itemsSeq: number;
  tasksSeq: number;
  decisionsSeq: number;
  /** Changes with every change that external keys may know of, and with no other. It was read before the positions. */
  externalVersion: string;
  /** Changes with every change of the list of projects. Never 0, so that 0 can stand for a list that was never read. */
  projectsVersion: number;
}

/**
 * Returns the heads of a team's feeds, once tasks and projects show every change that was acknowledged before the call.
 * @throws AppError `unavailable`.
 */
export async function teamHeads(
  dependencies: {
    items: FeedStore;
    tasks: FeedStore;
    decisions: FeedStore;
    progress: ProgressStore;
    projection: Projection;
  },
  teamId: string,
): Promise<TeamHeads> {
  const { items, tasks, decisions, progress, projection } = dependencies;
  const read = async () => {
    const lists = [items, tasks, decisions];
    const newest = await Promise.all(lists.map((feed) => feed.newestAtMs(teamId, 'external')));
    const [followed, ...heads] = await Promise.all([
      progress.progress(teamId),
      ...lists.map((feed) => feed.head(teamId)),
    ]);
    const [itemsSeq = 0, tasksSeq = 0, decisionsSeq = 0] = heads.map(({ seq }) => seq);
    // A list from before its changes were counted may have projects, so its version is not 0 either.
    const projectsVersion = followed.projectsVersion + 1;
    return { followed, itemsSeq, tasksSeq, decisionsSeq, projectsVersion, externalVersion: newest.join('.') };
  };
  const { followed, ...heads } = await read();
  // Usually nothing is left to process, and these reads are all that a question costs.
  const isFollowed =
    followed.tasksSeq === heads.tasksSeq &&
    followed.itemsSeq >= heads.itemsSeq &&
    followed.decisionsSeq >= heads.decisionsSeq;
  if (isFollowed) return heads;
  await projection.catchUp(teamId);
  const { followed: _, ...caughtUp } = await read();
  return caughtUp;
}
