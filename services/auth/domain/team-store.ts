import type { Team } from './team.ts';

/** Where teams are kept. Every method may also throw AppError `unavailable`. */
export interface TeamStore {
  /** Keeps a new team, durably. Throws AppError `already_exists` where its slug is taken. */
  create(team: Team): Promise<void>;
  findBySlug(slug: string): Promise<Team | undefined>;
  /** Up to `limit` teams by slug, those after `afterSlug`; '' begins with the first. */
  list(afterSlug: string, limit: number): Promise<Team[]>;
}
