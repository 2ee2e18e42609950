import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { rawHttp, rawRequest } from './support/http/raw-http.ts';
import { expectAcceptedOrRefused } from './support/http/refused-requests.ts';
import { feeds } from './support/privacy/walk-api.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { sharedService } from './support/service/shared-service.ts';

/** More than fit a page. */
const rowsOfEach = 203;
const readRequests = 600;
/** A new connection to the RPC port has room for 32 calls until one of them has authenticated. */
const callsAtOnce = 16;
const timeoutMs = 60_000;
const seed = 20_261_122;

const service = sharedService();
let clients: TeamClients;
beforeAll(async () => {
  clients = await newTeam(service());
  const { slug, team } = clients;
  const numbers = Array.from({ length: rowsOfEach }, (_, index) => index);
  await team.push(...numbers.slice(0, 200).map((index) => item(`${index}.md`)));
  const tasks = numbers.map((index) => `- [ ] Task ${index}\n`).join('');
  await team.push(item('201.md'), item('202.md'), item('tasks.md', tasks));
  await asAdministrator(service(), async (admin) => {
    const create = (index: number) =>
      admin.decisions(slug).create({ title: `Decision ${index}`, audience: 'team' });
    for (let begin = 0; begin < rowsOfEach; begin += callsAtOnce)
      await Promise.all(numbers.slice(begin, begin + callsAtOnce).map(create));
  });
});

describe.each(feeds)('GET /api/v1/%s', (feed) => {
  const get = (query: string) => clients.team.call(`/${feed}?${query}`);

  test.for([
    ['', 50],
    ['limit=1', 1],
    ['limit=0001', 1],
    ['limit=199', 199],
    ['limit=200', 200],
    ['limit=201', 200],
    ['limit=2147483648', 200],
    [`limit=${'9'.repeat(400)}`, 200],
    ['limit=2&include_deleted=false', 2],
    ['cursor=&limit=3', 3],
    ['since=1970-01-01&limit=3', 3],
    ['since=1969-12-31T23:59:59.999-23:59&limit=3', 3],
    ['since=9999-12-31T23:59:59.999Z', 0],
    ['limit%5B%5D=1&limit[]=2&a[]=b&__proto__=c&%00=d&=e&limit=4', 4],
    ['&&&limit=5&', 5],
  ] as const)('%s gives a page of %i', async ([query, rows]) => {
    const { status, body } = await get(query);
    expect([status, body[feed]?.length]).toEqual([200, rows]);
  });

  const notLimits = [
    ...['0', '00', '-1', '-0', '1.5', '1.0', '1e3', '1e400', 'NaN', 'Infinity', '0x10', '1_000', '١٢', '１'],
    ...['+1', ' 1', '1 ', '1\u0000', '\u0000', '1\n', '', 'true', '[]', '1,2', '½', '\u{1f989}'],
  ];
  test.for([
    ...notLimits.map((value) => [`limit=${encodeURIComponent(value)}`, '/limit']),
    ['limit=1&limit=1', '/limit'],
    ['limit', '/limit'],
    ['limit=%31%', '/limit'],
    ...['', 'now', '2026-02-30', '1700000000', '2026-01-01T25:00Z', '%00', 'NaN', '9'.repeat(5_000)].map(
      (value) => [`since=${value}`, '/since'],
    ),
    ['since=2026-01-01&since=2026-01-01', '/since'],
    ['cursor=a&cursor=a', '/cursor'],
    ...['', '1', 'TRUE', 'yes', '%00', 'true%20'].map((value) => [
      `include_deleted=${value}`,
      '/include_deleted',
    ]),
    ['include_deleted=true&include_deleted=true', '/include_deleted'],
    ['since=x&limit=0&include_deleted=x', '/since', '/limit', '/include_deleted'],
  ] as [string, ...string[]][])('%s is a 422 that says where', async ([query, ...pointers]) => {
    const { status, body } = await get(query);
    const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
    expect({ status, body }).toEqual({ status: 422, body: { ...problem('invalid_request'), errors } });
  });

  test.for(['abc', '%00', '%ff', '\u{1f989}', 'a'.repeat(5_000), '../..', '1', '[]', 'null', '%20'])(
    'cursor=%s was not issued here',
    async (cursor) => {
      const { status, body } = await get(`cursor=${cursor}`);
      const errors = [{ pointer: '/cursor', detail: expect.stringMatching(/\S/) }];
      expect({ status, body }).toEqual({ status: 422, body: { ...problem('invalid_cursor'), errors } });
    },
  );

  test('a cursor that was changed in any place is a 422, and as it was it still works', async () => {
    const { next_cursor } = (await get('limit=1')).body;
    for (let place = 0; place < next_cursor.length; place += 1) {
      const other = next_cursor[place] === 'A' ? 'B' : 'A';
      const { status, body } = await get(
        `cursor=${next_cursor.slice(0, place)}${other}${next_cursor.slice(place + 1)}`,
      );
      expect([place, status, body.code]).toEqual([place, 422, 'invalid_cursor']);
    }
    for (const cursor of [next_cursor.slice(0, -1), `${next_cursor}A`, next_cursor.repeat(2)]) {
      expect((await get(`cursor=${cursor}`)).body.code).toBe('invalid_cursor');
    }
    expect((await get(`cursor=${next_cursor}&limit=1`)).status).toBe(200);
  });

  test('bytes that are no text are an answer, not a fault', async () => {
    const { slug, teamKey } = clients;
    for (const bytes of ['limit=\xff', 'since=%c3%28', 'cursor=\xc3', '\xff=1', 'limit=%', '%=%']) {
      const line = `GET /api/v1/${feed}?${bytes} HTTP/1.1`;
      const headers = [`Authorization: Bearer ${teamKey}`, `X-Svc-Team: ${slug}`];
      const { status } = await rawHttp(service().url, rawRequest(line, ...headers));
      expect([bytes, [200, 400, 422].includes(status)]).toEqual([bytes, true]);
    }
  });
});

