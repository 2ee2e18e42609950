import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import { EmbeddingFailure } from '../embedding/embedder.ts';
import { conceptModel, embedderOf, embeddingStoreInMemory } from '../embedding/embedding.fixture.ts';
import { createEmbeddingWorker } from '../embedding/embedding-worker.ts';
import { feedItem, passageStoreInMemory } from '../passages/passages.fixture.ts';
import { feedsInMemory } from '../rows/row.fixture.ts';
import { searchOver } from './passage-search.fixture.ts';
import { checkQuestion, createQuestionEmbedder } from './passage-search.ts';

const question = 'When does the boat leave?';

test('questions are embedded only where passages have vectors, and words alone decide where that fails', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'The train may leave.', { rowKey: 'a.md' }));
  feed.push('team', feedItem(0, 'The ferry may leave.', { rowKey: 'b.md' }));
  const host = hostInThisThread({ embeds: true });
  const passages = passageStoreInMemory();
  const model = conceptModel(['ferry', 'boat'], ['train']);
  const embedder = embedderOf(model);
  const worker = createEmbeddingWorker({
    embeddings: embeddingStoreInMemory(),
    host,
    passages,
    report: () => undefined,
    embedder,
    clock: Date.now,
  });
  const embedding = { worker, questions: createQuestionEmbedder({ embedder, clock: Date.now }) };
  const { findPassages } = searchOver({ feed, passages, host, embedding });
  const viewer = { teamId: 'team', tier: 'team', memberId: 'ada' } as const;
  const find = async () => {
    const { signal } = new AbortController();
    const { passages } = await findPassages({ question, limit: 10 }, { viewer, signal });
    return passages[0]?.passage.rowKey;
  };
  expect(await find()).toBe('a.md');
  expect(model.calls.flat()).not.toContain(question);
  await eventually('the vectors', () => host.figures().unembedded === 0);
  expect(await find()).toBe('b.md');
  model.script = async () => {
    throw new EmbeddingFailure('down', { begun: false });
  };
  expect(await find()).toBe('a.md');
  await worker.close();
});

test.for(['?', ' ', 'x'.repeat(4_000), '🙂'.repeat(4_000)])(
  'a question within the limits is taken',
  (question) => {
    expect(checkQuestion(question)).toBe(question);
  },
);

test.for(['', 'x'.repeat(4_001), '🙂'.repeat(4_001), 'x'.repeat(1_000_000)])(
  'a question outside the limits is refused, pointing at it',
  (question) => {
    const refusal = { code: 'invalid_request', violations: [{ pointer: '/q', detail: expect.any(String) }] };
    expect(() => checkQuestion(question)).toThrowError(expect.objectContaining(refusal));
  },
);
