import type { ItemPassages, Passage } from '../passages/passage.ts';
import { analyze } from '../text/analyzer.ts';
import { type Language, languageOf, languageSample } from '../text/languages.ts';

/** A passage as indexes take it up. */
export interface AnalyzedPassage {
  passage: Passage;
  /** Its different terms. */
  terms: readonly string[];
  /** The terms of head (title and headings) and of text, in order, each as its place in `terms`. */
  sequence: Uint32Array;
  /** How many of the sequence are of the head. */
  headLength: number;
  /** By place in `terms`: how often the head has it, and the text. */
  inHead: Uint32Array;
  inText: Uint32Array;
}

/** The language that the terms of an item are of. */
export function languageOfItem({ title, passages }: Pick<ItemPassages, 'title' | 'passages'>): Language {
  let sample = title;
  for (const { headings, text } of passages) {
    if (sample.length >= languageSample) break;
    sample = `${sample}\n${headings.at(-1) ?? ''}\n${text}`;
  }
  return languageOf(sample);
}

/** Finds the terms of a passage of an item with this title, in the language of the item. */
export function analyzePassage(title: string, passage: Passage, language: Language = 'en'): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  const above = [title, ...passage.headings.filter((heading) => heading !== title)];
  const head = above.flatMap((text) => analyze(text, language));
  return analyzedPassage(passage, head, analyze(passage.text, language));
}

/** The same from the terms of head and text. */
export function analyzedPassage(
  passage: Passage,
  head: readonly string[],
  body: readonly string[],
): AnalyzedPassage {
  const places = new Map<string, number>();
  const sequence = new Uint32Array(head.length + body.length);
  const placeOf = (term: string) => {
    const known = places.get(term);
    if (known !== undefined) return known;
    places.set(term, places.size);
    return places.size - 1;
  };
  for (let index = 0; index < head.length; index += 1) sequence[index] = placeOf(head[index] as string);
  for (let index = 0; index < body.length; index += 1)
    sequence[head.length + index] = placeOf(body[index] as string);
  const inHead = new Uint32Array(places.size);
  const inText = new Uint32Array(places.size);
  for (let index = 0; index < sequence.length; index += 1) {
    const counts = index < head.length ? inHead : inText;
    const place = sequence[index] as number;
    counts[place] = (counts[place] as number) + 1;
  }
  return { passage, terms: [...places.keys()], sequence, headLength: head.length, inHead, inText };
}
