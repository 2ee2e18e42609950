import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { questionTerms } from './question-terms.ts';
import { rerank, rerankedPassages } from './rerank.ts';

const numbers = new Map<string, number>();
const index = {
  numberOf: (term: string) => numbers.get(term),
  termOf: (number: number) => [...numbers.keys()][number] ?? '',
  termScore: (_term: string, frequency: number) => frequency,
};

function candidate(rowKey: string, text: string, score: number, relativeLength = 1): ScoredPassage {
  const terms = Uint32Array.from(analyze(text), (term) => {
    if (!numbers.has(term)) numbers.set(term, numbers.size);
    return numbers.get(term) ?? 0;
  });
  const passage = { rowKey, title: '', tier: 'team', ordinal: 0, headings: [], text } as const;
  return { passage, terms, score, slot: 0, relativeLength };
}

const reranked = (question: string, candidates: readonly ScoredPassage[]) =>
  rerank(questionTerms(question), candidates, index);
const order = (ranked: readonly ScoredPassage[]) => ranked.map(({ passage }) => passage.rowKey);

test('of equal scores the passage with the words side by side comes first', () => {
  const candidates = [
    candidate('apart', 'limit rate write', 1),
    candidate('together', 'write rate limit', 1),
  ];
  expect(order(reranked('write rate limit', candidates))).toEqual(['together', 'apart']);
});

test('of equal scores the passage with a form of the word comes first that its stem misses', () => {
  const candidates = [
    candidate('another', 'cooking for summer', 1),
    candidate('form', 'reauthenticate for summer', 1),
  ];
  expect(order(reranked('authentication party', candidates))).toEqual(['form', 'another']);
});

test('likeness by chance counts less in a long passage', () => {
  const candidates = [
    candidate('long', 'reauthenticate for summer', 1, 3),
    candidate('short', 'reauthenticate for summer', 1, 0.5),
  ];
  expect(order(reranked('authentication party', candidates))).toEqual(['short', 'long']);
});

test('of equal scores the passage with the stop words comes first too, behind no clear lead', () => {
  const candidates = [
    candidate('without', 'party music', 1),
    candidate('with', 'who party music', 1),
    candidate('lead', 'party', 2),
  ];
  expect(order(reranked('who is at the party', candidates))).toEqual(['lead', 'with', 'without']);
});

test('what nothing is shared with keeps its score', () => {
  const candidates = [candidate('a', 'alpha beta', 9), candidate('b', 'xyz', 1)];
  expect(reranked('beta gamma', candidates).map(({ score }) => score > 9)).toEqual([true, false]);
  expect(reranked('beta gamma', candidates)[1]?.score).toBe(1);
});

test('candidates beyond those looked at keep their place behind the others', () => {
  const candidates = Array.from({ length: rerankedPassages + 2 }, (_, place) => {
    return candidate(`p${place}`, place < rerankedPassages ? 'other' : 'blue whale song', 1_000 - place);
  });
  expect(order(reranked('blue whale song', candidates))).toEqual(order(candidates));
});

test('no candidates and no words are no trouble', () => {
  expect(reranked('anything', [])).toEqual([]);
  const candidates = [candidate('a', 'text', 1)];
  expect(reranked('?!', candidates)).toEqual(candidates);
});
