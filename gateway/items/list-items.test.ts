import { setImmediate as nextTurn } from 'node:timers/promises';
import { Code, ConnectError, createRouterTransport, type HandlerContext } from '@connectrpc/connect';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClients } from '../clients.ts';
import { createCompressor } from '../encoding/compress-answers.ts';
import { createPageAnswers } from '../feed/page-answers.ts';
import { createPageCache } from '../feed/page-cache.ts';
import { listItems } from './routes.ts';

const readers = ['blue team', 'blue external', 'green team', 'green external'] as const;
type Reader = (typeof readers)[number];

/** A content service that stores what each reader sees, and pauses before and after it reads. */
function content() {
  const random = seededRandom(1);
  const rows = new Map<string, string[]>();
  const asked = { pages: 0, versions: 0 };
  const state = { answers: async () => {} };
  const rowsOf = ({ requestHeader }: HandlerContext) => rows.get(readerOf(requestHeader)) ?? [];
  async function passTime(): Promise<void> {
    for (let turns = random.integerBelow(4); turns > 0; turns -= 1) await nextTurn();
  }
  const versionOf = (context: HandlerContext) => `v${rowsOf(context).length}`;

  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      async getItemsVersion(_request, context) {
        asked.versions += 1;
        await passTime();
        const version = versionOf(context);
        await passTime();
        await state.answers();
        return { version };
      },
      async listItems({ page }, context) {
        asked.pages += 1;
        if (page?.cursor === 'bad') throw new ConnectError('no', Code.InvalidArgument);
        await passTime();
        const version = versionOf(context);
        await passTime();
        const { since, cursor, limit, includeDeleted } = page ?? {};
        const question = [String(since?.seconds), cursor, limit, includeDeleted];
        const row = { reader: readerOf(context.requestHeader), question, rows: rowsOf(context) };
        await passTime();
        await state.answers();
        const answer = { items: [row], next_cursor: 'next', has_more: false };
        return { page: { answerJson: Buffer.from(JSON.stringify(answer)) }, version };
      },
    });
  });
  const write = (reader: Reader, row: string) => rows.set(reader, [...(rows.get(reader) ?? []), row]);
  return { rows, asked, state, transport, write };
}

const readerOf = (headers: Headers) => headers.get('authorization')?.replace('Bearer ', '') ?? '';

/** The route of one gateway. */
function gateway({ transport }: Pick<ReturnType<typeof content>, 'transport'>) {
  const transports = { analytics: transport, auth: transport, content: transport, query: transport };
  const clients = createClients(transports, {
    tokenFor: async ({ teamId, tier }) => `${teamId} ${tier}`,
  });
  const metrics = createMetrics();
  const pages = createPageCache({ maxBytes: 1_000_000, clock: () => 1, metrics });
  const app = fastify();
  app.addHook('onRequest', async (request) => {
    const [teamId, tier] = String(request.headers['x-reader']).split(' ');
    request.caller = { teamId, tier, keyId: 'k'.repeat(16) } as Caller;
  });
  const answers = createPageAnswers({ metrics });
  app.get('/', listItems({ clients, pages, answers, compressor: createCompressor({ metrics }) }));
  onTestFinished(() => app.close());
  return {
    async get(reader: Reader, query = '') {
      const answer = await app.inject({ url: `/${query}`, headers: { 'x-reader': reader } });
      return { status: answer.statusCode, body: answer.body, page: answer.json().items?.[0] };
    },
    async hits(): Promise<number> {
      const [hits] =
        (await metrics.registry.getSingleMetric('teammemory_page_cache_hits_total')?.get())?.values ?? [];
      return hits?.value ?? 0;
    },
  };
}

test('a page of one team or tier is never sent to another', async () => {
  const service = content();
  const { get, hits } = gateway(service);
  for (const reader of readers) service.write(reader, `of ${reader}`);
  for (let times = 0; times < 3; times += 1) {
    for (const reader of readers) {
      const { page } = await get(reader);
      expect(page).toMatchObject({ reader, rows: [`of ${reader}`] });
    }
  }
  expect(await hits()).toBe(8);
});

test('a page of one team or tier is never sent to another, even if all ask at once after a change that one of them sees', async () => {
  const service = content();
  const { get } = gateway(service);
  const all = [...readers, ...readers, ...readers];
  for (const changed of [undefined, ...readers]) {
    if (changed !== undefined) service.write(changed, 'a.md');
    const answers = await Promise.all(all.map((reader) => get(reader)));
    const seen = answers.map(({ page }) => [page.reader, page.rows]);
    expect(seen).toEqual(all.map((reader) => [reader, service.rows.get(reader) ?? []]));
  }
});

