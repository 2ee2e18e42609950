import { wordsOfFields, wordsOfPath } from '../passages/field-words.ts';
import { noFields } from '../passages/fields.ts';
import type { ItemPassages, Passage } from '../passages/passage.ts';
import { analyze } from '../text/analyzer.ts';
import { type Language, languageOf, languageSample } from '../text/languages.ts';

/** A passage as indexes take it up. */
export interface AnalyzedPassage {
  passage: Passage;
  /** Its different terms. */
  terms: readonly string[];
  /**
   * The terms of head (title, headings, project, tags and path) and of text, in order, each as its place in `terms`. The
   * text of an item's first passage is followed by its other fields.
   */
  sequence: Uint32Array;
  /** How many of the sequence are of the head. */
  headLength: number;
  /** By place in `terms`: how often the head has it, and the text. */
  inHead: Uint32Array;
  inText: Uint32Array;
}

/** What all passages of an item are found by. */
export interface ItemTerms {
  title: string;
  language: Language;
  ofTitle: readonly string[];
  /** Of its project and tags. */
  ofSubject: readonly string[];
  ofPath: readonly string[];
  /** Of its other fields. */
  ofFields: readonly string[];
}

/** Finds the terms of an item beside its text, in the language of the item. */
export function itemTerms(
  { title, rowKey, kind = 'item', fields = noFields }: ItemPassages,
  language: Language = 'en',
): ItemTerms {
  const { project, owner, status, tags } = fields;
  return {
    ...{ title, language },
    ofTitle: analyze(title, language),
    ofSubject: analyze([project, ...tags].join(' '), language),
    ofPath: analyze(kind === 'item' ? wordsOfPath(rowKey) : '', language),
    ofFields: analyze([wordsOfFields(fields), owner, status].join(' '), language),
  };
}

/** Finds the terms of a passage of an item. */
export function analyzePassage(item: ItemTerms, passage: Passage): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  const below = passage.headings.filter((heading) => heading !== item.title);
  const headings = below.flatMap((heading) => analyze(heading, item.language));
  const named = [...item.ofTitle, ...headings];
  const head = [...named, ...without([...item.ofSubject, ...item.ofPath], named)];
  const body = analyze(passage.text, item.language);
  return analyzedPassage(passage, head, passage.ordinal === 0 ? [...body, ...item.ofFields] : body);
}

/** Terms that are not known yet, each once. */
function without(terms: readonly string[], known: readonly string[]): string[] {
  return [...new Set(terms)].filter((term) => !known.includes(term));
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
