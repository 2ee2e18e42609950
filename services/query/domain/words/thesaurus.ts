import { analyze } from '../text/analyzer.ts';
import { generalRarity } from '../text/general-rarity.ts';
import { workWords } from './work-words.ts';

/** A term that may stand for another, and how far that is to be trusted, above 0 to 1. */
export interface OtherWord {
  term: string;
  trust: number;
}

/** What may stand for a term or, with blanks between them, for several side by side; the most trusted first. */
export type Thesaurus = (terms: string) => readonly OtherWord[];

/** Members of a group of words that are often used for each other at work. */
const groupTrust = 0.8;
/** A word that stands in several groups has as many senses: each is meant the less often. */
const senseExponent = 0.25;
const lineEnd = 10;
const colon = 58;

/**
 * Makes the thesaurus of general English and of the words of people who work together. `lines` are general English, in the
 * order of their bytes: `term:other6 another3`, the digit being the trust in tenths.
 */
export function createThesaurus(lines: Buffer): Thesaurus {
  const general = generalWords(lines);
  const groups = groupsOf(workWords);
  return (terms) => {
    const trusts = new Map(groups.get(terms));
    for (const { term, trust } of general(terms)) trusts.set(term, Math.max(trust, trusts.get(term) ?? 0));
    const words = Array.from(trusts, ([term, trust]) => ({ term, trust }));
    return words.sort((left, right) => right.trust - left.trust || (left.term < right.term ? -1 : 1));
  };
}

function generalWords(lines: Buffer): Thesaurus {
  return (terms) => {
    const line = lineOf(lines, Buffer.from(`${terms}:`));
    if (line === undefined) return [];
    const others = line.slice(terms.length + 1).split(' ');
    return others.map((other) => ({ term: other.slice(0, -1), trust: Number(other.at(-1)) / 10 }));
  };
}

/** The line that begins with this, by binary search. */
function lineOf(lines: Buffer, beginning: Buffer): string | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : lines.lastIndexOf(lineEnd, middle - 1) + 1;
    const end = lines.indexOf(lineEnd, start);
    const keyEnd = lines.indexOf(colon, start) + 1;
    const order = lines.compare(beginning, 0, beginning.length, start, keyEnd);
    if (order === 0) return lines.toString('latin1', start, end);
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}

/** By term, or terms side by side: the terms of its groups. */
function groupsOf(text: string): Map<string, Map<string, number>> {
  const groups = text
    .split('\n')
    .map((line) => new Set(line.split(',').flatMap((member) => analyze(member).join(' ') || [])));
  const senses = new Map<string, number>();
  for (const member of groups.flatMap((group) => [...group]))
    senses.set(member, (senses.get(member) ?? 0) + 1);
  const found = new Map<string, Map<string, number>>();
  for (const group of groups) {
    for (const member of group) {
      const others = found.get(member) ?? new Map<string, number>();
      found.set(member, others);
      for (const other of group) {
        if (other === member) continue;
        const ambiguity = (senses.get(member) ?? 1) * (senses.get(other) ?? 1);
        const { term, part } = mostTelling(other);
        const trust = (part * groupTrust) / ambiguity ** senseExponent;
        if (!member.split(' ').includes(term)) others.set(term, Math.max(others.get(term) ?? 0, trust));
      }
    }
  }
  return found;
}

/** Of words side by side the one that is rarest in general, and how far it stands for all of them. */
function mostTelling(words: string): { term: string; part: number } {
  const terms = words.split(' ');
  const [first = ''] = terms.toSorted((left, right) => generalRarity(right) - generalRarity(left));
  return { term: first, part: terms.length === 1 ? 1 : generalRarity(first) };
}
