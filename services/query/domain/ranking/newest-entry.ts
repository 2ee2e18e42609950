import { type DatesWanted, datesWanted } from '../dates/dates-wanted.ts';
import { wordsOfPath } from '../passages/item-fields.ts';
import type { IndexedPassage } from '../passages/passage.ts';
import { analyze } from '../text/analyzer.ts';
import { dayOfPassage, partedByTime, withoutSpans } from './currency.ts';
import { tellingWeight } from './missing-words.ts';
import type { ScoredPassage } from './scored-passage.ts';
import type { WantedTerms } from './wanted-terms.ts';

/** Documents of the best passages that may be logs, where their best passage is as near to the best of all as this. */
const maxDocuments = 4;
const minPartOfBest = 0.5;
/** A second log is shown where it is nearly as relevant as the first. */
const minPartOfFirst = 0.75;
/** A log has as many entries as this, and they are most of its headings. */
const minEntries = 3;
/** What a question for the newest entry says beside that has at most this part of its weight. */
const maxOtherShare = 1 / 3;
/** What people call logs, entries and what tells one: words that are of the question and not of an entry. */
const wordsOfLogs = new Set(
  analyze(
    'version versions release releases released entry entries change changes changed changelog log logs history update updates updated note notes news publish published number date day when come came out',
  ),
);
const version = /(?<![\p{L}\p{N}.])v?(\d+(?:\.\d+)+)/u;
const entryHeading = new RegExp(`(?<!\\d)\\d{4}-\\d{2}-\\d{2}(?!\\d)|${version.source}`, 'u');

/** The passages of the item of a passage that are looked at, in order; some hundred at most. */
export type PassagesOf = (hit: ScoredPassage) => readonly { slot: number; passage: IndexedPassage }[];

/** An entry of a log, by its first passage. */
interface Entry {
  slot: number;
  passage: IndexedPassage;
  heading: string;
}

/**
 * Returns the newest entries of the best documents, where a question asks for no more
 * than that and these are logs: most of their headings have a day or a version.
 * Takes the words for times out of the question; undefined for all other questions and documents. "The latest release" is
 * answered by that entry alone, "the latest change of the quota" is not: that
 * may be in any entry.
 */
export function newestEntries(
  passages: readonly ScoredPassage[],
  { wanted, question, today }: { wanted: WantedTerms; question: string; today: string },
  passagesOf: PassagesOf,
): { passages: ScoredPassage[]; wanted: WantedTerms; question: string } | undefined {
  const dates = datesWanted(question, today);
  const { timeless } = partedByTime(wanted, question, dates.words);
  const asks = newestAskedFor(timeless, dates);
  if (asks === undefined) return undefined;
  const documents = Map.groupBy(passages, ({ rowKey }) => rowKey);
  const found: ScoredPassage[] = [];
  for (const ofDocument of [...documents.values()].slice(0, maxDocuments)) {
    const [first] = ofDocument;
    const least = found[0] ? minPartOfFirst * found[0].score : minPartOfBest * (passages[0]?.score ?? 0);
    if (first === undefined || first.score < least) break;
    if (!asks(first)) continue;
    const newest = newestOf(passagesOf(first));
    if (newest === undefined) continue;
    // It stands for its log, which is about what is asked by the words of all of these.
    const terms = Uint32Array.from([
      ...first.terms.subarray(0, first.headLength),
      ...ofDocument.flatMap((hit) => [...hit.terms]),
    ]);
    found.push({
      ...first,
      slot: newest.slot,
      ordinal: newest.passage.ordinal,
      passage: newest.passage,
      terms,
    });
  }
  if (found.length === 0) return undefined;
  // "Latest" stands in no entry that is the latest.
  return { passages: found, wanted: timeless, question: withoutSpans(question, dates.words) };
}

/**
 * Makes what tells whether a question asks for nothing of a document that tells one of its entries from others; undefined
 * where it does not ask for the latest of a log.
 */
function newestAskedFor({ telling }: WantedTerms, { latest }: DatesWanted) {
  if (!latest || !telling.some(({ text }) => wordsOfLogs.has(text))) return undefined;
  const others = telling.filter(({ text }) => !wordsOfLogs.has(text));
  const total = telling.reduce((sum, term) => sum + tellingWeight(term), 0);
  return ({ terms, headLength, rowKey }: ScoredPassage) => {
    const inHead = new Set(terms.subarray(0, headLength));
    const inPath = new Set(analyze(wordsOfPath(rowKey)));
    const unmet = others.filter(({ number, text }) => !inHead.has(number) && !inPath.has(text));
    return unmet.reduce((sum, term) => sum + tellingWeight(term), 0) <= maxOtherShare * total;
  };
}

function newestOf(passages: ReturnType<PassagesOf>): Entry | undefined {
  const entries: Entry[] = [];
  const headings = new Set<string>();
  for (const { slot, passage } of passages) {
    const heading = passage.headings.findLast((each) => entryHeading.test(each));
    headings.add(heading ?? passage.headings[0] ?? '');
    if (heading !== undefined && heading !== entries.at(-1)?.heading)
      entries.push({ slot, passage, heading });
  }
  if (entries.length < minEntries || 2 * entries.length < headings.size) return undefined;
  return entries.reduce((newest, entry) => (isNewer(entry, newest) ? entry : newest));
}

/** By their days, else by their versions; of those alike the first is the newest. */
function isNewer(left: Entry, right: Entry): boolean {
  const [day, other] = [dayOf(left), dayOf(right)];
  if (day !== '' && other !== '' && day !== other) return day > other;
  const [numbers, others] = [versionOf(left), versionOf(right)];
  for (let place = 0; place < Math.max(numbers.length, others.length); place += 1) {
    const difference = (numbers[place] ?? 0) - (others[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function dayOf({ heading, passage }: Entry): string {
  return dayOfPassage({ headings: [heading], fields: { ...passage.fields, date: '' } });
}

function versionOf({ heading }: Entry): number[] {
  return (version.exec(heading)?.[1] ?? '').split('.').map(Number);
}
