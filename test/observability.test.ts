import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectedSpan } from '@teammemory/testkit/trace-collector.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api, item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { canary as newWord } from './support/privacy/canaries.ts';
import { causeFailuresWithCanaries, useWithCanaries } from './support/privacy/use-with-canaries.ts';
import { dropTables } from './support/service/drop-tables.ts';
import { modelKey, type ObservedProgram, startObservedProgram } from './support/service/observed-program.ts';

/** Words that were sent, any of which may stand nowhere. */
const words: string[] = [];
const canary = () => {
  const word = newWord();
  words.push(word);
  return word;
};

let program: ObservedProgram;
let clients: TeamClients;
let metrics: string;
const incoming = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', parent: '00f067aa0ba902b7' };

beforeAll(async () => {
  program = await startObservedProgram();
  const { service } = program;
  clients = await newTeam(service);
  const headers = {
    'x-request-id': 'request-of-the-test',
    traceparent: `00-${incoming.trace}-${incoming.parent}-01`,
    tracestate: `vendor=${canary()}`,
  };
  const body = { items: [item('traced.md', `- [ ] ${canary()}`)] };
  await api(service, clients, clients.teamKey, '/api/v1/items', { body, headers });
  await useWithCanaries(program, clients, canary);
  await causeFailuresWithCanaries(program, clients, canary);
  dropTables(service);
  const failing = await clients.team.call('/tasks', { headers: { 'x-request-id': 'request-that-fails' } });
  expect(failing.status).toBe(500);
  await clients.team.push(item(`${canary()}.md`, canary()));
  metrics = await program.metrics();
  // What is left of the spans goes out at the end.
  expect(await service.end()).toBe(0);
});
afterAll(() => program.remove());

const keyId = () => clients.teamKey.split('_')[1] ?? '';
const span = (name: string, trace = incoming.trace): CollectedSpan | undefined =>
  program.collector.spans.find((one) => one.name === name && one.traceId === trace);