test('GET /api/v1/projects has no parameters: whatever is sent for some is ignored', async () => {
  for (const query of [
    'limit=0',
    'since=x&cursor=x',
    'page_token=%00',
    'a[]=1&a[]=2',
    '%ff=%',
    `q=${'x'.repeat(5_000)}`,
  ]) {
    const { status, body } = await clients.team.call(`/projects?${query}`);
    expect({ status, body }).toEqual({ status: 200, body: { projects: [] } });
  }
});

test('no odd path, parameter or header of a GET or DELETE is a fault of ours, and none changes a row', {
  timeout: timeoutMs,
}, async () => {
  const newest = () => Promise.all(feeds.map(async (feed) => (await newestRow(feed)).updated_at));
  const before = await newest();
  const random = seededRandom(seed);
  for (let index = 0; index < readRequests; index += 1) {
    const { path, options } = oddRequest(random);
    expectAcceptedOrRefused(await clients.team.call(path, options), `${path} ${JSON.stringify(options)}`);
  }
  expect(await newest()).toEqual(before);
  expect(service().output().stderr).not.toContain('"level":"error"');
});

const oddValues = [
  ...['', '%', '%00', '%ff', '%2e%2e%2f', '1e9', '-1', '0', '1', '200', '201', '__proto__', '2026-02-30'],
  ...['9'.repeat(400), '\u{1f989}', "'", 'a&a=b', '[]', '{}', '%0d%0a', '..%5c', '2026-01-01', 'true', '#'],
];

function oddRequest(random: SeededRandom) {
  const value = () => random.pick(oddValues);
  const parameter = () =>
    random.pick([
      ...['since', 'cursor', 'limit', 'include_deleted', 'limit[]', 'since[a]', '__proto__', ''],
      ...['status', 'owner', 'project', 'due_by'],
    ]);
  const header = random.pick([
    'x-request-id',
    'x-svc-team',
    'authorization',
    'accept',
    'range',
    'if-none-match',
    'content-type',
  ]);
  const headers = random.chance(0.3) ? { [header]: encodeURI(value()) } : {};
  if (random.chance(0.3)) {
    // Behind a name that no row has, so that nothing is removed.
    const name = `absent-${value()}${random.pick(['', '/', '?'])}${value()}`;
    const list = random.pick(['items', 'tasks', 'decisions']);
    return { path: `/${list}/${name}`, options: { method: list === 'items' ? 'DELETE' : 'GET', headers } };
  }
  const parameters = Array.from({ length: 1 + random.integerBelow(4) }, () => `${parameter()}=${value()}`);
  return { path: `/${random.pick([...feeds, 'projects'])}?${parameters.join('&')}`, options: { headers } };
}

async function newestRow(feed: string) {
  let page = (await clients.team.call(`/${feed}?limit=200&include_deleted=true`)).body;
  while (page.has_more) {
    page = (await clients.team.call(`/${feed}?limit=200&include_deleted=true&cursor=${page.next_cursor}`))
      .body;
  }
  return page[feed].at(-1);
}
