import { createContextValues } from '@connectrpc/connect';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { serveQueries } from '../server/query-server.fixture.ts';
import { startServerProcess } from '../server/server-process.fixture.ts';
import { affinityKey } from './network-transport.ts';
import { codeOf, connectTo, readStream, whoAnswers } from './query-client.fixture.ts';

test('processes take calls by turns', async () => {
  const { query } = connectTo([(await serveQueries('a')).url, (await serveQueries('b')).url]);
  const answers = [];
  for (let call = 0; call < 6; call += 1) answers.push(await whoAnswers(query));
  expect(answers.toSorted().join('')).toBe('aaabbb');
});

test('calls with the same affinity go to one process, and those of a process that is gone to the others', async () => {
  const [a, b] = [await startServerProcess('a'), await serveQueries('b')];
  const { query } = connectTo([a.url, b.url]);
  const teams = Array.from({ length: 40 }, (_, team) => `team ${team}`);
  const places = async () => {
    const ask = (team: string) =>
      whoAnswers(query, { contextValues: createContextValues().set(affinityKey, team) });
    return Promise.all(teams.map(ask));
  };
  const before = await places();
  expect(await places()).toEqual(before);
  expect(new Set(before).size).toBe(2);
  await a.end('SIGKILL');
  expect(new Set(await places())).toEqual(new Set(['b']));
});

test('calls above what a process may have under way are refused at once', { timeout: 40_000 }, async () => {
  const { url, count } = await serveQueries('a');
  const { query } = connectTo([url]);
  const cancel = new AbortController();
  const held = Array.from({ length: 2_000 }, () => codeOf(query.search({ question: 'hang' }, cancel)));
  await eventually('all under way', () => count.hanging === 2_000, { withinMs: 30_000 });
  expect(await codeOf(query.search({}))).toBe('unavailable');
  expect(await readStream(query, 'q')).toEqual(['a']);
  cancel.abort();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
  await eventually('room again', async () => (await codeOf(query.search({}))) === 'ok');
});

test('4,000 streams that are cancelled at once hurt no other call', { timeout: 60_000 }, async () => {
  const { url, count } = await serveQueries('a');
  const { query } = connectTo([url]);
  const cancel = new AbortController();
  const held = Array.from({ length: 4_000 }, () => codeOf(readStream(query, 'hang', cancel)));
  await eventually('all under way', () => count.hanging === 4_000, { withinMs: 40_000 });
  const bystander = new AbortController();
  const patient = codeOf(readStream(query, 'hang', bystander));
  await eventually('one more', () => count.hanging === 4_001);
  cancel.abort();
  const innocent = Array.from({ length: 20 }, () => readStream(query, 'q'));
  expect(await Promise.all(innocent)).toEqual(innocent.map(() => ['a']));
  expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
  await eventually('the end of their work', () => count.hanging === 1);
  bystander.abort();
  expect(await patient).toBe('cancelled');
});

test('2,000 streams that are cancelled while their process is busy hurt no other call', async () => {
  const a = await startServerProcess('a');
  const metrics = createMetrics();
  const { query } = connectTo([a.url], { metrics });
  const answer = await readStream(query, 'q');
  a.freeze();
  for (let wave = 0; wave < 4; wave += 1) {
    const cancel = new AbortController();
    const held = Array.from({ length: 500 }, () => codeOf(readStream(query, 'hang', cancel)));
    const sent = /^teammemory_rpc_client_calls_in_flight\{.*\} 500$/m;
    await eventually('all sent', async () => sent.test(await metrics.registry.metrics()));
    cancel.abort();
    expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
  }
  const innocent = Array.from({ length: 20 }, () => readStream(query, 'q'));
  a.thaw();
  expect(await Promise.all(innocent)).toEqual(innocent.map(() => answer));
});

test('a page of many megabytes does not keep streams of the same process waiting', async () => {
  const { url } = await serveQueries('é'.repeat(8_000_000));
  const { query } = connectTo([url]);
  const [page, stream] = await Promise.all([whoAnswers(query), readStream(query, 'q')]);
  expect([page.length, stream.join('').length]).toEqual([8_000_000, 8_000_000]);
});

test('calls under way when the transport is closed fail as unavailable', async () => {
  const { url, count } = await serveQueries('a');
  const { query, content, transport } = connectTo([url]);
  const calls = [codeOf(query.search({ question: 'hang' })), codeOf(readStream(query, 'hang'))];
  await eventually('both under way', () => count.hanging === 2);
  await transport.close();
  expect(await Promise.all(calls)).toEqual(['unavailable', 'unavailable']);
  expect(await codeOf(content.createDecision({}))).toBe('unavailable');
});

test.skipIf(!canMakeCertificates)(
  'with TLS both sides must show a certificate of the authority',
  async () => {
    const [ours, foreign] = [await makeCertificates(), await makeCertificates()];
    const { url } = await serveQueries('a', () => ours.server);
    const { authority } = ours.client;
    expect(await whoAnswers(connectTo([url], { tls: () => ours.client }).query)).toBe('a');
    const wrong = { 'no certificate': { authority }, foreign: { ...foreign.client, authority } };
    for (const tls of [wrong['no certificate'], wrong.foreign, foreign.client, {}]) {
      expect(await codeOf(connectTo([url], { tls: () => tls }).query.search({}))).toBe('unavailable');
    }
    expect(await codeOf(connectTo([url.replace('https:', 'http:')]).query.search({}))).toBe('unavailable');
  },
);
