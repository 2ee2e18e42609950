/**
 * How far what is made from the feeds has followed them: at that position of
 * the task feed, everything up to these positions was worked in. It says
 * nothing about any other position of the task feed.
 */
export interface ProjectionPlace {
  tasksSeq: number;
  itemsSeq: number;
  decisionsSeq: number;
}

/** How far the items of a team have been followed. */
export interface FollowedItems {
  teamId: string;
  itemsSeq: number;
}

/** Keeps one place per team. Every method throws AppError `unavailable` when the database cannot be reached in time. */
export interface ProjectionStore {
  /** The team's place; zeros for a team that has none. */
  place(teamId: string): Promise<ProjectionPlace>;
  /** Keeps a place, unless one for a later position of the task feed is kept already. */
  keep(teamId: string, place: ProjectionPlace): Promise<void>;
  /** Every team that has a place, by its id, after one; '' begins with the first. */
  all(afterTeamId: string, limit: number): Promise<FollowedItems[]>;
}
