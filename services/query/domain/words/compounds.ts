import type { WordTable } from '../storage/word-table.ts';
import { analyze } from '../text/analyzer.ts';
import type { Language } from '../text/languages.ts';

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
export function compoundsWith(term: string, language: Language | undefined, words: WordTable): string[] {
  if (language === undefined || term.length < leastPart) return [];
  const found = words.beginningOrEndingWith(term, term.length + leastLastPart).map(words.textOf);
  return found
    .sort((left, right) => left.length - right.length || (left < right ? -1 : 1))
    .slice(0, maxCompounds);
}
