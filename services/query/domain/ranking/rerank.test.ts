import { expect, test } from 'vitest';
import { analyze } from '../text/analyzer.ts';
import { questionTerms } from '../text/question-terms.ts';
import { rerank, rerankedPassages, sharedWeights } from './rerank.ts';
import type { RankedPassage } from './scored-passage.ts';
import { fourGramsOf, pairsOf, type WantedTerms } from './wanted-terms.ts';

const words: string[] = [];

function numberOf(term: string): number {
  const number = words.indexOf(term);
  return number < 0 ? words.push(term) - 1 : number;
}

function candidate(rowKey: string, text: string, score: number, relativeLength = 1): RankedPassage {
  const terms = Uint32Array.from(analyze(text), numberOf);
  const place = { rowKey, ordinal: 0, slot: 0 };
  return { ...place, terms, text: ` ${analyze(text).join(' ')} `, headLength: 0, score, relativeLength };
}

function wantedBy(question: string): WantedTerms {
  const { all, telling, language } = questionTerms(question);
  const wanted = (text: string) => ({
    text,
    number: numberOf(text),
    weight: 1,
    rarity: 1,
    trust: 1,
    alternatives: [],
    asked: text,
  });
  return {
    language,
    numbers: new Set(all.map(numberOf)),
    telling: telling.map(wanted),
    pairs: pairsOf(all.map(numberOf)),
    fourGrams: fourGramsOf(telling),
  };
}

const reranked = (question: string, candidates: readonly RankedPassage[]) =>
  rerank(wantedBy(question), candidates);
const order = (ranked: readonly RankedPassage[]) => ranked.map(({ rowKey }) => rowKey);

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

const having =
  (...features: number[]) =>
  (visit: (feature: number) => void) =>
    features.forEach(visit);

test('a feature weighs its inverse document frequency among the candidates, once in each', () => {
  const candidates = [having(0, 0, 1), having(0), having()];
  const often = Math.log(1 + 1.5 / 2.5);
  const rare = Math.log(1 + 2.5 / 1.5);
  expect(sharedWeights(3, candidates)).toEqual([often + rare, often, 0]);
});

test('no features and no candidates weigh nothing', () => {
  expect(sharedWeights(0, [having()])).toEqual([0]);
  expect(sharedWeights(1, [])).toEqual([]);
});
