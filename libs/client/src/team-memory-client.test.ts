import { describe, expect, it } from 'vitest';
import type { NewItem } from './item.ts';
import { createTeamMemoryClient } from './team-memory-client.ts';
import { clientFor, readJson, sendJson, serve } from './testing/serve.fixture.ts';

const item: NewItem = { row_key: 'a.md', content: 'A', frontmatter: {}, tier: 'team', checksum: 'sha256:00' };
const row = { ...item, title: 'A', updated_at: '2026-11-21T06:27:00.123Z', updated_by: 'ada' };

describe('pushItems', () => {
  it('sends key, team and items, and returns the counts', async () => {
    const client = await clientFor(async (request, response) => {
      expect(request.headers).toMatchObject({ authorization: 'Bearer tms_id_secret', 'x-svc-team': 'demo' });
      expect(await readJson(request)).toEqual({ items: [item] });
      sendJson(response, 200, { accepted: 1, rejected: 0, errors: [], later_field: true });
    });
    expect(await client.pushItems([item])).toMatchObject({ accepted: 1, rejected: 0, errors: [] });
  });

  it('sends a base of null and the front matter as its author wrote it', async () => {
    const created = { ...item, base_checksum: null, frontmatter_text: 'ver: 1.10' };
    const client = await clientFor(async (request, response) => {
      expect(await readJson(request)).toEqual({ items: [created] });
      sendJson(response, 200, { accepted: 1, rejected: 0, errors: [] });
    });
    await client.pushItems([created]);
  });

  it('returns a 422 that carries counts as a result', async () => {
    const errors = [
      { index: 0, row_key: 'a.md', code: 'admin_tier', detail: 'Private content stays private.' },
    ];
    const problem = {
      code: 'admin_tier',
      detail: 'Some items are private.',
      accepted: 2,
      rejected: 1,
      errors,
    };
    const client = await clientFor((_, response) => sendJson(response, 422, problem));
    expect(await client.pushItems([item])).toMatchObject({ accepted: 2, rejected: 1, errors });
  });

  it('throws a 422 without counts, with the fields refused', async () => {
    const errors = [{ pointer: '/items', detail: 'at most 200' }];
    const problem = {
      code: 'invalid_request',
      detail: 'The request is not valid.',
      request_id: 'r-1',
      errors,
    };
    const client = await clientFor((_, response) => sendJson(response, 422, problem));
    await expect(client.pushItems([item])).rejects.toMatchObject({
      name: 'ProblemError',
      status: 422,
      code: 'invalid_request',
      requestId: 'r-1',
      errors,
    });
  });

  it('tells from a 429 how long to wait and what the limit allows', async () => {
    const problem = { code: 'rate_limited', detail: 'Too many writes.' };
    const client = await clientFor((_, response) =>
      sendJson(response, 429, problem, { 'retry-after': '17', 'ratelimit-policy': '"writes";q=20;w=60' }),
    );
    await expect(client.pushItems([item])).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 17,
      quota: 20,
    });
  });
});

