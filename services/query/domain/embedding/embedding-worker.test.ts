import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test } from 'vitest';
import { createTeamIndex, type TeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/item.fixture.ts';
import { embedderOf } from './embedder.fixture.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import { conceptModel, untilAborted } from './embedding-model.fixture.ts';
import { embeddingStoreInMemory } from './embedding-store.fixture.ts';
import { createEmbeddingWorker, type EmbeddingWorker } from './embedding-worker.ts';

let worker: EmbeddingWorker | undefined;
afterEach(() => worker?.close());

function setUp(teams: Record<string, number>, caps?: { member: number; team: number }) {
  const indexes = new Map<string, TeamIndex>();
  for (const [teamId, items] of Object.entries(teams)) {
    const index = createTeamIndex();
    for (let seq = 1; seq <= items; seq += 1) index.apply(itemPassages(seq, `${teamId} ferry ${seq}`));
    indexes.set(teamId, index);
  }
  const model = conceptModel(['ferry']);
  const embedder = embedderOf(model, caps);
  const reported: unknown[] = [];
  const embeddings = embeddingStoreInMemory();
  const started = createEmbeddingWorker({
    ...{ embeddings, embedder },
    indexOf: (teamId) => indexes.get(teamId),
    report: (failure) => reported.push(failure),
    clock: () => embedder.time.now,
    retryWaits: { firstMs: 1, lastMs: 8 },
  });
  worker = started;
  const left = (teamId: string) => indexes.get(teamId)?.unembeddedPassages();
  return { model, embedder, embeddings, reported, indexes, left, wake: started.wake };
}

test('teams take turns, so that a large one does not keep the others waiting', async () => {
  const { model, left, wake } = setUp({ large: 500, small: 10 });
  wake('large');
  wake('small');
  wake('nobody');
  await eventually('the small team', () => left('small') === 0);
  await eventually('the large team', () => left('large') === 0);
  const lastOfSmall = model.calls.findLastIndex(([text]) => text?.includes('small'));
  expect(lastOfSmall).toBeLessThan(model.calls.length / 2);
});

test('what fails is tried again until it works', async () => {
  const { model, left, wake } = setUp({ team: 3 });
  model.script = async () => {
    if (model.calls.length < 6) throw new EmbeddingFailure('down', { begun: false });
    return undefined;
  };
  wake('team');
  await eventually('the vectors', () => left('team') === 0);
  expect(model.calls).toHaveLength(6);
});

test('a store that fails is reported, and tried again', async () => {
  const { embeddings, left, reported, wake } = setUp({ team: 1 });
  const { save } = embeddings;
  embeddings.save = async (...saved) => {
    embeddings.save = save;
    throw new Error(`disk full ${saved.length}`);
  };
  wake('team');
  await eventually('the vectors', () => left('team') === 0);
  expect(reported).toHaveLength(1);
});

test('a team at its cap waits for the next day, and the others go on', async () => {
  // A call takes a micro-dollar, all that a day allows here.
  const { embedder, indexes, left, wake } = setUp({ poor: 1, other: 1 }, { member: 0, team: 1 });
  embedder.time.now = Date.parse('2026-11-21T23:59:59.500Z');
  wake('poor');
  await eventually('the first item', () => left('poor') === 0);
  indexes.get('poor')?.apply(itemPassages(2, 'More.'));
  wake('poor');
  wake('other');
  await eventually('the other team', () => left('other') === 0);
  expect(left('poor')).toBe(1);
  embedder.time.now += 1_000;
  await eventually('the team to go on by itself', () => left('poor') === 0);
});

test('vectors of another dimension than the model gives now are made anew', async () => {
  const { indexes, embedder, left, wake } = setUp({ team: 2 });
  const index = indexes.get('team');
  for (const rowKey of ['notes/1.md', 'notes/2.md']) {
    for (const passage of index?.passagesOf(rowKey) ?? []) index?.embed(passage, Float32Array.of(0.6, 0.8));
  }
  while (index?.embeddingBacklog.take() !== undefined);
  await embedder.embed(['a question'], {
    ...{ payer: { teamId: 'team' }, timeoutMs: 5_000 },
    signal: new AbortController().signal,
  });
  wake('team');
  await eventually('new vectors', () => left('team') === 0 && index?.dimension() === 1);
});

test('closing breaks a call off and ends every wait', async () => {
  const { model, wake } = setUp({ team: 1 });
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
