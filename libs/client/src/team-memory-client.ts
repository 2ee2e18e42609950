import type { z } from 'zod';
import { type ApiRequest, type Endpoint, requestJson, sendRequest } from './api-request.ts';
import { type AnswerEvent, ask } from './ask.ts';
import { type CallOptions, withDeadline } from './call-options.ts';
import {
  type DecisionPage,
  decisionPageSchema,
  type ProjectList,
  projectListSchema,
  type TaskPage,
  taskPageSchema,
} from './derived-lists.ts';
import { type ItemPage, itemPageSchema, type NewItem, type PushResult, pushResultSchema } from './item.ts';
import { ProblemError } from './problem-error.ts';
import { TransportError, toClientError } from './transport-error.ts';

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

export interface ListItemsOptions extends CallOptions {
  /** RFC 3339: only later changes. Ignored if `cursor` is given. */
  since?: string;
  /** `next_cursor` of an earlier page. */
  cursor?: string;
  /** Page size, 1 to 200; default 50. */
  limit?: number;
  /** Also list rows that were removed or that this key may no longer see. */
  includeDeleted?: boolean;
}

/**
 * The public API with types. Every method throws ProblemError if the service refuses, and TransportError if no valid
 * answer arrives.
 */
export interface TeamMemoryClient {
  /** Pushes 1 to 200 items. The result lists the items that were refused, even if all were. */
  pushItems(items: readonly NewItem[], options?: CallOptions): Promise<PushResult>;
  /** Reads one page of the change feed. */
  listItems(options?: ListItemsOptions): Promise<ItemPage>;
  /** Reads pages, starting at `cursor` or `since`, until there are no more. */
  followItems(options?: ListItemsOptions): AsyncGenerator<ItemPage>;
  /** Reads one page of the tasks that the service found in items and decisions. */
  listTasks(options?: ListItemsOptions): Promise<TaskPage>;
  /** Reads one page of the decisions that were written on the service side. */
  listDecisions(options?: ListItemsOptions): Promise<DecisionPage>;
  /** Lists the team's projects. Throws ProblemError `forbidden_tier` for external keys. */
  listProjects(options?: CallOptions): Promise<ProjectList>;
  /** Removes an item. Succeeds again if it was removed before. Throws TypeError for a text that is not a row_key. */
  deleteItem(rowKey: string, options?: CallOptions): Promise<void>;
  /** Asks a question and streams the answer. Ends without an error only if the answer is complete. */
  ask(question: string, options?: CallOptions): AsyncGenerator<AnswerEvent>;
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
    const signal = withDeadline(timeoutMs, caller.signal);
    try {
      return await work(signal);
    } catch (thrown) {
      throw toClientError(thrown, signal);
    }
  }

  const discard = async (request: ApiRequest) => (await sendRequest(endpoint, request)).body?.cancel();

  const get = <Schema extends z.ZodType>(caller: CallOptions, path: string, schema: Schema) =>
    call(caller, (signal) =>
      requestJson(endpoint, { method: 'GET', path: `/api/v1/${path}`, signal }, schema),
    );
  const listItems = (list: ListItemsOptions = {}) => get(list, `items${listQuery(list)}`, itemPageSchema);

  return {
    listItems,
    listTasks: (list = {}) => get(list, `tasks${listQuery(list)}`, taskPageSchema),
    listDecisions: (list = {}) => get(list, `decisions${listQuery(list)}`, decisionPageSchema),
    listProjects: (caller = {}) => get(caller, 'projects', projectListSchema),
    followItems: (list = {}) => followPages(listItems, list),
    pushItems: (items, caller = {}) => call(caller, (signal) => pushItems(endpoint, items, signal)),
    deleteItem: async (rowKey, caller = {}) => {
      const path = itemPath(rowKey);
      await call(caller, (signal) => discard({ method: 'DELETE', path, signal }));
    },
    ask: (question, caller = {}) =>
      ask(endpoint, question, { stallTimeoutMs: timeoutMs, signal: caller.signal }),
    health: (caller = {}) => call(caller, (signal) => discard({ method: 'GET', path: '/healthz', signal })),
  };
}

/** Checked here because `fetch` quotes a header with a control character, and with it the key, in its error. */
function endpointOf({ url, key, team, fetch: ownFetch }: TeamMemoryClientOptions): Endpoint {
  const parsed = URL.parse(url);
  if (
    parsed === null ||
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

function listQuery({ since, cursor, limit, includeDeleted }: ListItemsOptions): string {
  const query = new URLSearchParams();
  if (since !== undefined) query.set('since', since);
  if (cursor !== undefined) query.set('cursor', cursor);
  if (limit !== undefined) query.set('limit', String(limit));
  if (includeDeleted) query.set('include_deleted', 'true');
  return query.size === 0 ? '' : `?${query}`;
}

/** `.` and `..` cannot be encoded. A URL parser would resolve them to another address. */
function itemPath(rowKey: string): string {
  if (rowKey === '' || rowKey === '.' || rowKey === '..') throw new TypeError('This is not a row_key.');
  return `/api/v1/items/${encodeURIComponent(rowKey)}`;
}

async function* followPages(
  listItems: TeamMemoryClient['listItems'],
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
