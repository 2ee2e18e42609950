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

/** A place as it is kept, and how often the list of projects has been changed. */
export interface KeptPlace extends ProjectionPlace {
  projectsVersion: number;
}

/** How much has changed in a team: rises with every change that was worked in, and with every change of a project. */
export interface TeamChanges {
  teamId: string;
  changes: number;
}

/** Keeps one place per team. Every method throws AppError `unavailable` when the database cannot be reached in time. */
export interface ProjectionStore {
  /** The team's place; zeros for a team that has none. */
  place(teamId: string): Promise<KeptPlace>;
  /** Keeps a place, unless one for a later position of the task feed is kept already. */
  keep(teamId: string, place: ProjectionPlace): Promise<void>;
  /** Raises the version of the list of projects; to be called after each change of it, and before that is acknowledged. */
  raiseProjectsVersion(teamId: string): Promise<void>;
  /** Every team that has a place, by its id, after one; '' begins with the first. */
  all(afterTeamId: string, limit: number): Promise<TeamChanges[]>;
}