describe('what the service tells about itself', () => {
  test('holds no word that a client sent or a model wrote', () => {
    const { stderr, stdout } = program.service.output();
    for (const [place, text] of Object.entries({
      stderr,
      stdout,
      metrics,
      spans: program.collector.text(),
    })) {
      expect(
        words.filter((word) => text.toLowerCase().includes(word)),
        place,
      ).toEqual([]);
      expect(text, place).not.toMatch(/otter|sleep/);
    }
    expect(words.length).toBeGreaterThan(100);
  });

  test('holds no key and no token', () => {
    const { stderr } = program.service.output();
    const secrets = [clients.teamKey, clients.externalKey].map((key) => key.split('_').at(-1) ?? '');
    const text = stderr + metrics + program.collector.text();
    for (const secret of [...secrets, program.service.adminToken, modelKey])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/tms_|Bearer|\beyJ/);
  });

  test('every line of the log about a request says which one and whose', () => {
    const about = { request_id: 'request-of-the-test', key_id: keyId(), team: clients.slug };
    const lines = program.log().filter(({ request_id }) => request_id === about.request_id);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...about, msg: 'answered', route: '/api/v1/items', status: 200 }),
        expect.objectContaining({ ...about, msg: 'answered a call', method: 'PushItems', code: 'ok' }),
      ]),
    );
    // The gateway asks auth whose key it is.
    expect(lines.every((line) => line.key_id === keyId() || line.caller === 'gateway')).toBe(true);
  });

  test('a fault of ours is logged where it happened, with its request, its caller and its cause', () => {
    const line = program
      .log()
      .find(({ level, request_id }) => level === 'error' && request_id === 'request-that-fails');
    expect(line).toMatchObject({ method: 'ListTasks', key_id: keyId(), team: clients.slug });
    expect(line?.err).toMatchObject({ type: 'Error', message: expect.stringContaining('no such table') });
  });

  test('background work that fails is logged with its team', () => {
    const teams = program.log().filter(({ msg }) => msg === 'a feed could not be caught up with');
    expect(teams.map(({ projection }) => projection)).toContain('tasks');
    for (const { team_id } of teams) expect(team_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a trace', () => {
  test('goes on from the caller’s through gateway and service to the store', () => {
    const request = span('POST /api/v1/items');
    expect(request).toMatchObject({ parentSpanId: incoming.parent, service: 'team-memory-all' });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 200, 'key.id': keyId() });
    const all = program.collector.spans.filter(({ traceId }) => traceId === incoming.trace);
    const parentOf = ({ parentSpanId }: CollectedSpan) => all.find(({ spanId }) => spanId === parentSpanId);
    const path = (leaf: CollectedSpan | undefined): string[] =>
      leaf === undefined ? [] : [...path(parentOf(leaf)), leaf.name];
    const push = 'teammemory.content.v1.ContentService/PushItems';
    expect(path(all.find(({ name }) => name === 'sqlite content.sqlite'))).toEqual([
      'POST /api/v1/items',
      push,
      push,
      'sqlite content.sqlite',
    ]);
  });

  test('of an answer holds its stream, the catching up and the model', () => {
    const asked = program.collector.spans.filter(({ name }) => name === 'POST /api/v1/query');
    const [first] = asked.filter(({ attributes }) => attributes['http.response.status_code'] === 200);
    for (const name of ['teammemory.query.v1.QueryService/Ask', 'catch up passages', 'model']) {
      expect(span(name, first?.traceId), name).toBeDefined();
    }
    const end = (one: CollectedSpan | undefined) => BigInt(one?.endTimeUnixNano ?? 0);
    expect(end(first)).toBeGreaterThan(end(span('model', first?.traceId)));
  });

  test('names the team, and says which call failed', () => {
    const failed = program.collector.spans.find(
      ({ name, status }) => name.endsWith('/ListTasks') && status?.code === 2,
    );
    expect(failed?.status?.message).toBe('internal');
    const pushed = program.collector.spans.find(({ attributes }) => attributes['rpc.method'] === 'PushItems');
    expect(pushed?.attributes).toMatchObject({
      'rpc.code': 'ok',
      'team.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe('metrics', () => {
  const samples = () => metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const families = () => [...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  const own = () => families().filter((name) => !/^(process|nodejs)_/.test(name));

  test('each has help, and a line in docs/metrics.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/metrics.md'), 'utf8');
    const documented = [...page.matchAll(/^- `([a-z_]+)`/gm)].map(([, name]) => name);
    expect(documented).toContain('teammemory_mongodb_pool_waiting');
    expect(own().length).toBeGreaterThan(40);
    expect(documented).toEqual(expect.arrayContaining(own()));
    for (const name of own()) {
      expect(metrics).toMatch(new RegExp(`^# HELP ${name} [A-Z0-9].+\\.$`, 'm'));
    }
  });

  test('labels are names of ours: routes, methods, codes and the like', () => {
    const allowed = new Set(
      'le method route status code service event process file projection direction outcome reason encoding tool version'.split(
        ' ',
      ),
    );
    const ours = samples().filter((line) => own().some((name) => line.startsWith(name)));
    const labels = ours.flatMap((line) => [...line.matchAll(/(\w+)="([^"]*)"/g)]);
    expect(labels.length).toBeGreaterThan(100);
    for (const [, name = '', value] of labels) {
      expect(allowed).toContain(name);
      expect(value).toMatch(/^[A-Za-z0-9_./*+:-]{1,64}$/);
    }
    expect(ours.length).toBeLessThan(3_000);
  });

  test('say what was refused and why, what the model did, and how the stores and indexes are', () => {
    const names = [
      'teammemory_http_problems_total{route="/api/v1/items",code="invalid_key"}',
      'teammemory_http_problems_total{route="/api/v1/items",code="team_forbidden"}',
      'teammemory_http_problems_total{route="/api/v1/items",code="rate_limited"}',
      'teammemory_model_call_duration_seconds_count{outcome="ok"}',
      'teammemory_model_call_duration_seconds_count{outcome="failed"}',
      'teammemory_model_cost_usd_total',
      'teammemory_feed_lag_rows_count{projection="passages"}',
      'teammemory_http_request_duration_seconds_count{method="POST",route="/api/v1/query",status="200"}',
      'teammemory_search_index_teams',
      'teammemory_search_index_bytes',
    ];
    for (const name of names) {
      const sample = samples().find((line) => line.startsWith(`${name} `));
      expect(Number(sample?.split(' ').at(-1)), name).toBeGreaterThan(0);
    }
    for (const name of [
      'teammemory_http_change_streams_open',
      'teammemory_http_event_streams_open',
      'teammemory_mcp_tool_calls_total{tool="push",outcome="done"}',
      'teammemory_model_reservations_open',
      'teammemory_sqlite_waiting_writes{file="content.sqlite"}',
    ]) {
      expect(samples()).toContain(`${name} 0`);
    }
  });
});
