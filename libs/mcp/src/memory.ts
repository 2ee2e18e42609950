import type { Access } from '@teammemory/vocabulary/access.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';

// What the tools need of a team's memory: the gateway gives it from its services, the command line from the SDK. All rows
// have the shape that docs/contract.md gives them, with its names.

/** Whose key the tools act with. */
export interface Holder {
  /** The slug of the team. */
  team: string;
  /** The handle of the member. */
  member: string;
  tier: Tier;
  access: Access;
}

/** What every call takes. */
export interface Call {
  /** Aborts the call and the work behind it. */
  signal: AbortSignal;
}

/** A passage that was found, and what it is a passage of. */
export interface Passage {
  row_key: string;
  title: string;
  /** The headings above it, outermost first. */
  headings: string[];
  text: string;
  tier: string;
  /** `item`, `decision` or `project`. */
  kind: string;
  /** YYYY-MM-DD. */
  date: string | null;
  status: string | null;
  /** Here and below: a guest wrote it. */
  by_guest?: true | undefined;
  /** Here and below, YYYY-MM-DD: its day to be checked again has passed. */
  to_be_checked_since?: string | undefined;
  /** Larger is better; comparable within one answer. */
  score: number;
}

/** Which passages are wanted of those that fit a question. */
export interface PassageFilter {
  /** How their row_key begins. */
  prefix?: string | undefined;
  kind?: 'item' | 'decision' | 'project' | undefined;
  /** YYYY-MM-DD: about this day or a later one. */
  since?: string | undefined;
}

/** Passages, best first. */
export interface FoundPassages {
  passages: Passage[];
  /** Whether a part of what the key may see could not be searched. */
  incomplete: boolean;
}

/** What an answer rests on; the k-th is cited as [k]. */
export interface Source {
  row_key: string;
  title: string;
  tier: string;
  kind?: string | undefined;
  date?: string | undefined;
  status?: string | undefined;
  by_guest?: true | undefined;
  to_be_checked_since?: string | undefined;
  /** The sentence that matched best, as it was written. */
  quote?: string | undefined;
}

/** A note that comes closest to a question that nothing answers. */
export interface ClosestNote {
  row_key: string;
  title: string;
}

/** A part of an answer: text to append, or at the end what it rests on. */
export type AnswerPart =
  | { type: 'delta'; text: string }
  | { type: 'sources'; sources: Source[]; closest?: ClosestNote[] };

/** An item as in a list with `view=summary`. */
export interface ItemSummary {
  row_key: string;
  title: string;
  tier: string;
  checksum: string;
  updated_at: string;
  updated_by: string;
  by_guest?: true | undefined;
}

/** A whole item. */
export interface Item extends ItemSummary {
  content: string;
  frontmatter: Record<string, unknown>;
  frontmatter_text?: string | undefined;
}

/** A decision. */
export interface Decision {
  decision_id: string;
  title: string;
  body: string;
  status: string;
  audience: string;
  project: string | null;
  decided_on: string | null;
  updated_at: string;
  updated_by: string;
}

/** A task. */
export interface Task {
  task_id: string;
  title: string;
  status: string;
  owner: string | null;
  due: string | null;
  project: string | null;
  tags: string[];
  tier: string;
  source: { row_key: string; line: number; heading: string | null; decision_id?: string | undefined };
  updated_at: string;
}

/** What remains in a feed of a row that was removed, or that the key may no longer see. */
export type Removed<Identity extends string> = Record<Identity, string> & {
  updated_at: string;
  deleted: true;
};

/** Which part of a feed is wanted; `cursor` wins over `since`. */
export interface FeedRange {
  /** RFC 3339. */
  since?: string | undefined;
  cursor?: string | undefined;
  /** 1 to 200. */
  limit: number;
}

/** A page of a feed, oldest change first. */
export interface FeedPage<Row> {
  rows: Row[];
  /** Where the next page, or the next poll, goes on. */
  nextCursor: string;
  hasMore: boolean;
}

