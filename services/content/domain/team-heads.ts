import type { ItemStore } from './item-store.ts';
import type { Projection } from './projection.ts';
import type { ProjectionStore } from './projection-store.ts';

/** How far the lists of a team go; zeros of positions for a team that has nothing. */
export interface TeamHeads {
  itemsSeq: number;
  tasksSeq: number;
  decisionsSeq: number;
  /** Another number whenever the list of projects is another one; never 0, so that 0 is free for a list that was not read. */
  projectsVersion: number;
}

/**
 * Tells how far a team's lists go, once tasks and projects show every change
 * that was acknowledged before the call.
 * @throws AppError `unavailable`.
 */
export async function teamHeads(
  dependencies: {
    items: ItemStore;
    tasks: ItemStore;
    decisions: ItemStore;
    places: ProjectionStore;
    projection: Projection;
  },
  teamId: string,
): Promise<TeamHeads> {
  const { places, projection } = dependencies;
  const read = async () => {
    const lists = [dependencies.items, dependencies.tasks, dependencies.decisions];
    const [place, ...heads] = await Promise.all([
      places.place(teamId),
      ...lists.map((list) => list.head(teamId)),
    ]);
    const [itemsSeq = 0, tasksSeq = 0, decisionsSeq = 0] = heads.map(({ seq }) => seq);
    // A list of which no change was counted may have projects: of before changes were counted.
    return { place, itemsSeq, tasksSeq, decisionsSeq, projectsVersion: place.projectsVersion + 1 };
  };
  const { place, ...heads } = await read();
  // As a rule nothing is left to be worked in, and these reads at once are all that a question costs.
  const isFollowed =
    place.tasksSeq === heads.tasksSeq &&
    place.itemsSeq >= heads.itemsSeq &&
    place.decisionsSeq >= heads.decisionsSeq;
  if (isFollowed) return heads;
  await projection.catchUp(teamId);
  const { place: _, ...caughtUp } = await read();
  return caughtUp;
}
