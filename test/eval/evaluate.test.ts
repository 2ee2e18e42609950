import type { AnswerEvent } from '@teammemory/client/ask.ts';
import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { EvaluatedService } from './evaluated-service.ts';

const documents = ['a', 'b'].map((id) => ({ id, title: '', text: `text of ${id}` }));

/** A service that finds b before a, and answers from b alone, unless asked about nothing. */
const service = {
  api: {
    async *ask(question: string): AsyncGenerator<AnswerEvent> {
      const found = question !== 'nothing';
      yield { type: 'delta', text: found ? 'It is b. [1]' : 'Nothing.' };
      yield { type: 'sources', sources: found ? [{ row_key: 'row b', title: '', tier: 'team' }] : [] };
    },
  },
  search: async () => ['row b', 'row x', 'row b', 'row a'].map((rowKey) => ({ rowKey, score: 1 })),
} as unknown as EvaluatedService;

const query = (text: string, answers: string[], ...relevant: string[]) => ({
  id: text,
  text,
  answers,
  relevant: new Map(relevant.map((id) => [id, 1])),
});

test('counts what was found, answered and refused, rightly and wrongly', async () => {
  const queries = [
    query('first', ['b'], 'b'),
    query('second', ['a'], 'a'),
    query('nothing', ['a'], 'a'),
    query('off the subject', []),
  ];
  const progress: number[] = [];
  const figures = await evaluate(
    service,
    { documents, queries },
    {
      idOf: (rowKey) => (rowKey === 'row x' ? undefined : rowKey.slice(-1)),
      progress: (n) => progress.push(n),
    },
  );
  // b is at rank 1, a at rank 2, for what is not of the collection and what came before does not count.
  expect(figures.ranking?.service.mrrAt10).toBeCloseTo((1 + 1 / 2 + 1 / 2) / 3, 12);
  expect(figures.answers).toMatchObject({ goldInAnswer: 1 / 3, rightFirstSource: 1 / 3, both: 1 / 3 });
  expect(figures.wronglyRefused).toBeCloseTo(1 / 3, 12);
  expect(figures.rightlyRefused).toBe(0);
  expect(figures.firstDeltaMs.p95).toBeGreaterThanOrEqual(figures.firstDeltaMs.p50);
  expect(progress).toEqual([1, 2, 3, 4]);
});

test('what there was nothing to measure of is left open', async () => {
  const queries = [query('off the subject', [])];
  const figures = await evaluate(
    service,
    { documents, queries },
    { idOf: () => undefined, progress: () => undefined },
  );
  expect(figures).toMatchObject({ ranking: undefined, answers: undefined, wronglyRefused: undefined });
});
