import type { Codebase } from './codebase.ts';

/** A codebase with its identity. */
export interface StoredCodebase extends Codebase {
  /** UUID version 7. */
  codebaseId: string;
}

/** Where codebases are kept. Every method may also throw AppError `unavailable`. */
export interface CodebaseStore {
  /**
   * Keeps a codebase, durably, and answers its id: the one given where the slug
   * is new to the team, else the one it has, its other fields replaced. However
   * many do so at once, all get the same id. Undefined where the slug is new and
   * the team has `maxOfTeam` others; on MongoDB several that are new at once may
   * pass that together. `at`: milliseconds since the epoch.
   */
  put(
    teamId: string,
    codebase: StoredCodebase,
    how: { at: number; maxOfTeam: number },
  ): Promise<string | undefined>;
  find(teamId: string, slug: string): Promise<StoredCodebase | undefined>;
}
