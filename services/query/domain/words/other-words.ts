import type { OtherWord, Thesaurus } from './thesaurus.ts';

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
