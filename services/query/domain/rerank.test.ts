import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { rerank, rerankedPassages } from './rerank.ts';

const numbers = new Map<string, number>();
const numberOf = (term: string) => numbers.get(term);

function candidate(rowKey: string, text: string, score: number): ScoredPassage {
  const terms = Uint32Array.from(analyze(text), (term) => {
    if (!numbers.has(term)) numbers.set(term, numbers.size);
    return numbers.get(term) ?? 0;
  });
  return { passage: { rowKey, title: '', tier: 'team', ordinal: 0, headings: [], text }, terms, score };
}

const order = (ranked: readonly ScoredPassage[]) => ranked.map(({ passage }) => passage.rowKey);

test('of equal scores the passage with the words side by side comes first', () => {
  const candidates = [
    candidate('apart', 'the limit of a rate is not the write', 1),
    candidate('together', 'a write rate limit is not the end', 1),
  ];
  expect(order(rerank('write rate limit', candidates, numberOf))).toEqual(['together', 'apart']);
});

test('of equal scores the passage with a form of the word comes first that its stem misses', () => {
  const candidates = [
    candidate('another', 'cooking for the summer party', 1),
    candidate('form', 'authentication for the summer party', 1),
  ];
  expect(order(rerank('authenticator party', candidates, numberOf))).toEqual(['form', 'another']);
});

test('a clear lead stays, and what nothing is shared with keeps its score', () => {
  const candidates = [candidate('a', 'alpha beta', 9), candidate('b', 'xyz', 1)];
  expect(rerank('beta gamma', candidates, numberOf).map(({ score }) => score > 9)).toEqual([true, false]);
  expect(rerank('beta gamma', candidates, numberOf)[1]?.score).toBe(1);
});

test('candidates beyond those looked at keep their place behind the others', () => {
  const candidates = Array.from({ length: rerankedPassages + 2 }, (_, index) => {
    return candidate(`p${index}`, index < rerankedPassages ? 'other' : 'blue whale song', 1_000 - index);
  });
  expect(order(rerank('blue whale song', candidates, numberOf))).toEqual(order(candidates));
});

test('no candidates and no words are no trouble', () => {
  expect(rerank('anything', [], numberOf)).toEqual([]);
  const candidates = [candidate('a', 'text', 1)];
  expect(rerank('?!', candidates, numberOf)).toEqual(candidates);
});
