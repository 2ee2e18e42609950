import type { ItemPassages, Passage } from '../passages/passage.ts';
import { termCache } from '../text/analyzer.ts';
import { type Language, languageOf, languageSample, languages } from '../text/languages.ts';
import { note, notesPerTerm } from '../text/term-cache.ts';

/** The terms of a passage, as ids of `termCache`; of use until terms are found again. Its arrays may have more than is told here. */
export interface AnalyzedPassage {
  /** Its different terms. */
  terms: Int32Array;
  termCount: number;
  /** The terms of head (title and headings) and of text, in order, each as its place in `terms`. */
  sequence: Int32Array;
  length: number;
  /** How many of the sequence are of the head. */
  headLength: number;
  /** By place in `terms`: how often the head has it, and the text. */
  inHead: Uint32Array;
  inText: Uint32Array;
}

/** The language that the terms of an item are of. */
export function languageOfItem({ title, passages }: Pick<ItemPassages, 'title' | 'passages'>): Language {
  const texts = [title];
  let length = title.length;
  for (const { headings, text } of passages) {
    if (length >= languageSample) break;
    texts.push(headings.at(-1) ?? '', text);
    length += text.length;
  }
  return languageOf(...texts);
}

/** Used for every passage: arrays of their own would take more time than all else. */
let terms = new Int32Array(0);
let sequence = new Int32Array(0);
let inHead = new Uint32Array(0);
let inText = new Uint32Array(0);
let termCount = 0;

/** Finds the terms of a passage of an item with this title, in the language of the item. */
export function analyzePassage(
  title: string,
  { headings, text }: Passage,
  language: Language = 'en',
): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  return analyzedTexts([title, ...headings.filter((heading) => heading !== title)], text, language);
}

/** The same of any head and text. */
export function analyzedTexts(
  head: readonly string[],
  text: string,
  language: Language = 'en',
): AnalyzedPassage {
  const number = languages.indexOf(language);
  termCache.begin();
  let headLength = 0;
  for (const each of head) headLength = termCache.find(each, number);
  const length = termCache.find(text, number);
  begin(length);
  count(0, headLength, inHead);
  count(headLength, length, inText);
  return { terms, termCount, sequence, length, headLength, inHead, inText };
}

/** Begins a passage of at most so many terms. */
function begin(maxTerms: number): void {
  termCount = 0;
  if (terms.length >= maxTerms) return;
  terms = new Int32Array(2 * maxTerms);
  sequence = new Int32Array(2 * maxTerms);
  inHead = new Uint32Array(2 * maxTerms);
  inText = new Uint32Array(2 * maxTerms);
}

/** Counts what was found from one place to before another. */
function count(from: number, to: number, counts: Uint32Array): void {
  const [found, notes] = [termCache.found(), termCache.notes()];
  for (let index = from; index < to; index += 1) {
    const id = found[index] as number;
    let place = notes[id * notesPerTerm + note.place] as number;
    // It may be noted of another passage, and holds where the term stands there.
    if (place >= termCount || terms[place] !== id) {
      place = termCount;
      notes[id * notesPerTerm + note.place] = place;
      terms[place] = id;
      inHead[place] = 0;
      inText[place] = 0;
      termCount += 1;
    }
    sequence[index] = place;
    counts[place] = (counts[place] as number) + 1;
  }
}