/** Which tasks are wanted. */
export interface TaskFilter {
  status?: 'open' | 'done' | 'cancelled' | undefined;
  owner?: string | undefined;
  project?: string | undefined;
  /** YYYY-MM-DD: due on this day or before it. */
  dueBy?: string | undefined;
}

/** An item to be stored. */
export interface NewItem {
  row_key: string;
  content: string;
  frontmatter: Record<string, unknown>;
  frontmatter_text?: string | undefined;
  tier: string;
  checksum: string;
  /** The checksum that it was edited from; null: there must be no such item yet. */
  base_checksum: string | null;
}

/** What was pushed with a key of access `propose`, and what became of it. */
export interface Proposal {
  proposal_id: string;
  row_key: string;
  /** `waiting`, `accepted` or `declined`. */
  state: string;
  proposed_by: string;
  /** RFC 3339. */
  proposed_at: string;
  decided_by: string | null;
  decided_at: string | null;
  /** Why it was declined. */
  reason: string | null;
  /** Whether it was accepted with changes. */
  edited: boolean;
}

/** What was proposed. */
export interface ProposedItem
  extends Pick<Item, 'row_key' | 'content' | 'frontmatter' | 'frontmatter_text' | 'tier' | 'checksum'> {
  /** Null for an item that was new; unset if nothing was said. */
  base_checksum?: string | null | undefined;
}

/** A page of proposals, the one that changed last first. */
export interface ProposalPage {
  proposals: Proposal[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The memory of one team as one key sees it, and may change it. Every method throws MemoryError if it is refused. */
export interface Memory {
  readonly holder: Holder;
  search(question: string, options: Call & PassageFilter & { limit: number }): Promise<FoundPassages>;
  /** Ends without an error only if the answer is complete. */
  ask(question: string, options: Call): AsyncIterable<AnswerPart>;
  getItem(rowKey: string, options: Call): Promise<Item>;
  getDecision(decisionId: string, options: Call): Promise<Decision>;
  getTask(taskId: string, options: Call): Promise<Task>;
  /** Removed rows are listed too. */
  listItems(
    range: FeedRange & { prefix?: string | undefined },
    options: Call,
  ): Promise<FeedPage<ItemSummary | Removed<'row_key'>>>;
  listDecisions(range: FeedRange, options: Call): Promise<FeedPage<Decision | Removed<'decision_id'>>>;
  /** Removed rows are listed only without a filter. */
  listTasks(
    range: FeedRange & { filter?: TaskFilter | undefined },
    options: Call,
  ): Promise<FeedPage<Task | Removed<'task_id'>>>;
  /** Tells whether the item waits for a reviewer instead of being stored, because the key only proposes. */
  pushItem(item: NewItem, options: Call): Promise<{ proposed: boolean }>;
  listProposals(
    range: { state?: 'waiting' | undefined; cursor?: string | undefined; limit: number },
    options: Call,
  ): Promise<ProposalPage>;
  /** `item` is null once the proposal is decided. */
  getProposal(proposalId: string, options: Call): Promise<Proposal & { item: ProposedItem | null }>;
  /** Removes the version with this checksum; `conflict` where another one is stored. */
  removeItem(version: Pick<Item, 'row_key' | 'checksum'>, options: Call): Promise<void>;
  /** Replaces the body of a decision unless it changed since `decision` was read. Absent where decisions cannot be edited. */
  editDecision?(decision: Decision, body: string, options: Call): Promise<void>;
}

/** A refusal or failure, in words for the agent. `code` is one of docs/errors.md. */
export class MemoryError extends Error {
  readonly code: string;
  /** When to try again, if the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The checksum of the stored version, after a conflict. */
  readonly currentChecksum: string | undefined;

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & {
      retryAfterSeconds?: number | undefined;
      currentChecksum?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.name = 'MemoryError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.currentChecksum = options.currentChecksum;
  }
}
