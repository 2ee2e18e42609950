import type { Passage } from '../passages/passage.ts';
import { analyze } from '../text/analyzer.ts';

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

/** Finds the terms of a passage of an item with this title. */
export function analyzePassage(title: string, passage: Passage): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  const head = [title, ...passage.headings.filter((heading) => heading !== title)].flatMap(analyze);
  return analyzedPassage(passage, head, analyze(passage.text));
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
