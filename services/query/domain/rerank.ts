import { analyze } from './analyzer.ts';
import { byScore, type ScoredPassage } from './bm25-index.ts';

/** Passages looked at again: the right one is among them in all but a few cases, and 200 cost a few milliseconds. */
export const rerankedPassages = 200;
/** Weights of word pairs and character 4-grams beside BM25, found on a question set of general prose. */
const bigramWeight = 0.25;
const fourGramWeight = 0.15;

/**
 * Orders the best candidates again, by their score plus the weight of what
 * they share with the question: pairs of neighbouring words, and runs of four
 * characters, which see word order and inflections that stems miss. A shared
 * feature weighs its inverse document frequency among the candidates, so the
 * result depends on nothing but them. Candidates after the 200th keep their
 * place, behind the others.
 */
export function rerank(
  question: string,
  candidates: readonly ScoredPassage[],
  numberOf: (term: string) => number | undefined,
): ScoredPassage[] {
  const head = candidates.slice(0, rerankedPassages);
  const bigrams = bigramsOf(analyze(question).map((term) => numberOf(term) ?? -1));
  const fourGrams = new Set<number>();
  forEachFourGram(question, (gram) => fourGrams.add(gram));
  const pairs = sharedWeights(bigrams, head, (hit, found) => forEachBigram(hit.terms, found));
  const runs = sharedWeights(fourGrams, head, (hit, found) => forEachFourGram(hit.passage.text, found));
  const rescored = head.map((hit, index) => ({
    ...hit,
    score: hit.score + bigramWeight * (pairs[index] ?? 0) + fourGramWeight * (runs[index] ?? 0),
  }));
  return [...rescored.sort(byScore), ...candidates.slice(rerankedPassages)];
}

/** For each candidate, the summed inverse document frequency of the wanted features that it has. */
function sharedWeights(
  wanted: ReadonlySet<number>,
  candidates: readonly ScoredPassage[],
  forEachFeature: (candidate: ScoredPassage, visit: (feature: number) => void) => void,
): number[] {
  const frequencies = new Map<number, number>();
  const mayBeWanted = bitmapOf(wanted);
  const shared = candidates.map((candidate) => {
    const found = new Set<number>();
    forEachFeature(candidate, (feature) => {
      if (mayBeWanted[hashOf(feature)] === 1 && wanted.has(feature)) found.add(feature);
    });
    for (const feature of found) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
    return found;
  });
  return shared.map((features) => {
    let weight = 0;
    // In the question's order, so that sums of the same features are the same to the last bit.
    for (const feature of wanted) {
      if (!features.has(feature)) continue;
      const frequency = frequencies.get(feature) ?? 0;
      weight += Math.log(1 + (candidates.length - frequency + 0.5) / (frequency + 0.5));
    }
    return weight;
  });
}

const bitmapBits = 16;

/** Says of most features at once that they are not wanted; asking the set alone takes several times as long. */
function bitmapOf(wanted: ReadonlySet<number>): Uint8Array {
  const bitmap = new Uint8Array(2 ** bitmapBits);
  for (const feature of wanted) bitmap[hashOf(feature)] = 1;
  return bitmap;
}

/** Multiplicative hashing (Knuth, volume 3, 6.4): features that end alike must not fall together. */
function hashOf(feature: number): number {
  return Math.imul(feature, 0x9e3779b1) >>> (32 - bitmapBits);
}

function bigramsOf(numbers: readonly number[]): Set<number> {
  const bigrams = new Set<number>();
  forEachBigram(numbers, (bigram) => bigrams.add(bigram));
  return bigrams;
}

/** Numbers of terms stay far below 2^26, so a pair fits a double exactly. */
function forEachBigram(numbers: ArrayLike<number>, visit: (bigram: number) => void): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const left = numbers[index - 1] ?? -1;
    const right = numbers[index] ?? -1;
    if (left >= 0 && right >= 0) visit(left * 2 ** 26 + right);
  }
}

/** Runs of four characters in lower case, each as 32 bits; anything but letters and digits counts as one blank. */
function forEachFourGram(text: string, visit: (gram: number) => void): void {
  let gram = 0;
  let length = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = foldedCode(text.charCodeAt(index));
    if (code === blank && previous === blank) continue;
    gram = (gram << 8) ^ code;
    previous = code;
    length += 1;
    if (length >= 4) visit(gram);
  }
}

const blank = 32;

function foldedCode(code: number): number {
  if (code >= 128 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return code;
  return code >= 65 && code <= 90 ? code + blank : blank;
}
