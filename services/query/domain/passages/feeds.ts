import type { DocumentKind, Fields, Tier } from './passage.ts';

/** The present state of an item at its place in the team's item feed. */
export interface FeedItem {
  /** Position; a higher one is newer. */
  seq: number;
  rowKey: string;
  /** 'item' where it is left out. */
  kind?: DocumentKind | undefined;
  tier: Tier;
  title: string;
  /** Markdown; empty for a removed item. */
  content: string;
  /** As far as the item says them outside its title and content. */
  fields?: Fields | undefined;
  /** Id of the member who wrote it; absent where that is not known, and for a removed item. */
  writerId?: string | undefined;
  /** Whether nothing that was made of it may be left. */
  isErased?: true | undefined;
}

/** Part of a feed. */
export interface FeedPage {
  /** Lowest position first. */
  items: readonly FeedItem[];
  /** Newest position of the team after the items were read: what moved on meanwhile stands behind the last item. */
  headSeq: number;
}

/** Reads items from content. */
export interface ItemFeed {
  /**
   * Reads every item of a team behind a position, whatever its tier, removed
   * ones included, at most `limit`.
   * @throws AppError `unavailable` when the feed does not answer in time.
   */
  read(teamId: string, afterSeq: number, limit: number): Promise<FeedPage>;
}

/** How far the lists of a team go, or have been followed; zeros for a team that has nothing. */
export interface FeedPositions {
  /** Identity of content's data, to which the positions refer; '' where it is not known. */
  dataId: string;
  items: number;
  tasks: number;
  decisions: number;
  /** Not a position, but a version: a higher number whenever the list of projects is another one. */
  projects: number;
}

/** How far the lists of a team go at a moment. */
export interface FeedHeads extends FeedPositions {
  /** Another text after every change that external keys may know of, and after no other; absent or '' where it is not known. */
  externalVersion?: string;
}

/** Positions before anything was followed. */
export const noPositions: FeedPositions = { dataId: '', items: 0, tasks: 0, decisions: 0, projects: 0 };

/** Whether both are positions in the same data, as far as is known. */
export function isOfSameData({ dataId }: FeedPositions, other: FeedPositions): boolean {
  return dataId === '' || other.dataId === '' || dataId === other.dataId;
}

/** Whether one has come as far as another in every list of the same data. */
export function isUpTo(positions: FeedPositions, other: FeedPositions): boolean {
  const { items, tasks, decisions, projects } = positions;
  return (
    isOfSameData(positions, other) &&
    items >= other.items &&
    tasks >= other.tasks &&
    decisions >= other.decisions &&
    projects >= other.projects
  );
}

/** The fields of every row of a feed. */
interface RowState {
  /** Position; a higher one is newer. */
  seq: number;
  id: string;
  tier: Tier;
  title: string;
  /** As of `Row`. */
  status: string;
  /** Slug; '' for none. */
  project: string;
  /** The day of the last change that readers of its tier know of, YYYY-MM-DD. */
  updatedOn: string;
}

/** A row that is there no more, or that nobody is to see. */
export interface GoneRow {
  seq: number;
  id: string;
  tier: Tier;
  isGone: true;
  /** Whether nothing that was made of it may be left. */
  isErased?: true | undefined;
}

/** A task. */
export interface FeedTask extends RowState {
  isGone: false;
  owner: string;
  /** YYYY-MM-DD; '' for none. */
  due: string;
  tags: readonly string[];
  /** The text that it stands in, by `documentKey` where that is a decision, and the heading above it there. */
  source: { key: string; heading: string };
}

/** A decision. */
export interface FeedDecision extends RowState {
  isGone: false;
  /** Markdown. */
  body: string;
  /** YYYY-MM-DD; '' for none. */
  decidedOn: string;
  /** Id of the member who wrote it; absent where that is not known. */
  writerId?: string | undefined;
}

/** A project. */
export interface FeedProject {
  slug: string;
  name: string;
}

/** Part of a feed. */
export interface RowPage<Row> {
  /** Lowest position first. */
  rows: readonly (Row | GoneRow)[];
  /** Newest position of the team after the rows were read: what moved on meanwhile stands behind the last row. */
  headSeq: number;
}

/**
 * Reads tasks, decisions and projects of all tiers. Every method throws AppError `unavailable` if it gets no answer in
 * time.
 */
export interface RowFeed {
  /** How far all lists go, once tasks and projects show every change that was acknowledged before the call. */
  heads(teamId: string): Promise<FeedHeads>;
  /** Tasks behind a position, those that are gone included. */
  tasks(teamId: string, afterSeq: number): Promise<RowPage<FeedTask>>;
  /** The same of decisions; hidden ones are gone. */
  decisions(teamId: string, afterSeq: number): Promise<RowPage<FeedDecision>>;
  /** All projects, page by page. */
  projects(teamId: string): AsyncIterable<readonly FeedProject[]>;
}
