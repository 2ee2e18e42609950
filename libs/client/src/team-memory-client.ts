import type * as z from 'zod';
import { type ApiRequest, requestJson, sendRequest } from './api-request.ts';
import { type AnswerEvent, ask } from './ask.ts';
import { type CallOptions, ownSignal } from './call-options.ts';
import {
  type Decision,
  type DecisionPage,
  type DecisionRow,
  decisionPageSchema,
  decisionSchema,
  type ProjectList,
  projectListSchema,
  type Task,
  type TaskPage,
  type TaskRow,
  taskPageSchema,
  taskSchema,
} from './derived-lists.ts';
import { type Endpoint, type EndpointOptions, endpointOf } from './endpoint.ts';
import { type ChangedEvent, changedEvents } from './events.ts';
import { eachPage, eachRow } from './feed-pages.ts';
import { followChanges } from './follow.ts';
import {
  type DeletedItem,
  type Item,
  type ItemPage,
  type ItemSummary,
  type ItemSummaryPage,
  type ItemVersion,
  type ItemVersionPage,
  itemPageSchema,
  itemSchema,
  itemSummaryPageSchema,
  itemVersionPageSchema,
  itemVersionSchema,
  type NewItem,
  type PushResult,
  pushResultSchema,
} from './item.ts';
import {
  type CodebasePage,
  codebasePageSchema,
  type Rollup,
  rollupSchema,
  type Scan,
  type ScanPage,
  type ScanResult,
  type Snapshot,
  type SnapshotResult,
  scanPageSchema,
  scanResultSchema,
  snapshotResultSchema,
} from './measurements.ts';
import { ProblemError } from './problem-error.ts';
import {
  type AcceptProposalOptions,
  type ListProposalsOptions,
  type Proposal,
  type ProposalPage,
  proposalPageSchema,
  proposalPath,
  proposalQuery,
  proposalSchema,
  type WholeProposal,
  wholeProposalSchema,
} from './proposals.ts';
import {
  itemPath,
  type ListItemsOptions,
  type ListOptions,
  type ListTasksOptions,
  listQuery,
  type PageOptions,
  pageQuery,
  query,
  taskQuery,
} from './requests.ts';
import { type Repeats, type Retry, type RetryPolicy, withRetries } from './retries.ts';
import { type FoundPassages, foundPassagesSchema, type SearchOptions, searchQuery } from './search.ts';
import { toClientError } from './transport-error.ts';
import { type SignInLink, signInLinkSchema, type Whoami, whoamiSchema } from './whoami.ts';

/** Twice the service's heartbeat of 15 s, so that one missing heartbeat does not end an answer. */
const defaultTimeoutMs = 30_000;
/** Three waits that double bridge a restart of the service. */
const defaultRetries = 3;
/** A limit per minute never asks for more. */
const defaultMaxRetryWaitMs = 60_000;

export interface TeamMemoryClientOptions extends EndpointOptions {
  /** Deadline of each attempt of a call, and the longest silence within an answer. Default 30,000. */
  timeoutMs?: number;
  /** How often a request may be sent again after a failure that may pass. Default 3; 0 for never. */
  retries?: number;
  /** If an answer asks for a longer wait than this, its error is thrown at once. Default 60,000. */
  maxRetryWaitMs?: number;
  /** Called before each wait. */
  onRetry?: (retry: Retry) => void;
}

export interface DeleteItemOptions extends CallOptions {
  /** Removes this version only. Fails with `conflict` if the service has another one. */
  baseChecksum?: string;
  /**
   * Removes every version for good, also of an item that was removed before. A service that is too old for that only
   * removes the item; `listItemVersions` shows `erased` once it is done.
   */
  erase?: boolean;
}

/**
 * The public API with types. Every method throws ProblemError if the service refuses, and TransportError if no valid
 * answer arrives.
 */
