import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { isSlug, slugRule } from '@teammemory/vocabulary/formats.ts';
import { invalidRequest, type Page, readPage } from './request-rules.ts';

/** A team: the boundary that no row and no key crosses. */
export interface Team {
  /** UUID version 7, lower case. */
  teamId: string;
  /** Unique among teams. Never changes, as keys and requests name it. */
  slug: string;
  /** Name for people, 1 to 200 characters. */
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/**
 * 1 to 200 code points: long enough for any organisation's name, short enough
 * for one line of a list. No control characters, and no lone surrogates, which
 * have no UTF-8 form and would come back from a store as something else.
 */
const namePattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Returns `slug` as it is, or throws AppError `invalid_request`. */
export function checkedSlug(slug: string): string {
  if (isSlug(slug)) return slug;
  throw invalidRequest('/slug', slugRule);
}

/** Returns `name` as it is, or throws AppError `invalid_request`. */
export function checkedTeamName(name: string): string {
  if (namePattern.test(name)) return name;
  throw invalidRequest('/name', 'must be 1 to 200 characters without control characters');
}

/** Stores teams. Every method may also throw AppError `unavailable`. */
export interface TeamStore {
  /** Stores a new team durably. Throws AppError `already_exists` if its slug is taken. */
  create(team: Team): Promise<void>;
  findBySlug(slug: string): Promise<Team | undefined>;
  /** Up to `limit` teams by slug, those after `afterSlug`; '' begins with the first. */
  list(afterSlug: string, limit: number): Promise<Team[]>;
}

/** The use cases of teams. */
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

/** Creates the use cases of teams. */
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
      if (!team) throw noSuchTeam();
      return team;
    },

    list: (afterSlug, pageSize) => readPage(pageSize, (limit) => store.list(afterSlug, limit)),
  };
}

/** The answer about a team that does not exist, and about one that is not the caller's business. */
export function noSuchTeam(): AppError {
  return new AppError('not_found', 'There is no such team.');
}
