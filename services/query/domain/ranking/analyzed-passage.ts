import { wordsOfFields, wordsOfPath } from '../passages/item-fields.ts';
import { type ItemPassages, noFields, type Passage } from '../passages/passage.ts';
import { analyze } from '../text/analyzer.ts';
import { type Language, languageOf, languageSample } from '../text/languages.ts';

/** The terms of a passage, in order. */
export interface AnalyzedPassage {
  /** Those of title, headings, project, tags and path. */
  head: readonly string[];
  /** Those of the text; in an item's first passage followed by those of its other fields. */
  text: readonly string[];
}

/** What all passages of an item are found by. */
interface ItemTexts {
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

/** Finds the terms of a passage of an item. */
export function analyzePassage(
  { language, title, subject, path, fields }: ItemTexts,
  { ordinal, headings, text }: Passage,
): AnalyzedPassage {
  // Documents often open with their title as a heading: it is not to count twice.
  const named = [title, ...headings.filter((heading) => heading !== title)];
  const head = named.flatMap((each) => analyze(each, language));
  const known = new Set(head);
  // Of project, tags and path only what nothing before has.
  const about = new Set(analyze(`${subject} ${path}`, language)).difference(known);
  const said = ordinal === 0 ? analyze(fields, language) : [];
  return { head: [...head, ...about], text: [...analyze(text, language), ...said] };
}