export interface TeamMemoryClient {
  /** Pushes 1 to 200 items. The result lists the items that were refused, even if all were. */
  pushItems(items: readonly NewItem[], options?: CallOptions): Promise<PushResult>;
  /** Reads one page of the change feed. With `view: 'summary'` its items have no content and no front matter. */
  listItems(options: ListItemsOptions & { view: 'summary' }): Promise<ItemSummaryPage>;
  listItems(options?: ListItemsOptions): Promise<ItemPage>;
  /** Reads pages, starting at `cursor` or `since`, until there are no more. */
  followItems(options: ListItemsOptions & { view: 'summary' }): AsyncGenerator<ItemSummaryPage>;
  followItems(options?: ListItemsOptions): AsyncGenerator<ItemPage>;
  /** Reads the rows of all these pages, one by one. */
  items(options: ListItemsOptions & { view: 'summary' }): AsyncGenerator<ItemSummary | DeletedItem>;
  items(options?: ListItemsOptions): AsyncGenerator<Item | DeletedItem>;
  /**
   * Reads pages like `followItems`, but never ends: it goes on with each change, and waits out outages. The first page
   * comes at once, even if it is empty. Ends when the reader stops or `signal` aborts, then with `cancelled`.
   */
  follow(options?: ListItemsOptions): AsyncGenerator<ItemPage>;
  /** Reads an item. Throws ProblemError `not_found` for an item that is absent, removed or not visible to the key. */
  getItem(rowKey: string, options?: CallOptions): Promise<Item>;
  /** Reads one page of an item's versions, newest first. */
  listItemVersions(rowKey: string, options?: PageOptions): Promise<ItemVersionPage>;
  /** Reads one version of an item whole. Throws ProblemError `not_found` if it is not kept or not visible. */
  getItemVersion(rowKey: string, revision: number, options?: CallOptions): Promise<ItemVersion>;
  /**
   * Reads one page of the tasks that the service found in items and decisions. A service that is too old for filters
   * lists all tasks.
   */
  listTasks(options?: ListTasksOptions): Promise<TaskPage>;
  /** Reads the tasks of all pages, one by one. */
  tasks(options?: ListTasksOptions): AsyncGenerator<TaskRow>;
  /** Reads a task. Throws ProblemError `not_found` for a task that is absent, gone or not visible to the key. */
  getTask(taskId: string, options?: CallOptions): Promise<Task>;
  /** Reads one page of the decisions that were written on the service side. */
  listDecisions(options?: ListOptions): Promise<DecisionPage>;
  /** Reads the decisions of all pages, one by one. */
  decisions(options?: ListOptions): AsyncGenerator<DecisionRow>;
  /** Reads a decision. Throws ProblemError `not_found` for one that is absent, removed, hidden or not visible to the key. */
  getDecision(decisionId: string, options?: CallOptions): Promise<Decision>;
  /** Lists the team's projects. Throws ProblemError `forbidden_tier` for external keys. */
  listProjects(options?: CallOptions): Promise<ProjectList>;
  /** Removes an item. Succeeds again if it was removed before. Throws TypeError for a text that is not a row_key. */
  deleteItem(rowKey: string, options?: DeleteItemOptions): Promise<void>;
  /**
   * Reads one page of what was pushed with keys of access `propose`: reviewers, whose key is of tier team with access
   * `write`, read that of the team, others that of their member.
   */
  listProposals(options?: ListProposalsOptions): Promise<ProposalPage>;
  /** Reads the proposals of all pages, one by one. */
  proposals(options?: ListProposalsOptions): AsyncGenerator<Proposal>;
  /** Reads a proposal, whole while it waits. Throws ProblemError `not_found` for one that the key may not see. */
  getProposal(proposalId: string, options?: CallOptions): Promise<WholeProposal>;
  /**
   * Reviewers: stores what was proposed, or `item`. Throws ProblemError with the code of a push, such as `conflict`, which
   * is also that of a proposal that is decided already.
   */
  acceptProposal(proposalId: string, options?: AcceptProposalOptions): Promise<Proposal>;
  /** Reviewers: declines a proposal, with a reason of 1 to 1,000 characters. */
  declineProposal(proposalId: string, reason: string, options?: CallOptions): Promise<Proposal>;
  /** Removes a proposal of the key's member that waits. */
  withdrawProposal(proposalId: string, options?: CallOptions): Promise<void>;
  /** Stores the scan of a codebase. Takes a key of tier team. */
  pushScan(scan: Scan, options?: CallOptions): Promise<ScanResult>;
  /** Reads one page of the team's codebases, by slug. Takes a key of tier team, as do the next two. */
  listCodebases(options?: PageOptions): Promise<CodebasePage>;
  /** Reads one page of the scans of a codebase, newest first. Throws ProblemError `not_found` for an unknown codebase. */
  listScans(codebaseSlug: string, options?: PageOptions): Promise<ScanPage>;
  /** Reads how the members are placed, in the last 12 `weeks` or 1 to 53. Figures are withheld below 3 members. */
  getRollup(options?: CallOptions & { weeks?: number }): Promise<Rollup>;
  /** Stores a member's snapshot of one day. Takes a key of tier team. */
  pushSnapshot(snapshot: Snapshot, options?: CallOptions): Promise<SnapshotResult>;
  /** Asks a question and streams the answer. Ends without an error only if the answer is complete. */
  ask(question: string, options?: CallOptions): AsyncGenerator<AnswerEvent>;
  /**
   * Finds the passages that fit a question best, without an answer being made of them. A question that has more than
   * about 16 KiB in percent-encoded form is refused. Throws ProblemError `not_found` if the service is too old to search.
   */
  search(question: string, options?: SearchOptions): Promise<FoundPassages>;
  /**
   * Tells when there is something to pull: at once, and after each change. Connects again after an outage, so it never
   * ends by itself. Throws ProblemError `not_found` if the service is too old to have events.
   */
  events(options?: CallOptions): AsyncGenerator<ChangedEvent>;
  /** Reads what the key is: team, member, tier, access and limits. */
  whoami(options?: CallOptions): Promise<Whoami>;
  /**
   * Makes a link that signs a browser in to the dashboard with this key, once and within two minutes. Throws ProblemError
   * `not_found` if the service is too old to have a dashboard.
   */
  createSignInLink(options?: CallOptions): Promise<SignInLink>;
  /** Resolves if the service is up. It is asked once. */
  health(options?: CallOptions): Promise<void>;
}

