import { isSlug, slugRule } from '@teammemory/vocabulary/formats.ts';
import { type Faults, isName, nameRule } from './request-rules.ts';

/** A codebase as clients name it. */
export interface Codebase {
  /** Unique in the team. */
  slug: string;
  /** Owner/repository. */
  fullName: string;
  /** Identifier of the hosting provider. */
  provider: string;
}

const maxFullNameCharacters = 300;
const maxProviderCharacters = 64;

/** Adds the faults of a codebase. */
export function checkCodebase({ slug, fullName, provider }: Codebase, faults: Faults): void {
  if (!isSlug(slug)) {
    faults.add('/codebase/slug', slugRule);
  }
  if (!isName(fullName, maxFullNameCharacters)) {
    faults.add('/codebase/full_name', nameRule(maxFullNameCharacters));
  }
  if (!isName(provider, maxProviderCharacters)) {
    faults.add('/codebase/provider', nameRule(maxProviderCharacters));
  }
}

/** A codebase with its identity. */
export interface StoredCodebase extends Codebase {
  /** UUID version 7. */
  codebaseId: string;
}

/** Stores codebases. Every method may also throw AppError `unavailable`. */
export interface CodebaseStore {
  /**
   * Stores a codebase durably and returns its id: the one given where the slug
   * is new to the team, else the one it has, its other fields replaced. However
   * many do so at once, all get the same id. Undefined if the slug is new and
   * the team has `maxOfTeam` others; on MongoDB several that are new at once may
   * pass that together. `at`: milliseconds since the epoch.
   */
  put(
    teamId: string,
    codebase: StoredCodebase,
    how: { at: number; maxOfTeam: number },
  ): Promise<string | undefined>;
  find(teamId: string, slug: string): Promise<StoredCodebase | undefined>;
  /** Up to `limit` codebases by slug, those after `afterSlug`; '' begins with the first. */
  list(teamId: string, afterSlug: string, limit: number): Promise<StoredCodebase[]>;
}
