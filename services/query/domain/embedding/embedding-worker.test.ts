import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { applyItems } from '../index/index-host.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { EmbeddingFailure } from './embedder.ts';
import { conceptModel, embedderOf, embeddingStoreInMemory, untilAborted } from './embedding.fixture.ts';
import { createEmbeddingWorker, type EmbeddingWorker } from './embedding-worker.ts';

let worker: EmbeddingWorker | undefined;
afterEach(async () => {
  writers.clear();
  await worker?.close();
});

/** Who wrote items, by row key. */
const writers = new Map<string, string>();

async function setUp(teams: Record<string, number>, caps?: { member: number; team: number }) {
  const host = hostInThisThread({ embeds: true });
  for (const [teamId, count] of Object.entries(teams)) {
    const items = Array.from({ length: count }, (_, place) =>
      itemPassages(place + 1, `${teamId} ferry ${place}`),
    );
    await applyItems(host, teamId, items);
  }
  const model = conceptModel(['ferry']);
  const embedder = embedderOf(model, caps);
  const reported: unknown[] = [];
  const embeddings = embeddingStoreInMemory();
  const started = createEmbeddingWorker({
    embeddings,
    embedder,
    host,
    passages: { writersOf: async () => writers },
    report: (failure) => reported.push(failure),
    clock: () => embedder.time.now,
    retryWaits: { firstMs: 1, lastMs: 8 },
  });
  worker = started;
  const left = async (teamId: string) =>
    ((await host.coverage(teamId))?.views.team.passages ?? 0) - (await host.vectors(teamId, 'team'));
  return { model, embedder, embeddings, reported, host, left, wake: started.wake };
}

test('teams take turns, so that a large one does not keep the others waiting', async () => {
  const { model, left, wake } = await setUp({ large: 500, small: 10 });
  wake('large');
  wake('small');
  wake('nobody');
  await eventually('the small team', async () => (await left('small')) === 0);
  await eventually('the large team', async () => (await left('large')) === 0);
  const lastOfSmall = model.calls.findLastIndex(([text]) => text?.includes('small'));
  expect(lastOfSmall).toBeLessThan(model.calls.length / 2);
});

test('what fails is tried again until it works', async () => {
  const { model, left, wake } = await setUp({ team: 3 });
  model.script = async () => {
    if (model.calls.length < 6) throw new EmbeddingFailure('down', { begun: false });
    return undefined;
  };
  wake('team');
  await eventually('the vectors', async () => (await left('team')) === 0);
  expect(model.calls).toHaveLength(6);
});

test('a store that fails is reported, and tried again', async () => {
  const { embeddings, left, reported, wake } = await setUp({ team: 1 });
  const { save } = embeddings;
  embeddings.save = async (...saved) => {
    embeddings.save = save;
    throw new Error(`disk full ${saved.length}`);
  };
  wake('team');
  await eventually('the vectors', async () => (await left('team')) === 0);
  expect(reported).toHaveLength(1);
});

test('a team at its cap waits for the next day, and the others go on', async () => {
  // A call takes a micro-dollar, all that a day allows here.
  const { embedder, host, left, wake } = await setUp({ poor: 1, other: 1 }, { member: 0, team: 1 });
  embedder.time.now = Date.parse('2026-11-21T23:59:59.500Z');
  wake('poor');
  await eventually('the first item', async () => (await left('poor')) === 0);
  await applyItems(host, 'poor', [itemPassages(2, 'More.')]);
  wake('poor');
  wake('other');
  await eventually('the other team', async () => (await left('other')) === 0);
  expect(await left('poor')).toBe(1);
  embedder.time.now += 1_000;
  await eventually('the team to go on by itself', async () => (await left('poor')) === 0);
});

test('a member at their cap waits alone for the next day, while what others wrote goes on', async () => {
  // A call takes a micro-dollar, all that a day allows a member here.
  const { embedder, model, host, left, wake } = await setUp({ team: 1 }, { member: 1, team: 1_000 });
  embedder.time.now = Date.parse('2026-11-21T23:59:59.500Z');
  const guests = Array.from({ length: 100 }, (_, place) => itemPassages(10 + place, `Guest ${place}.`));
  for (const { rowKey } of guests) writers.set(rowKey, 'guest');
  await applyItems(host, 'team', guests.slice(0, 1));
  wake('team');
  await eventually('the first of each', async () => (await left('team')) === 0);
  const others = Array.from({ length: 100 }, (_, place) => itemPassages(200 + place, `Other ${place}.`));
  await applyItems(host, 'team', [...guests.slice(1), ...others]);
  wake('team');
  await eventually('what the others wrote', async () => (await left('team')) === 99);
  expect(model.calls.flat().filter((text) => text.includes('Guest'))).toHaveLength(1);
  const calls = model.calls.length;
  // What waits is left alone, also where it is looked at again.
  await applyItems(host, 'team', [itemPassages(400, 'Newest of all.')]);
  wake('team');
  await eventually('the newest', async () => (await left('team')) === 99);
  expect(model.calls).toHaveLength(calls + 1);

  embedder.time.now += 1_000;
  await eventually('the guest to go on by itself', async () => (await left('team')) < 99);
});

test('vectors of another dimension than the model gives now are made anew', async () => {
  const { host, embedder, left, wake } = await setUp({ team: 2 });
  const work = await host.takeEmbeddingWork('team', { items: 10, passages: 10 });
  const places = work?.passages.map(({ rowKey, seq, ordinal }) => ({ rowKey, seq, ordinal })) ?? [];
  await host.embed(
    'team',
    places.map((place) => ({ place, vector: Float32Array.of(0.6, 0.8) })),
  );
  const dimension = async () => (await host.takeEmbeddingWork('team', { items: 0, passages: 0 }))?.dimension;
  expect(await dimension()).toBe(2);
  await embedder.embed(['a question'], {
    payer: { teamId: 'team' },
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  });
  wake('team');
  await eventually('new vectors', async () => (await left('team')) === 0 && (await dimension()) === 1);
});

test('closing breaks a call off and ends every wait', async () => {
  const { model, wake } = await setUp({ team: 1 });
  const called = Promise.withResolvers<void>();
  model.script = (_, signal) => {
    called.resolve();
    return untilAborted(signal);
  };
  wake('team');
  await called.promise;
  await worker?.close();
  wake('team');
  expect(model.calls).toHaveLength(1);
});
