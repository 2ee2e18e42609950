import { noFields } from '../passages/fields.ts';
import { wordsOfFields, wordsOfPath } from '../passages/item-fields.ts';
import type { ItemPassages, Passage } from '../passages/passage.ts';
import { termCache } from '../text/analyzer.ts';
import { type Language, languageOf, languageSample, languages } from '../text/languages.ts';
import { note, notesPerTerm } from '../text/term-cache.ts';

/** The terms of a passage, as ids of `termCache`; of use until terms are found again. Its arrays may have more than is told here. */
export interface AnalyzedPassage {
  /** Its different terms. */
  terms: Int32Array;
  termCount: number;
  /**
   * The terms of head (title, headings, project, tags and path) and of text, in order, each as its place in `terms`. The
   * text of an item's first passage is followed by its other fields.
   */
  sequence: Int32Array;
  length: number;
  /** How many of the sequence are of the head. */
  headLength: number;
  /** By place in `terms`: how often the head has it, and the text. */
  inHead: Uint32Array;
  inText: Uint32Array;
}

/** What all passages of an item are found by. */
export interface ItemTexts {
  /** Language of its terms. */
  language: Language;
  title: string;
  /** Its project and tags. */
  subject: string;
  path: string;
  /** Its other fields, with the words by which people ask for them. */
  fields: string;
}

/** Returns what an item is found by beside its passages. */
export function textsOfItem(item: ItemPassages): ItemTexts {
  const { title, rowKey, kind = 'item', fields = noFields } = item;
  const { project, owner, status, tags } = fields;
  return {
    language: languageOfItem(item),
    title,
    subject: [project, ...tags].join(' '),
    path: kind === 'item' ? wordsOfPath(rowKey) : '',
    fields: [wordsOfFields(fields), owner, status].join(' '),
  };
}

function languageOfItem({ title, passages }: ItemPassages): Language {
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
let length = 0;

/** Finds the terms of a passage of an item. */
export function analyzePassage(
  { language, title, subject, path, fields }: ItemTexts,
  { ordinal, headings, text }: Passage,
): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  const head = [title, ...headings.filter((heading) => heading !== title)];
  return analyzedTexts({ language, head, subject, text, path, fields: ordinal === 0 ? fields : '' });
}

/** The same of any texts; of `subject` and `path` only the terms are taken that nothing before them has. */
export function analyzedTexts(texts: {
  language?: Language;
  head: readonly string[];
  subject?: string;
  text: string;
  path?: string;
  fields?: string;
}): AnalyzedPassage {
  const language = languages.indexOf(texts.language ?? 'en');
  termCache.begin();
  let named = 0;
  for (const each of texts.head) named = termCache.find(each, language);
  const [about, text, fields] = [`${texts.subject ?? ''} ${texts.path ?? ''}`, texts.text, texts.fields].map(
    (each) => termCache.find(each ?? '', language),
  ) as [number, number, number];
  begin(fields);
  count(0, named, inHead);
  countNew(named, about, inHead);
  const headLength = length;
  count(about, text, inText);
  count(text, fields, inText);
  return { terms, termCount, sequence, length, headLength, inHead, inText };
}

/** Begins a passage of at most so many terms. */
function begin(maxTerms: number): void {
  termCount = 0;
  length = 0;
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
    if (!isPlaceOf(place, id)) {
      place = termCount;
      notes[id * notesPerTerm + note.place] = place;
      terms[place] = id;
      inHead[place] = 0;
      inText[place] = 0;
      termCount += 1;
    }
    sequence[length] = place;
    length += 1;
    counts[place] = (counts[place] as number) + 1;
  }
}

/** The same, without what the passage has already. */
function countNew(from: number, to: number, counts: Uint32Array): void {
  const [found, notes] = [termCache.found(), termCache.notes()];
  for (let index = from; index < to; index += 1) {
    const id = found[index] as number;
    if (!isPlaceOf(notes[id * notesPerTerm + note.place] as number, id)) count(index, index + 1, counts);
  }
}

/** Whether a place that was noted at a term is its own in this passage: it may be noted of another one. */
function isPlaceOf(place: number, id: number): boolean {
  return place < termCount && terms[place] === id;
}
