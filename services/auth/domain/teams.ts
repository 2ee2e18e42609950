import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type Page, readPage } from './page.ts';
import { checkedSlug, checkedTeamName, type Team } from './team.ts';
import type { TeamStore } from './team-store.ts';

/** What can be done with teams. */
export interface Teams {
  /** Throws AppError `invalid_request` or `already_exists`. */
  create(wanted: { slug: string; name: string }): Promise<Team>;
  /** Throws AppError `not_found`. */
  get(slug: string): Promise<Team>;
  /** Teams by slug, after `afterSlug`; '' begins with the first. */
  list(afterSlug: string, pageSize: number): Promise<Page<Team>>;
}

export interface TeamsDependencies {
  store: TeamStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Makes the use cases of teams. */
export function createTeams({ store, clock }: TeamsDependencies): Teams {
  return {
    async create({ slug, name }) {
      const team = {
        teamId: randomUUIDv7(),
        slug: checkedSlug(slug),
        name: checkedTeamName(name),
        createdAt: clock(),
      };
      await store.create(team);
      return team;
    },

    async get(slug) {
      const team = await store.findBySlug(slug);
      if (!team) throw new AppError('not_found', 'There is no such team.');
      return team;
    },

    list: (afterSlug, pageSize) => readPage(pageSize, (limit) => store.list(afterSlug, limit)),
  };
}
