import { analyze } from '../text/analyzer.ts';
import type { Language } from '../text/languages.ts';
import type { OtherWord, Thesaurus } from './thesaurus.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Languages that write words together: Urlaubsregelung, vakantiedagen, semesterdagar. */
const compounding: ReadonlySet<Language> = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi']);
/** The first of these languages that writes words together; undefined where none does. */
export function compoundingOf(languages: readonly Language[]): Language | undefined {
  return languages.find((language) => compounding.has(language));
}

/** Shorter parts stand in too many words by chance. */
const leastPart = 4;
/** The last part may be one of the many short nouns: Urlaubstag, Bauamt. */
const leastLastPart = 3;
/** What may stand between two parts, besides nothing. */
const links = ['s', 'n', 'es', 'en', 'e', 'er'];
/** Compounds looked at for one word. */
const maxCompounds = 12;
/** Words that are looked at for it, each way; longer ones are data. */
const maxLookedAt = 5_000;
const longestCompound = 64;

/**
 * The two words of a view that a term is put together from, with a linking s, n, es, en, e or er between them; the
 * longest first part that there is. Undefined where there are none, and without a language that writes words together.
 */
export function partsOf(
  term: string,
  language: Language | undefined,
  isUsed: (term: string) => boolean,
): [string, string] | undefined {
  if (language === undefined || !/^\p{L}+$/u.test(term)) return undefined;
  const used = (part: string) => [part, ...analyze(part, language)].find(isUsed);
  for (let cut = term.length - leastLastPart; cut >= leastPart; cut -= 1) {
    const second = used(term.slice(cut));
    if (second === undefined) continue;
    const whole = term.slice(0, cut);
    const shortened = links.flatMap((link) => (whole.endsWith(link) ? [whole.slice(0, -link.length)] : []));
    const first = [whole, ...shortened].filter(({ length }) => length >= leastPart).map(used);
    const found = first.find((part) => part !== undefined);
    if (found !== undefined) return [found, second];
  }
  return undefined;
}

/** Words of a view that begin or end with this term, the shortest first, 12 at most; none without a language that writes words together. */
export function compoundsWith(term: string, language: Language | undefined, view: Vocabulary): string[] {
  if (language === undefined || term.length < leastPart) return [];
  const lengths = { least: term.length + leastLastPart, most: longestCompound, limit: maxLookedAt };
  const found = [...view.wordsBeginningWith(term, lengths), ...view.wordsEndingWith(term, lengths)];
  return [...new Set(found)]
    .sort((left, right) => left.length - right.length || (left < right ? -1 : 1))
    .slice(0, maxCompounds);
}

/** Words of a question that are looked up: what a longer one asks for is met by some of its own words. */
const maxWords = 24;
/** Words side by side that are looked up as one. */
const maxPhraseLength = 3;
/** Less trusted ones stand for a word too seldom. */
const leastTrust = 0.3;
const maxOthers = 8;

/**
 * By each of these terms of a question, others that a view has and that may stand for it, the most trusted first, at
 * most 8. `all` are the terms of the question in order: what stands for several side by side stands for each of them.
 */
export function otherWords(
  thesaurus: Thesaurus,
  asked: { all: readonly string[]; telling: readonly string[] },
  isUsed: (term: string) => boolean,
): Map<string, OtherWord[]> {
  const telling = new Set(asked.telling.slice(0, maxWords));
  const found = new Map<string, Map<string, number>>();
  const add = (term: string, others: readonly OtherWord[]) => {
    if (!telling.has(term)) return;
    const known = found.get(term) ?? new Map<string, number>();
    found.set(term, known);
    for (const { term: other, trust } of others)
      if (trust >= leastTrust) known.set(other, Math.max(trust, known.get(other) ?? 0));
  };
  for (const term of telling) add(term, thesaurus(term));
  for (let start = 0; start < Math.min(maxWords, asked.all.length); start += 1) {
    for (let length = 2; length <= maxPhraseLength; length += 1) {
      const phrase = asked.all.slice(start, start + length);
      const others = phrase.length === length ? thesaurus(phrase.join(' ')) : [];
      for (const term of phrase) add(term, others);
    }
  }
  const ofTerm = (known: Map<string, number>) =>
    Array.from(known, ([term, trust]) => ({ term, trust }))
      .filter(({ term }) => !asked.telling.includes(term) && isUsed(term))
      .sort((left, right) => right.trust - left.trust)
      .slice(0, maxOthers);
  return new Map(Array.from(found, ([term, known]) => [term, ofTerm(known)]));
}
