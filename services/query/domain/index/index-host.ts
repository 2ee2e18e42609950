import { AppError } from '@teammemory/errors/app-error.ts';
import type { Answer, ClosestNote } from '../citations/answer.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import type { FeedItem } from '../passages/item-feed.ts';
import type { IndexedPassage, Tier } from '../passages/passage.ts';
import type { StoredItem } from '../passages/passage-store.ts';
import type { RowChange } from '../rows/row.ts';
import type { FeedPositions } from '../rows/row-feed.ts';
import type { Coverage } from '../views/view-index.ts';
import type { ProjectPage, ProjectSlugs, TeamIndex } from './team-index.ts';
import type { Job } from './turns.ts';

/** Thrown by calls under which the host ended, by a fault, for want of memory, or because it stood still. */
export class IndexHostEnded extends AppError {
  /** The team that it worked for, where that is known. */
  readonly teamId: string | undefined;

  constructor(teamId: string | undefined) {
    super('unavailable', 'The search had to be started anew; ask again.');
    this.teamId = teamId;
  }
}

/** A passage that was found. */
export interface FoundPassage {
  passage: IndexedPassage;
  /** Larger is better; comparable within one search only. */
  score: number;
}

/** A search in one view of a team. */
export interface SearchRequest {
  tier: Tier;
  question: string;
  /** Passages at most. */
  limit: number;
  /** The question as a vector, where it has one. */
  vector?: Float32Array | undefined;
  /** The day of the question (UTC), YYYY-MM-DD, to which "now" and "last week" refer. Today if left out. */
  today?: string | undefined;
  /** How markup in an answer of quotes is handled; inert by default. */
  markup?: AnswerMarkup | undefined;
}

/** What was found. */
export interface SearchResult {
  /** Best first. */
  passages: readonly FoundPassage[];
  /** The notes of the best passages, for an answer that rests on nothing. */
  closest: readonly ClosestNote[];
  /** The answer of rows, where the question asks for a list of them: complete, and better than any other. */
  list?: Answer;
  /** The answer of passages as they were written. */
  quotes: Answer;
  /** How much of the view could be searched. */
  coverage: Coverage;
}

/** A passage that needs a vector. */
export interface UnembeddedPassage extends IndexedPassage {
  /** The state of its item. */
  seq: number;
}

/** Items whose vectors are to be compared with their present passages. */
export interface EmbeddingWork {
  rowKeys: readonly string[];
  passages: readonly UnembeddedPassage[];
  /** Ids of the members who wrote those of them that are decisions, as far as they are known. */
  writers: ReadonlyMap<string, string>;
  /** Numbers of a vector of this index; 0 while there is none. */
  dimension: number;
}

/** A vector of a passage of one state of an item. */
export interface PassageVector {
  place: { rowKey: string; seq: number; ordinal: number };
  vector: Float32Array;
}

/** Figures of all indexes together. */
export interface IndexFigures {
  teams: number;
  bytes: number;
  /** Passages that have no vector. */
  unembedded: number;
  /** Passages that are not indexed, or only in part, in the view of team keys. */
  missing: number;
  /** Indexes dropped for want of memory since the start. */
  dropped: number;
  /** Indexes read from files since the start. */
  loaded: number;
  /** Files that could not be written since the start. */
  unsaved: number;
}

/** Figures of a host that has done nothing. */
export const noFigures: IndexFigures = {
  teams: 0,
  bytes: 0,
  unembedded: 0,
  missing: 0,
  dropped: 0,
  loaded: 0,
  unsaved: 0,
};

/** How much of a team's memory can be searched, by the tier of keys, and what that takes. */
export interface IndexCoverage {
  views: Record<Tier, Coverage>;
  bytes: number;
}

/** How much of an item its view has. */
export interface IndexedItem {
  passages: number;
  /** Those that are found by all of their words. */
  searchable: number;
  /** Those that are found by some of their words only. */
  partlySearchable: number;
}

/** What a view has of some items. */
export interface IndexedItems {
  /** By row key; items that are blank, or of which nothing found room, are left out. */
  items: ReadonlyMap<string, IndexedItem>;
  /** Every item up to this position of the feed has been taken over. */
  upTo: number;
}