/** Makes a client. Throws TypeError for an address, key or team that cannot be sent. */
export function createTeamMemoryClient(options: TeamMemoryClientOptions): TeamMemoryClient {
  const endpoint = endpointOf(options);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;

  const policy: Omit<RetryPolicy, 'retryLimited'> = {
    retries: options.retries ?? defaultRetries,
    maxRetryWaitMs: options.maxRetryWaitMs ?? defaultMaxRetryWaitMs,
    onRetry: options.onRetry,
  };

  async function attempt<Result>(
    caller: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { signal, end } = ownSignal(caller, timeoutMs);
    try {
      return await work(signal);
    } catch (thrown) {
      throw toClientError(thrown, signal);
    } finally {
      end();
    }
  }

  /** Sends a request, and again where the table of `retries.ts` allows it. */
  const call = <Result>(
    { signal, retries = policy.retries, retryLimited = true }: CallOptions,
    repeats: Repeats,
    work: (signal: AbortSignal) => Promise<Result>,
  ) => withRetries(() => attempt(signal, work), repeats, { ...policy, retries, retryLimited }, signal);

  const discard = async (request: ApiRequest) => (await sendRequest(endpoint, request)).body?.cancel();

  const get = <Schema extends z.ZodType>(caller: CallOptions, path: string, schema: Schema) =>
    call(caller, 'safe', (signal) =>
      requestJson(endpoint, { method: 'GET', path: `/api/v1/${path}`, signal }, schema),
    );
  /** Stores what has an identity of its own, so that a second time it replaces itself. */
  const replace = <Schema extends z.ZodType>(
    caller: CallOptions,
    path: string,
    body: unknown,
    schema: Schema,
  ) =>
    call(caller, 'safe', (signal) =>
      requestJson(endpoint, { method: 'POST', path: `/api/v1/${path}`, body, signal }, schema),
    );
  const listItems = (list: ListItemsOptions = {}): Promise<ItemPage> =>
    // What the overloads promise: a page without contents where the caller asked for one.
    get(
      list,
      `items${listQuery(list)}`,
      list.view === 'summary' ? itemSummaryPageSchema : itemPageSchema,
    ) as Promise<ItemPage>;
  const followItems = (list: ListItemsOptions = {}) =>
    eachPage((cursor) => listItems({ ...list, cursor }), list.cursor);
  const listTasks = (list: ListTasksOptions = {}) => get(list, `tasks${taskQuery(list)}`, taskPageSchema);
  const listDecisions = (list: ListOptions = {}) =>
    get(list, `decisions${listQuery(list)}`, decisionPageSchema);
  const listProposals = (list: ListProposalsOptions = {}) =>
    get(list, `proposals${proposalQuery(list)}`, proposalPageSchema);
  /** A second time finds the proposal decided. */
  const decide = (caller: CallOptions, path: string, body: unknown) =>
    call(caller, 'careful', (signal) =>
      requestJson(endpoint, { method: 'POST', path: `/api/v1/${path}`, body, signal }, proposalSchema),
    );
  const events = ({ signal }: CallOptions = {}) =>
    changedEvents(endpoint, { stallTimeoutMs: timeoutMs, signal });

  return {
    listItems,
    listTasks,
    tasks: (list = {}) =>
      eachRow(
        eachPage((cursor) => listTasks({ ...list, cursor }), list.cursor),
        (page) => page.tasks,
      ),
    getTask: (taskId, caller = {}) => get(caller, `tasks/${encodeURIComponent(taskId)}`, taskSchema),
    listDecisions,
    decisions: (list = {}) =>
      eachRow(
        eachPage((cursor) => listDecisions({ ...list, cursor }), list.cursor),
        (page) => page.decisions,
      ),
    getDecision: (decisionId, caller = {}) =>
      get(caller, `decisions/${encodeURIComponent(decisionId)}`, decisionSchema),
    listProjects: (caller = {}) => get(caller, 'projects', projectListSchema),
    followItems,
    items: (list: ListItemsOptions = {}) => eachRow(followItems(list), (page) => page.items),
    follow: (list = {}) =>
      followChanges({
        pages: (cursor) => followItems({ ...list, cursor }),
        events,
        cursor: list.cursor,
        signal: list.signal,
      }),
    getItem: async (rowKey, caller = {}) => get(caller, itemPath(rowKey), itemSchema),
    listItemVersions: async (rowKey, page = {}) =>
      get(page, `${itemPath(rowKey)}/versions${pageQuery(page)}`, itemVersionPageSchema),
    getItemVersion: async (rowKey, revision, caller = {}) =>
      get(caller, `${itemPath(rowKey)}/versions/${revision}`, itemVersionSchema),
    pushItems: (items, caller = {}) => {
      const hasBases = items.every(({ base_checksum: base }) => base !== undefined);
      return call(caller, hasBases ? 'safe' : 'careful', (signal) => pushItems(endpoint, items, signal));
    },
    deleteItem: async (rowKey, { baseChecksum, erase = false, ...caller } = {}) => {
      const query = new URLSearchParams({
        ...(baseChecksum === undefined ? {} : { base_checksum: baseChecksum }),
        ...(erase ? { erase: 'true' } : {}),
      });
      const path = `/api/v1/${itemPath(rowKey)}${query.size === 0 ? '' : `?${query}`}`;
      const repeats = baseChecksum === undefined ? 'careful' : 'safe';
      await call(caller, repeats, (signal) => discard({ method: 'DELETE', path, signal }));
    },
    listProposals,
    proposals: (list = {}) =>
      eachRow(
        eachPage((cursor) => listProposals({ ...list, cursor }), list.cursor),
        (page) => page.proposals,
      ),
    getProposal: (proposalId, caller = {}) => get(caller, proposalPath(proposalId), wholeProposalSchema),
    acceptProposal: (proposalId, { item, baseChecksum, ...caller } = {}) =>
      decide(caller, `${proposalPath(proposalId)}/accept`, { item, base_checksum: baseChecksum }),
    declineProposal: (proposalId, reason, caller = {}) =>
      decide(caller, `${proposalPath(proposalId)}/decline`, { reason }),
    withdrawProposal: async (proposalId, caller = {}) => {
      const path = `/api/v1/${proposalPath(proposalId)}`;
      await call(caller, 'careful', (signal) => discard({ method: 'DELETE', path, signal }));
    },
    pushScan: (scan, caller = {}) => replace(caller, 'codebases', scan, scanResultSchema),
    listCodebases: (page = {}) => get(page, `codebases${pageQuery(page)}`, codebasePageSchema),
    listScans: (slug, page = {}) =>
      get(page, `codebases/${encodeURIComponent(slug)}/scans${pageQuery(page)}`, scanPageSchema),
    getRollup: ({ weeks, ...caller } = {}) => get(caller, `rollup${query([['weeks', weeks]])}`, rollupSchema),
    pushSnapshot: (snapshot, caller = {}) => replace(caller, 'metrics', snapshot, snapshotResultSchema),
    ask: (question, caller = {}) =>
      ask(endpoint, question, { stallTimeoutMs: timeoutMs, signal: caller.signal }),
    search: (question, search = {}) =>
      get(search, `search${searchQuery(question, search)}`, foundPassagesSchema),
    events,
    whoami: (caller = {}) => get(caller, 'whoami', whoamiSchema),
    // A second link does no harm: the first, which nobody knows, expires.
    createSignInLink: (caller = {}) =>
      call(caller, 'safe', (signal) =>
        requestJson(endpoint, { method: 'POST', path: '/api/v1/sign-in-links', signal }, signInLinkSchema),
      ),
    health: (caller = {}) =>
      call(caller, 'never', (signal) => discard({ method: 'GET', path: '/healthz', signal })),
  };
}

async function pushItems(
  endpoint: Endpoint,
  items: readonly NewItem[],
  signal: AbortSignal,
): Promise<PushResult> {
  try {
    const request: ApiRequest = { method: 'POST', path: '/api/v1/items', body: { items }, signal };
    return await requestJson(endpoint, request, pushResultSchema);
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.status === 422 && thrown.counts) return thrown.counts;
    throw thrown;
  }
}
