import type { z } from 'zod';
import { type ApiRequest, type Endpoint, requestJson, sendRequest } from './api-request.ts';
import { type AnswerEvent, ask } from './ask.ts';
import { type CallOptions, ownSignal } from './call-options.ts';
import {
  type DecisionPage,
  decisionPageSchema,
  type ProjectList,
  projectListSchema,
  type TaskPage,
  taskPageSchema,
} from './derived-lists.ts';
import { type ChangedEvent, changedEvents } from './events.ts';
import { followChanges } from './follow.ts';
import {
  type Item,
  type ItemPage,
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
import { ProblemError } from './problem-error.ts';
import {
  itemPath,
  type ListItemsOptions,
  type ListOptions,
  listQuery,
  type PageOptions,
  pageQuery,
} from './requests.ts';
import { TransportError, toClientError } from './transport-error.ts';
import { type Whoami, whoamiSchema } from './whoami.ts';

/** Twice the service's heartbeat of 15 s, so that one missing heartbeat does not end an answer. */
const defaultTimeoutMs = 30_000;

export interface TeamMemoryClientOptions {
  /** Base address of the service, such as `http://127.0.0.1:8080`. */
  url: string;
  /** The whole key, `tms_<key_id>_<secret>`. */
  key: string;
  /** Slug of the team. */
  team: string;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Deadline of each call, and the longest silence within an answer. Default 30,000. */
  timeoutMs?: number;
}

export interface DeleteItemOptions extends CallOptions {
  /** Removes this version only. Fails with `conflict` if the service has another one. */
  baseChecksum?: string;
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
  /** Reads one page of the tasks that the service found in items and decisions. */
  listTasks(options?: ListOptions): Promise<TaskPage>;
  /** Reads one page of the decisions that were written on the service side. */
  listDecisions(options?: ListOptions): Promise<DecisionPage>;
  /** Lists the team's projects. Throws ProblemError `forbidden_tier` for external keys. */
  listProjects(options?: CallOptions): Promise<ProjectList>;
  /** Removes an item. Succeeds again if it was removed before. Throws TypeError for a text that is not a row_key. */
  deleteItem(rowKey: string, options?: DeleteItemOptions): Promise<void>;
  /** Asks a question and streams the answer. Ends without an error only if the answer is complete. */
  ask(question: string, options?: CallOptions): AsyncGenerator<AnswerEvent>;
  /**
   * Tells when there is something to pull: at once, and after each change. Connects again after an outage, so it never
   * ends by itself. Throws ProblemError `not_found` if the service is too old to have events.
   */
  events(options?: CallOptions): AsyncGenerator<ChangedEvent>;
  /** Reads what the key is: team, member, tier, access and limits. */
  whoami(options?: CallOptions): Promise<Whoami>;
  /** Resolves when the service is up. */
  health(options?: CallOptions): Promise<void>;
}

/** Makes a client. Throws TypeError for an address, key or team that cannot be sent. */
export function createTeamMemoryClient(options: TeamMemoryClientOptions): TeamMemoryClient {
  const endpoint = endpointOf(options);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;

  async function call<Result>(
    caller: CallOptions,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { signal, end } = ownSignal(caller.signal, timeoutMs);
    try {
      return await work(signal);
    } catch (thrown) {
      throw toClientError(thrown, signal);
    } finally {
      end();
    }
  }

  const discard = async (request: ApiRequest) => (await sendRequest(endpoint, request)).body?.cancel();

  const get = <Schema extends z.ZodType>(caller: CallOptions, path: string, schema: Schema) =>
    call(caller, (signal) =>
      requestJson(endpoint, { method: 'GET', path: `/api/v1/${path}`, signal }, schema),
    );
  const listItems = (list: ListItemsOptions = {}): Promise<ItemPage> =>
    // What the overloads promise: a page without contents where the caller asked for one.
    get(
      list,
      `items${listQuery(list)}`,
      list.view === 'summary' ? itemSummaryPageSchema : itemPageSchema,
    ) as Promise<ItemPage>;
  const events = ({ signal }: CallOptions = {}) =>
    changedEvents(endpoint, { stallTimeoutMs: timeoutMs, signal });

  return {
    listItems,
    listTasks: (list = {}) => get(list, `tasks${listQuery(list)}`, taskPageSchema),
    listDecisions: (list = {}) => get(list, `decisions${listQuery(list)}`, decisionPageSchema),
    listProjects: (caller = {}) => get(caller, 'projects', projectListSchema),
    followItems: (list: ListItemsOptions = {}) => followPages(listItems, list),
    follow: (list = {}) =>
      followChanges({
        pages: (cursor) => followPages(listItems, { ...list, cursor }),
        events,
        cursor: list.cursor,
        signal: list.signal,
      }),
    getItem: async (rowKey, caller = {}) => get(caller, itemPath(rowKey), itemSchema),
    listItemVersions: async (rowKey, page = {}) =>
      get(page, `${itemPath(rowKey)}/versions${pageQuery(page)}`, itemVersionPageSchema),
    getItemVersion: async (rowKey, revision, caller = {}) =>
      get(caller, `${itemPath(rowKey)}/versions/${revision}`, itemVersionSchema),
    pushItems: (items, caller = {}) => call(caller, (signal) => pushItems(endpoint, items, signal)),
    deleteItem: async (rowKey, { baseChecksum, ...caller } = {}) => {
      const query =
        baseChecksum === undefined ? '' : `?${new URLSearchParams({ base_checksum: baseChecksum })}`;
      const path = `/api/v1/${itemPath(rowKey)}${query}`;
      await call(caller, (signal) => discard({ method: 'DELETE', path, signal }));
    },
    ask: (question, caller = {}) =>
      ask(endpoint, question, { stallTimeoutMs: timeoutMs, signal: caller.signal }),
    events,
    whoami: (caller = {}) => get(caller, 'whoami', whoamiSchema),
    health: (caller = {}) => call(caller, (signal) => discard({ method: 'GET', path: '/healthz', signal })),
  };
}

/** Checked here because `fetch` quotes a header with a control character, and with it the key, in its error. */
function endpointOf({ url, key, team, fetch: ownFetch }: TeamMemoryClientOptions): Endpoint {
  const parsed = parsedUrl(url);
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    throw new TypeError('The address of the service must be an http or https URL without a user name.');
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The key contains characters that are not allowed in a key.');
  if (!/^[\x21-\x7e]+$/.test(team))
    throw new TypeError('The team contains characters that are not allowed in a slug.');
  const base = `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
  return { url: base, key, team, fetch: ownFetch ?? fetch };
}

/** `URL.parse` is not in Node 20. */
function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
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

async function* followPages(
  listItems: (options: ListItemsOptions) => Promise<ItemPage>,
  options: ListItemsOptions,
): AsyncGenerator<ItemPage> {
  for (let cursor = options.cursor; ; ) {
    const page = await listItems({ ...options, cursor });
    yield page;
    if (!page.has_more) return;
    if (page.next_cursor === cursor) throw new TransportError('invalid_answer', 'The list does not advance.');
    cursor = page.next_cursor;
  }
}