/** Where an index is opened. */
export interface OpenedIndex {
  /** Every row up to here has been taken over. */
  positions: FeedPositions;
}

/** Changes of a team's memory, to be taken over one after the other. */
export interface IndexChanges {
  /** Items and decisions with their passages. */
  documents?: readonly StoredItem[];
  /** Tasks and decisions. */
  rows?: readonly RowChange[];
  /** Some projects, as of a version of their list. */
  projects?: ProjectPage;
  /** All projects that there are as of that version: others are gone. */
  allProjects?: ProjectSlugs;
  /** Something was erased, of which the team's file may still have the text. */
  erases?: boolean;
  /** The positions up to which these changes and those before them reach. */
  positions?: FeedPositions;
}

/**
 * Keeps the indexes of all teams: in a thread of its own, or for tests in
 * this one. Calls for a team are done in the order in which they come; teams take turns.
 *
 * Calls that answer undefined or false found no index of the team in memory that has had all rows: it
 * has to be opened, and brought up to date, first. Every call throws AppError
 * `unavailable` where there is no memory for it in time, and IndexHostEnded.
 */
export interface IndexHost {
  /** Cuts items of a team into the rows of their passages. */
  cut(teamId: string, items: readonly FeedItem[]): Promise<readonly StoredItem[]>;
  /**
   * Makes sure that a team has an index, from its file where that is not ahead of `heads`, else an empty one. Without
   * `asked`, where nobody waits for it, only while three quarters of the memory are enough for all.
   */
  open(teamId: string, options: { heads: FeedPositions; asked: boolean }): Promise<OpenedIndex | undefined>;
  apply(teamId: string, changes: IndexChanges): Promise<boolean>;
  /** Drops what there is of a team, its file too, because it was made from other data. */
  forget(teamId: string): Promise<void>;
  search(teamId: string, request: SearchRequest): Promise<SearchResult | undefined>;
  /** Passages of a view that have a vector. */
  vectors(teamId: string, tier: Tier): Promise<number>;
  coverage(teamId: string): Promise<IndexCoverage | undefined>;
  /** What a view has of some items. */
  indexedItems(
    teamId: string,
    request: { tier: Tier; rowKeys: readonly string[] },
  ): Promise<IndexedItems | undefined>;
  /** Takes items out of the embedding backlog; none if the team has no index. */
  takeEmbeddingWork(
    teamId: string,
    max: { items: number; passages: number },
  ): Promise<EmbeddingWork | undefined>;
  /** Puts items back among them. */
  addToBacklog(teamId: string, rowKeys: readonly string[]): Promise<void>;
  /** Puts every item back of which a passage has no vector. */
  refillBacklog(teamId: string): Promise<void>;
  embed(teamId: string, vectors: readonly PassageVector[]): Promise<void>;
  /** Forgets all vectors of a team, unless they have this dimension. */
  forgetVectors(teamId: string, dimension: number): Promise<void>;
  /** Writes the files of indexes that have changed and have waited long enough for it. */
  save(): Promise<void>;
  /** Writes the files of those that have changed, for some seconds at most. To be called once, at the end. */
  close(): Promise<void>;
}

/** A file of an index that may be of use. */
export interface IndexFile {
  /** Every row up to here is in it. */
  positions: FeedPositions;
  /** Size of the index. */
  bytes: number;
  /** Fills an empty index. Throws any error where the file is damaged; the index is of no use then, nor is the file. */
  reading(index: TeamIndex): Job<void>;
  close(): void;
}

/** Keeps indexes on disk, from where they are read in a fraction of the time that it takes to build them. */
export interface IndexFiles {
  /** Replaces a team's file at once. Throws any error where it cannot be written. */
  saving(teamId: string, state: { index: TeamIndex; positions: FeedPositions }): Job<void>;
  /** Removes a team's file if there is one. */
  remove(teamId: string): void;
  /** Returns a team's file; undefined if there is no usable one, or if it is ahead of `heads` in any list. */
  open(teamId: string, heads: FeedPositions): IndexFile | undefined;
}