test('each of 200 teams that ask at once gets its page', async () => {
  const { get } = gateway(content());
  const teams = Array.from({ length: 200 }, (_, team) => `team-${team} team` as Reader);
  const answers = await Promise.all(teams.map((reader) => get(reader)));
  expect(answers.map(({ page }) => page.reader)).toEqual(teams);
});

test('a page of one query is never sent for another', async () => {
  const service = content();
  const { get, hits } = gateway(service);
  const queries = [
    '',
    '?since=1970-01-01T00:00:01Z',
    '?since=1970-01-01T00:00:02Z',
    '?cursor=a',
    '?cursor=b',
  ];
  const more = ['?limit=1', '?limit=2', '?include_deleted=true', '?cursor=a&limit=1', '?since=1970-01-01'];
  const first = new Map<string, string>();
  for (const query of [...queries, ...more]) first.set(query, (await get('blue team', query)).body);
  expect(new Set(first.values()).size).toBe(first.size);
  for (const [query, body] of first) expect((await get('blue team', query)).body).toBe(body);
  expect(await hits()).toBe(first.size);
});

test('a page comes from content once while the items of its reader are unchanged, and again after a change', async () => {
  const service = content();
  const { get } = gateway(service);
  for (let times = 0; times < 3; times += 1) await get('blue team');
  service.write('blue external', 'elsewhere');
  await get('blue team');
  expect(service.asked).toEqual({ pages: 1, versions: 3 });
  service.write('blue team', 'a.md');
  expect((await get('blue team')).page.rows).toEqual(['a.md']);
  expect(service.asked.pages).toBe(2);
});

test('a page that content has told to be outdated is requested without another question for its version', async () => {
  const service = content();
  const { get } = gateway(service);
  const queries = ['', '?limit=1', '?limit=2'];
  for (const query of queries) await get('blue team', query);
  service.write('blue team', 'a.md');
  for (const query of queries) expect((await get('blue team', query)).page.rows).toEqual(['a.md']);
  expect(service.asked).toEqual({ pages: 6, versions: 1 });
});

test('a version check that began before the request arrived is not enough', async () => {
  const service = content();
  const { get } = gateway(service);
  await get('blue team');
  const held = Promise.withResolvers<void>();
  service.state.answers = () => held.promise;
  const early = get('blue team');
  await vi.waitUntil(() => service.asked.versions === 1);
  for (let turns = 0; turns < 20; turns += 1) await nextTurn();
  service.write('blue team', 'acknowledged.md');
  const late = [get('blue team'), get('blue team')];
  held.resolve();
  await early;
  for (const answer of late) expect((await answer).page.rows).toEqual(['acknowledged.md']);
});

test('over two gateways every page contains everything that was acknowledged before the request', async () => {
  const service = content();
  const gateways = [gateway(service), gateway(service)] as const;
  const random = seededRandom(2);
  const rowsNow = () => service.rows.get('blue team')?.length ?? 0;
  async function read(): Promise<void> {
    for (let times = 0; times < 60; times += 1) {
      const before = rowsNow();
      const { page } = await random.pick(gateways).get('blue team', random.pick(['', '?limit=7']));
      expect(page.rows.length).toBeGreaterThanOrEqual(before);
      expect(page.rows.length).toBeLessThanOrEqual(rowsNow());
      if (random.chance(0.1)) service.write('blue team', `${times}.md`);
    }
  }
  await Promise.all(Array.from({ length: 8 }, read));
  expect(await gateways[0].hits()).toBeGreaterThan(10);
  expect(await gateways[1].hits()).toBeGreaterThan(10);
});

test('neither a refusal nor the failure of a version check is cached', async () => {
  const service = content();
  const { get } = gateway(service);
  for (let times = 0; times < 2; times += 1) expect((await get('blue team', '?cursor=bad')).status).toBe(500);
  expect(service.asked.pages).toBe(2);
  await get('blue team');
  service.state.answers = () => Promise.reject(new ConnectError('gone', Code.Unavailable));
  expect((await get('blue team')).status).toBe(500);
  service.state.answers = async () => {};
  expect((await get('blue team')).status).toBe(200);
});
