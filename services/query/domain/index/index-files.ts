import type { FeedPositions } from '../rows/row-feed.ts';
import type { TeamIndex } from './team-index.ts';
import type { Job } from './turns.ts';

/** A file of an index that may be of use. */
export interface IndexFile {
  /** Every row up to here is in it. */
  positions: FeedPositions;
  /** What the index takes. */
  bytes: number;
  /** Fills an empty index. Throws any error where the file is damaged; the index is of no use then, nor is the file. */
  reading(index: TeamIndex): Job<void>;
  close(): void;
}

/** Keeps indexes on disk, from where they are read in a fraction of the time that it takes to build them. */
export interface IndexFiles {
  /** Replaces a team's file at once. Throws any error where it cannot be written. */
  saving(teamId: string, state: { index: TeamIndex; positions: FeedPositions }): Job<void>;
  /** Removes a team's file, where there is one. */
  remove(teamId: string): void;
  /** A team's file; undefined where there is none of use, or one that is ahead of `heads` in any list. */
  open(teamId: string, heads: FeedPositions): IndexFile | undefined;
}