describe('listItems and followItems', () => {
  it('follows cursors to the last page and keeps unknown fields and a front matter key named __proto__', async () => {
    const asked: (string | undefined)[] = [];
    const frontmatter = '{"__proto__":{"polluted":true},"a.b":1}';
    const client = await clientFor((request, response) => {
      asked.push(request.url);
      const last = request.url?.includes('cursor=c1');
      const rows = last
        ? '{"row_key":"b.md","updated_at":"2026-11-21T06:27:01.000Z","deleted":true}'
        : JSON.stringify({ ...row, later_field: 1 }).replace(
            '"frontmatter":{}',
            `"frontmatter":${frontmatter}`,
          );
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"items":[${rows}],"next_cursor":"${last ? 'c2' : 'c1'}","has_more":${!last}}`);
    });
    const pages = await Array.fromAsync(client.followItems({ limit: 1, includeDeleted: true }));
    expect(asked).toEqual([
      '/api/v1/items?limit=1&include_deleted=true',
      '/api/v1/items?cursor=c1&limit=1&include_deleted=true',
    ]);
    const [first, second] = pages.map((page) => page.items[0]);
    expect(JSON.stringify(first)).toContain(frontmatter);
    expect(first).toMatchObject({ later_field: 1 });
    expect(second).toMatchObject({ row_key: 'b.md', deleted: true });
    expect(pages.at(-1)?.next_cursor).toBe('c2');
  });

  it('stops at a list that does not advance', async () => {
    const page = { items: [], next_cursor: 'c1', has_more: true };
    const client = await clientFor((_, response) => sendJson(response, 200, page));
    await expect(Array.fromAsync(client.followItems())).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('refuses an answer of another shape', async () => {
    const client = await clientFor((_, response) => sendJson(response, 200, { items: 'none' }));
    await expect(client.listItems()).rejects.toMatchObject({
      name: 'TransportError',
      code: 'invalid_answer',
    });
  });
});

describe('items, tasks and decisions', () => {
  it('yield the rows of all pages one by one, and ask for no page before it is needed', async () => {
    const asked: (string | undefined)[] = [];
    const lists: Record<string, object> = {
      items: row,
      tasks: { task_id: 't', updated_at: row.updated_at, deleted: true },
      decisions: { decision_id: 'd', updated_at: row.updated_at, deleted: true },
    };
    const client = await clientFor((request, response) => {
      asked.push(request.url);
      const list = request.url?.split('/')[3]?.split('?')[0] ?? '';
      const more = !request.url?.includes('cursor=c2');
      const next = request.url?.includes('cursor=c1') ? 'c2' : 'c1';
      const rows = [lists[list], lists[list]];
      sendJson(response, 200, { [list]: rows, next_cursor: more ? next : 'c3', has_more: more });
    });
    const items = client.items({ limit: 2 });
    await items.next();
    expect(asked).toEqual(['/api/v1/items?limit=2']);
    await items.return(undefined);
    expect(asked).toHaveLength(1);
    expect(await Array.fromAsync(client.items())).toHaveLength(6);
    expect(await Array.fromAsync(client.tasks({ includeDeleted: true }))).toHaveLength(6);
    expect(await Array.fromAsync(client.decisions())).toHaveLength(6);
    expect(asked.slice(-2)).toEqual(['/api/v1/decisions?cursor=c1', '/api/v1/decisions?cursor=c2']);
  });
});

describe('prefix and view', () => {
  it('asks for one folder without contents, on every page', async () => {
    const asked: (string | undefined)[] = [];
    const { content: _content, frontmatter: _frontmatter, ...summary } = row;
    const client = await clientFor((request, response) => {
      asked.push(request.url);
      const more = asked.length === 1;
      sendJson(response, 200, { items: [summary], next_cursor: `c${asked.length}`, has_more: more });
    });
    const pages = await Array.fromAsync(client.followItems({ prefix: 'projects/p 1/', view: 'summary' }));
    expect(asked).toEqual([
      '/api/v1/items?prefix=projects%2Fp+1%2F&view=summary',
      '/api/v1/items?cursor=c1&prefix=projects%2Fp+1%2F&view=summary',
    ]);
    expect(pages[0]?.items[0]).toMatchObject({ row_key: 'a.md', checksum: 'sha256:00' });
  });

  it('refuses a page without contents where contents were asked for', async () => {
    const { content: _content, ...summary } = row;
    const page = { items: [summary], next_cursor: 'c1', has_more: false };
    const client = await clientFor((_, response) => sendJson(response, 200, page));
    await expect(client.listItems()).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});

describe('one item and its versions', () => {
  const version = { ...row, revision: 2, frontmatter_text: 'ver: 1.10' };

  it('reads an item as its author wrote it', async () => {
    const client = await clientFor((request, response) => {
      expect(`${request.method} ${request.url}`).toBe('GET /api/v1/items/a%2Fb.md');
      sendJson(response, 200, { ...row, frontmatter_text: 'ver: 1.10' });
    });
    expect(await client.getItem('a/b.md')).toMatchObject({ content: 'A', frontmatter_text: 'ver: 1.10' });
  });

  it('lists versions, also one that removed the item, page by page', async () => {
    const { content: _content, ...listed } = version;
    const removal = { revision: 3, updated_at: row.updated_at, updated_by: 'ben', deleted: true };
    const client = await clientFor((request, response) => {
      expect(request.url).toBe('/api/v1/items/a.md/versions?cursor=c1&limit=2');
      sendJson(response, 200, { versions: [removal, listed], next_cursor: null, has_more: false });
    });
    const { versions } = await client.listItemVersions('a.md', { cursor: 'c1', limit: 2 });
    expect(versions).toMatchObject([{ deleted: true }, { revision: 2, checksum: 'sha256:00', tier: 'team' }]);
  });

  it('reads one version whole', async () => {
    const client = await clientFor((request, response) => {
      expect(request.url).toBe('/api/v1/items/a.md/versions/2');
      sendJson(response, 200, version);
    });
    expect(await client.getItemVersion('a.md', 2)).toMatchObject({ revision: 2, content: 'A' });
  });

  it('tells that an item is not there', async () => {
    const problem = { code: 'not_found', detail: 'There is no such item.' };
    const client = await clientFor((_, response) => sendJson(response, 404, problem));
    await expect(client.getItem('a.md')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('pushScan and pushSnapshot', () => {
  it('send what was measured and return what is stored', async () => {
    const ids = { codebase_id: 'c', metrics_id: 'm', contributions: 0, issues: 0 };
    const axes = { verification: 1, context_hygiene: 1, autonomy: 1, learning: 1, cost_governance: 1 };
    const placed = { snapshot_id: 's', member_id: 'm', canonical: { spine: 'L1', axes } };
    const seen: unknown[] = [];
    const client = await clientFor(async (request, response) => {
      seen.push(`${request.method} ${request.url}`, await readJson(request));
      sendJson(response, 200, { status: 'ok', ...(request.url === '/api/v1/metrics' ? placed : ids) });
    });
    const snapshot = {
      metric: 'aem-individual' as const,
      date: '2026-11-21',
      window_days: 1,
      signals: { error_rate: 0.1 },
      sessions: 1,
      tasks: 2,
    };
    expect(await client.pushSnapshot(snapshot)).toMatchObject(placed);
    const scan = {
      codebase: { slug: 'a', full_name: 'o/a', provider: 'github' },
      metrics: {
        head_sha: 'abc',
        has_assistant_md: true,
        has_agents_md: false,
        skills_count: 1,
        commands_count: 0,
        readiness_level: 'L2',
        readiness_pct: 40,
        readiness_rubric_version: '1',
        readiness_pillars: { tests: { passed: 1, total: 2 } },
      },
    };
    expect(await client.pushScan(scan)).toMatchObject(ids);
    expect(seen).toEqual(['POST /api/v1/metrics', snapshot, 'POST /api/v1/codebases', scan]);
  });
});

describe('whoami', () => {
  it('tells what the key is, with fields of a later service', async () => {
    const answer = {
      team: 'demo',
      member: 'ada',
      tier: 'team',
      access: 'own',
      key_id: 'k1',
      expires_at: null,
      item_writes_per_minute: 60,
      later_field: 1,
    };
    const client = await clientFor((request, response) => {
      expect(request.url).toBe('/api/v1/whoami');
      sendJson(response, 200, answer);
    });
    expect(await client.whoami()).toEqual(answer);
  });
});

describe('createSignInLink', () => {
  it('returns the token of the link, which a browser uses once', async () => {
    const answer = { sign_in_token: 'tmsl_id_secret', expires_at: '2026-11-21T06:29:00.123Z' };
    const client = await clientFor((request, response) => {
      expect([request.method, request.url]).toEqual(['POST', '/api/v1/sign-in-links']);
      sendJson(response, 201, answer);
    });
    expect(await client.createSignInLink()).toEqual(answer);
  });
});

describe('deleteItem', () => {
  it('removes one version only, and tells which one the service has', async () => {
    const client = await clientFor((request, response) => {
      expect(request.url).toBe('/api/v1/items/a.md?base_checksum=sha256%3A00');
      sendJson(response, 409, { code: 'conflict', detail: 'Changed.', current_checksum: 'sha256:11' });
    });
    await expect(client.deleteItem('a.md', { baseChecksum: 'sha256:00' })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      currentChecksum: 'sha256:11',
    });
  });

  it('addresses a row_key with slashes, spaces and percent signs as one path segment', async () => {
    const client = await clientFor((request, response) => {
      expect(`${request.method} ${request.url}`).toBe('DELETE /api/v1/items/a%20b%2F100%25%3F.md');
      response.writeHead(204).end();
    });
    await client.deleteItem('a b/100%?.md');
  });

  it('refuses a row_key that a URL would resolve to another address', async () => {
    const client = await clientFor((_, response) => response.end());
    await expect(client.deleteItem('..')).rejects.toThrow(TypeError);
  });
});

describe('every call', () => {
  it('ends at its deadline when the service says nothing', async () => {
    const client = await clientFor(() => undefined, 50);
    await expect(client.health()).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('ends when its caller cancels', async () => {
    const stop = new AbortController();
    const client = await clientFor(() => stop.abort());
    await expect(client.health({ signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('says so when nothing listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const client = createTeamMemoryClient({
      url: server.url,
      key: 'tms_id_secret',
      team: 'demo',
      retries: 0,
    });
    await expect(client.health()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('does not follow a redirect with its key', async () => {
    const client = await clientFor((_, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    await expect(client.health()).rejects.toMatchObject({ status: 307, code: 'unknown' });
  });

  it('survives a problem that is a page of HTML', async () => {
    const client = await clientFor((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    await expect(client.health()).rejects.toMatchObject({ status: 502, code: 'unknown' });
  });

  it('never quotes a malformed key', () => {
    const broken = { url: 'http://127.0.0.1:1', key: 'tms_secret\n', team: 'demo' };
    expect(() => createTeamMemoryClient(broken)).toThrow(/^(?!.*tms_secret).*$/s);
  });
});
