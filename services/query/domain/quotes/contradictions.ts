import { namedDayOf } from '../ranking/currency.ts';
import type { Candidate } from './candidates.ts';

/** Quotes that are compared with each other, the best ones: more are seldom shown. */
const maxCompared = 12;
/** Two say the same where they share this part of all their words, numbers aside. */
const minSharedWords = 0.6;
const words = /[\p{L}\p{M}]+|\p{N}[\p{N}.,:]*/gu;

/**
 * The quotes without those that say with other figures what a newer one says:
 * of "held for 12 minutes" and "held for 15 minutes" the newer. One that has more
 * of what is asked stays, as where the figures of a year are asked for. Quotes of
 * passages that name no day are all kept. Takes quotes best first.
 */
export function withoutContradicted(quotes: readonly Candidate[]): Candidate[] {
  const compared = quotes.slice(0, maxCompared).map((quote) => {
    const text = quote.section.text.slice(quote.start, quote.end);
    return { quote, day: namedDayOf(quote.hit.passage), ...wordsAndFigures(text) };
  });
  const isContradicted = (older: (typeof compared)[number]) =>
    older.day !== '' &&
    compared.some(
      (newer) =>
        newer.day > older.day &&
        newer.quote.asked.size >= older.quote.asked.size &&
        newer.figures !== older.figures &&
        sharedPart(newer.words, older.words) >= minSharedWords,
    );
  const gone = new Set(compared.filter(isContradicted).map(({ quote }) => quote));
  return quotes.filter((quote) => !gone.has(quote));
}

function wordsAndFigures(text: string): { words: ReadonlySet<string>; figures: string } {
  const all = text.toLowerCase().match(words) ?? [];
  const isFigure = (word: string) => /^\p{N}/u.test(word);
  return { words: new Set(all.filter((word) => !isFigure(word))), figures: all.filter(isFigure).join(' ') };
}

function sharedPart(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 0 : left.intersection(right).size / all;
}
