import { everydayWords } from '../text/everyday-words.ts';
import { type CalendarUnit, calendarUnits } from './calendar.ts';

/** British and American English abbreviate months differently. */
const languages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt'];
const everyday = new Set(everydayWords.trim().split(/\s+/));

/** Months by their names and abbreviations in seven languages, lower case, with and without accents; January is 1. */
export const monthNames: ReadonlyMap<string, number> = namesOf(12, (language, month) =>
  (['long', 'short'] as const).map((length) =>
    new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' }).format(Date.UTC(2026, month, 1)),
  ),
);

/** Days of the week by their names in seven languages, as `monthNames`; Monday is 1. */
export const weekdayNames: ReadonlyMap<string, number> = namesOf(7, (language, day) => [
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + day)),
]);

/** Whether a name is also an everyday word of English, as may, march and the Spanish abbreviation set are. */
export function isEverydayWord(name: string): boolean {
  return everyday.has(name.toLowerCase());
}

/** A phrase such as "last week" or "3 days ago", as a pattern without anchors. */
export interface RelativePhrase {
  pattern: string;
  unit: CalendarUnit;
  /** Periods from today's; for patterns with a group, that many times the number in it. */
  offset: number;
}

/** What people say for the periods around today, in seven languages. */
export const relativePhrases: readonly RelativePhrase[] = languages.slice(1).flatMap((language) => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return calendarUnits.flatMap((unit) => [
    ...[-2, -1, 0, 1, 2]
      .map((offset) => ({ offset, text: format.format(offset, unit) }))
      .filter(({ text }) => !/\d/.test(text))
      .map(({ offset, text }) => ({ unit, offset, pattern: phrasePattern(text) })),
    // The plural of all languages is that of 7, which no name has.
    ...[-7, 7].map((offset) => {
      const pattern = phrasePattern(format.format(offset, unit)).replace('7', '(\\d{1,2})');
      return { unit, offset: offset / 7, pattern };
    }),
  ]);
});

/** A pattern of one of the names, the longest first. */
export function oneOf(names: Iterable<string>): string {
  const longestFirst = [...names].sort((left, right) => right.length - left.length);
  return `(?:${longestFirst.map((name) => RegExp.escape(name)).join('|')})`;
}

/** Articles are left out, endings of German adjectives are free, and neighbours that mean the same are let in. */
function phrasePattern(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:la|le|el) |^l[’']/, '')
    .replace(/\b(letzt|dies|nächst)(?:en|es|e)\b/, '$1(?:e[nsrm]?)')
    .replace('letzt', '(?:letzt|vergangen|vorig)')
    .replace('nächst', '(?:nächst|kommend)')
    .replace(/^last /, '(?:last|past|previous) ')
    .replace(/^next /, '(?:next|coming) ')
    .replace(/^this /, '(?:this|current) ')
    .replace(/[’']/g, "[’']")
    .replaceAll(' ', '\\s{1,3}');
}

function namesOf(
  count: number,
  inLanguage: (language: string, index: number) => string[],
): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const language of languages)
    for (let index = 0; index < count; index += 1)
      for (const name of inLanguage(language, index)) {
        const plain = name.toLowerCase().replace(/\.$/, '');
        for (const form of [plain, withoutAccents(plain), plain.replace(/-feira$/, '')])
          if (!numbers.has(form)) numbers.set(form, index + 1);
      }
  return numbers;
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
