import type { Release } from './disclosure.ts';

/**
 * Releases of a team that are kept, the newest: a year of weeks that are looked
 * at, with several releases each. What a member remembers of an older one is
 * compared with nothing any more.
 */
export const releasesKept = 256;

/** Where is kept what rollups have shown. Every method may also throw AppError `unavailable`. */
export interface ReleaseStore {
  /** Kept releases, oldest first, and the number of the newest there ever was; 0 where there is none. */
  all(teamId: string): Promise<{ releases: Release[]; newest: number }>;
  /**
   * Adds a release after the newest that the caller knows, durably, and forgets
   * the oldest past `releasesKept`. False where there is a newer one: then
   * nothing was added.
   */
  add(teamId: string, newest: number, release: Release): Promise<boolean>;
}
