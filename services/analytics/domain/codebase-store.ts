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
   * many do so at once, all get the same id. `at`: milliseconds since the epoch.
   */
  put(teamId: string, codebase: StoredCodebase, at: number): Promise<string>;
  find(teamId: string, slug: string): Promise<StoredCodebase | undefined>;
}
