import { AppError } from '@teammemory/errors/app-error.ts';
import type { Answer, ClosestNote } from '../citations/answer.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import type { FeedItem, FeedPositions, FeedProject } from '../passages/feeds.ts';
import type { IndexedPassage, Tier } from '../passages/passage.ts';
import type { StoredItem } from '../passages/passage-store.ts';
import type { RowChange } from '../rows/row.ts';
import type { Coverage } from '../views/view.ts';

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

/** Passages of a search: a page of 1,000 is 1.5 MB, as much as one message should carry. */
export const maxPassages = 1_000;

/** Which passages are wanted of those that fit a question; '' for all. */
export interface PassageFilter {
  /** How the public key of the passage begins. */
  prefix: string;
  kind: string;
  /** The first day, YYYY-MM-DD. */
  since: string;
}

/** A search in one view of a team. */
export interface SearchRequest {
  tier: Tier;
  question: string;
  /** Passages at most. */
  limit: number;
  /** Left out: all. */
  filter?: PassageFilter | undefined;
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
  /** Passages that are not indexed, in the view of team keys. */
  missing: number;
}

/** How much of a team's memory can be searched, by the tier of keys, and how many bytes that takes. */
export interface IndexCoverage {
  views: Record<Tier, Coverage>;
  bytes: number;
}

/** How much of an item its view has. */
export interface IndexedItem {
  passages: number;
  /** Those that are found. */
  searchable: number;
}

/** What a view has of some items. */
export interface IndexedItems {
  /** By row key; items that are blank, or of which nothing found room, are left out. */
  items: ReadonlyMap<string, IndexedItem>;
  /** Every item up to this position of the feed has been taken over. */
  upTo: number;
}

/** Which items are wanted by their names. */
export interface NameRequest {
  tier: Tier;
  /** Each stands in the name, as `nameOfItem` makes it; none for all items. */
  words: readonly string[];
  limit: number;
}

/** An item by its name. */
export interface NamedItem {
  rowKey: string;
  title: string;
}

/** Which notes are wanted whose day to be checked has passed. */
export interface CheckRequest {
  tier: Tier;
  /** Those whose day is before this one, YYYY-MM-DD. */
  today: string;
  /** Only those that the member of this id wrote last; left out: of all members. */
  writerId?: string | undefined;
  limit: number;
}

/** An item whose day to be checked has passed. */
export interface NoteToCheck extends NamedItem {
  /** YYYY-MM-DD. */
  checkBy: string;
}

/** Where an index is opened. */
export interface OpenedIndex {
  /** Every row up to here has been taken over. */
  positions: FeedPositions;
}

/** Some projects of a team, as of a version of their list. */
export interface ProjectPage {
  version: number;
  projects: readonly FeedProject[];
}

/** All projects of a team by their slugs. */
export interface ProjectSlugs {
  version: number;
  slugs: readonly string[];
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
 * Keeps the indexes of all teams, in threads of their own. Changes of a team are made in the order in which they come;
 * teams take turns.
 *
 * Calls that answer undefined or false found no index of the team that has had all rows: it
 * has to be opened, and brought up to date, first. Every call throws AppError
 * `unavailable` where there is no room for it, and IndexHostEnded.
 */
export interface IndexHost {
  /** Cuts items of a team into the rows of their passages. */
  cut(teamId: string, items: readonly FeedItem[]): Promise<readonly StoredItem[]>;
  /**
   * Returns where the index of a team is, unless that is ahead of `heads`; else makes an empty one where it is `asked` for,
   * because somebody waits for it.
   */
  open(teamId: string, options: { heads: FeedPositions; asked: boolean }): Promise<OpenedIndex | undefined>;
  apply(teamId: string, changes: IndexChanges): Promise<boolean>;
  /** Drops what there is of a team, its file too, because it was made from other data. */
  forget(teamId: string): Promise<void>;
  /**
   * Searches when the team's turn comes.
   * @throws AppError `unavailable`, without searching, where too many searches wait or this one has waited for too long,
   *   and the signal's reason when that aborts while it waits.
   */
  search(teamId: string, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult | undefined>;
  /** Passages of a view that have a vector. */
  vectors(teamId: string, tier: Tier): Promise<number>;
  coverage(teamId: string): Promise<IndexCoverage | undefined>;
  /** What a view has of some items. */
  indexedItems(
    teamId: string,
    request: { tier: Tier; rowKeys: readonly string[] },
  ): Promise<IndexedItems | undefined>;
  /** Items with such a name, those first that begin with the first word. */
  itemsNamed(teamId: string, request: NameRequest): Promise<readonly NamedItem[] | undefined>;
  /** Items whose day to be checked has passed, the oldest day first. */
  notesToCheck(teamId: string, request: CheckRequest): Promise<readonly NoteToCheck[] | undefined>;
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
  /** To be called once, at the end. */
  close(): Promise<void>;
}
