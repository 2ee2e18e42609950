import type { Language } from '../text/languages.ts';
import { otherTerm } from '../words/vocabulary.ts';

/** A term of a view that may stand for a word of a question. */
export interface TermInView {
  text: string;
  /** Stands for it in `ScoredPassage.terms`; none of these where the view does not have the term. */
  number: number;
  /** How far a passage that has it has what was asked for, above 0 to 1: 1 for the asker's own word. */
  trust: number;
}

/** A word that a question asks for, as one view knows it. */
export interface WantedTerm extends TermInView {
  /** How telling it is in this view, above 0. */
  weight: number;
  /** How rare it is in general texts of the question's language, above 0 to 1. */
  rarity: number;
  /** The term of the question that it is, or stands for. */
  asked: string;
  /** Other terms that meet it as well, each as far as it is trusted: the same word in other languages, other words for the same. */
  alternatives: readonly TermInView[];
}

/** A question as one view knows it; of use only while the view stays as it is. */
export interface WantedTerms {
  /** Language of the question. */
  language: Language;
  /** The numbers of all its words. */
  numbers: ReadonlySet<number>;
  /** The words that say what is wanted, each once. */
  telling: readonly WantedTerm[];
  /** Its pairs of neighbouring words, stop words included. */
  pairs: TermPairs;
  /** The runs of four characters of its telling words. */
  fourGrams: FourGrams;
}

/**
 * How far terms have a wanted word, 0 to 1. `worth` says what a term's number is worth where it is present, 0 where
 * it is not; the best of the word and its alternatives counts, each times its trust.
 */
export function metBy(wanted: WantedTerm, worth: (number: number) => number): number {
  let best = wanted.trust * worth(wanted.number);
  for (const { number, trust } of wanted.alternatives) best = Math.max(best, trust * worth(number));
  return best;
}

/** How far these terms have a wanted word, 0 to 1, however often they have it. */
export function partMet(wanted: WantedTerm, terms: ReadonlySet<number>): number {
  return metBy(wanted, (number) => (terms.has(number) ? 1 : 0));
}

/** Whether one of these terms is a wanted word, or may stand for it. */
export function isMet(wanted: WantedTerm, terms: ReadonlySet<number>): boolean {
  return partMet(wanted, terms) > 0;
}

/** The pairs of neighbours among the terms of a question, each with its place among them, from 0. */
export type TermPairs = ReadonlyMap<number, number>;

const pairBase = otherTerm + 1;

/** The pairs of neighbours in this sequence of numbers of terms. */
export function pairsOf(numbers: ArrayLike<number>): TermPairs {
  const places = new Map<number, number>();
  for (let index = 1; index < numbers.length; index += 1) {
    const pair = pairAt(numbers, index);
    if (!places.has(pair)) places.set(pair, places.size);
  }
  return places;
}

/** Visits the places of the wanted pairs that a sequence has, with repetitions. */
export function forEachPair(
  wanted: TermPairs,
  numbers: ArrayLike<number>,
  visit: (place: number) => void,
): void {
  for (let index = 1; index < numbers.length; index += 1) {
    const place = wanted.get(pairAt(numbers, index));
    if (place !== undefined) visit(place);
  }
}

/** Share of the wanted pairs that a sequence has, 0 to 1. */
export function pairShare(wanted: TermPairs, numbers: ArrayLike<number>): number {
  const found = new Set<number>();
  forEachPair(wanted, numbers, (place) => found.add(place));
  return wanted.size === 0 ? 0 : found.size / wanted.size;
}

function pairAt(numbers: ArrayLike<number>, index: number): number {
  return (numbers[index - 1] ?? 0) * pairBase + (numbers[index] ?? 0);
}

/** The runs of four characters of some words, and where else they occur. */
export interface FourGrams {
  /** How many different runs they have. */
  count: number;
  /** Visits the runs, each by its place from 0 to before `count`, that terms have which are parted by blanks. */
  forEachIn(terms: string, visit: (place: number) => void): void;
}

const runLength = 4;
/** Of the last four characters each has four bits more than the one before it, and what stands before these has none. */
const hashBits = 16;
const nextHash = (hash: number, character: number) =>
  ((hash << (hashBits / runLength)) ^ character) & (2 ** hashBits - 1);

/** The runs of four characters of these words, a blank counting as a character before and after each. */
export function fourGramsOf(words: readonly string[]): FourGrams {
  const placeOf = new Map([...new Set(words.flatMap(runsOf))].map((run, place) => [run, place]));
  /** Few characters end a run, and only where this says that they may is one cut out and looked up. */
  const mayEnd = new Uint8Array(2 ** hashBits);
  for (const run of placeOf.keys()) mayEnd[hashOf(run)] = 1;
  return {
    count: placeOf.size,
    forEachIn(terms, visit) {
      let hash = 0;
      for (let end = 1; end <= terms.length; end += 1) {
        hash = nextHash(hash, terms.charCodeAt(end - 1));
        if (mayEnd[hash] === 0 || end < runLength) continue;
        const place = placeOf.get(terms.slice(end - runLength, end));
        if (place !== undefined) visit(place);
      }
    },
  };
}

function hashOf(run: string): number {
  let hash = 0;
  for (let at = 0; at < run.length; at += 1) hash = nextHash(hash, run.charCodeAt(at));
  return hash;
}

function runsOf(word: string): string[] {
  const padded = ` ${word} `;
  const runs: string[] = [];
  for (let start = 0; start + runLength <= padded.length; start += 1)
    runs.push(padded.slice(start, start + runLength));
  return runs;
}
