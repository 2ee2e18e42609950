import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NewItem } from '@teammemory/client/item.ts';
import { readJson, sendJson, serve } from '@teammemory/client/testing/serve.fixture.ts';

interface Row {
  row_key: string;
  revision?: number;
  updated_at: string;
  deleted?: true;
  checksum?: string;
  [field: string]: unknown;
}

/** A service in memory that keeps the item rules of the public API, for tests of the CLI. */
export interface FakeService {
  url: string;
  /** Newest version of every row, in the order of change. */
  rows(): Row[];
  row(rowKey: string): Row | undefined;
  /** Batches that were accepted. */
  batches: NewItem[][];
  /** Stores an item as another client would, whatever its row_key. */
  put(item: Partial<NewItem> & { row_key: string; checksum: string }): void;
  remove(rowKey: string): void;
  /** All versions of a row, oldest first. */
  versions(rowKey: string): Row[];
  /** Answers the next request to this path itself. */
  intercept(path: string, answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

const whoami = {
  team: 'demo',
  member: 'ada',
  tier: 'team',
  access: 'write',
  key_id: 'id',
  expires_at: null,
  item_writes_per_minute: 60,
};

/** Starts the fake service; every page of its list has at most `pageSize` rows. */
export async function startFakeService(pageSize = 2): Promise<FakeService> {
  let feed: Row[] = [];
  const history: Row[] = [];
  let clock = Date.parse('2026-11-21T06:27:00.000Z');
  const interceptors: { path: string; answer: (response: ServerResponse) => void }[] = [];
  const batches: NewItem[][] = [];

  const versions = (rowKey: string) => history.filter(({ row_key }) => row_key === rowKey);
  const append = (row: Omit<Row, 'updated_at'> & { row_key: string }) => {
    clock += 1;
    const at = feed.length;
    feed = [...feed.map((old) => (old.row_key === row.row_key ? { ...old, row_key: '' } : old))];
    const revision = versions(row.row_key).length + 1;
    const stored = { ...row, updated_at: new Date(clock).toISOString() };
    feed[at] = stored;
    history.push({ ...stored, revision });
  };
  const row = (rowKey: string) => feed.findLast((entry) => entry.row_key === rowKey);
  const put: FakeService['put'] = (item) =>
    append({ title: '', content: '', frontmatter: {}, tier: 'team', updated_by: 'ada', ...item });

  function push(items: NewItem[], response: ServerResponse): void {
    const errors = items.flatMap(({ row_key, base_checksum }, index) => {
      const current_checksum = row(row_key)?.checksum ?? null;
      if (base_checksum === undefined || base_checksum === current_checksum) return [];
      return [{ index, row_key, code: 'conflict', detail: 'Others changed it.', current_checksum }];
    });
    const refused = new Set(errors.map(({ index }) => index));
    const accepted = items.filter((_, index) => !refused.has(index));
    for (const { base_checksum: _, ...item } of accepted) {
      const stored = row(item.row_key);
      if (stored?.checksum !== item.checksum || stored.tier !== item.tier) put(item);
    }
    batches.push(accepted);
    const counts = { accepted: accepted.length, rejected: errors.length, errors };
    if (accepted.length > 0) sendJson(response, 200, counts);
    else sendJson(response, 422, { code: 'invalid_request', detail: 'Nothing was accepted.', ...counts });
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const cursor = query.get('cursor') ?? 'c0';
    if (!/^c\d+$/.test(cursor)) {
      sendJson(response, 422, { code: 'invalid_cursor', detail: 'Not a cursor of this list.' });
      return;
    }
    const start = Number(cursor.slice(1));
    const end = Math.min(start + pageSize, feed.length);
    const items = feed.slice(start, end).filter(({ row_key }) => row_key !== '');
    sendJson(response, 200, { items, next_cursor: `c${end}`, has_more: end < feed.length });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
    const hasBody = request.headers['content-type'] === 'application/json';
    const body = hasBody ? await readJson(request) : undefined;
    const index = interceptors.findIndex(({ path }) => path === pathname);
    if (index !== -1) return interceptors.splice(index, 1)[0]?.answer(response);
    if (request.headers.authorization !== 'Bearer tms_id_secret') {
      return sendJson(response, 401, {
        code: 'invalid_key',
        detail: 'The key is not valid.',
        request_id: 'r-1',
      });
    }
    if (request.method === 'POST' && pathname === '/api/v1/items') {
      return push((body as { items: NewItem[] }).items, response);
    }
    if (pathname === '/api/v1/whoami') return sendJson(response, 200, whoami);
    const [, name, ofVersions, revision] =
      /^\/api\/v1\/items\/([^/]+)(\/versions(?:\/(\d+))?)?$/.exec(pathname) ?? [];
    if (name === undefined) return list(searchParams, response);
    const rowKey = decodeURIComponent(name);
    if (request.method === 'DELETE') {
      remove(rowKey, searchParams.get('base_checksum'), response);
      if (searchParams.get('erase') === 'true' && response.statusCode === 204) forget(rowKey);
      return;
    }
    const kept = versions(rowKey);
    if (ofVersions !== undefined && revision === undefined) {
      return sendJson(response, 200, { versions: kept.toReversed(), next_cursor: null, has_more: false });
    }
    const found = revision === undefined ? row(rowKey) : kept[Number(revision) - 1];
    if (found === undefined || (revision === undefined && found.deleted)) return notFound(response);
    return sendJson(response, 200, found);
  }

  function forget(rowKey: string): void {
    const last = versions(rowKey).at(-1);
    for (let at = history.length - 1; at >= 0; at -= 1)
      if (history[at]?.row_key === rowKey && history[at] !== last) history.splice(at, 1);
  }

  function remove(rowKey: string, base: string | null, response: ServerResponse): void {
    const stored = row(rowKey);
    if (stored === undefined) {
      notFound(response);
      return;
    }
    if (base !== null && !stored.deleted && stored.checksum !== base) {
      const problem = { code: 'conflict', detail: 'Others changed it.', current_checksum: stored.checksum };
      sendJson(response, 409, problem);
      return;
    }
    if (!stored.deleted) append({ row_key: rowKey, deleted: true });
    response.writeHead(204).end();
  }

  const notFound = (response: ServerResponse) =>
    sendJson(response, 404, { code: 'not_found', detail: 'There is no such item.' });

  const server = await serve((request, response) => void handle(request, response));
  return {
    ...server,
    batches,
    rows: () => feed.filter(({ row_key }) => row_key !== ''),
    row,
    versions,
    put,
    remove: (rowKey) => append({ row_key: rowKey, deleted: true }),
    intercept: (path, answer) => interceptors.push({ path, answer }),
  };
}
