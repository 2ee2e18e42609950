import type { Span } from '../text/sentences.ts';
import { addDays, type Days } from './dates-in.ts';
import { type NamedDays, namedDays } from './named-days.ts';

/** The days from the first to the last, inclusive; a side that is left out is open. */
export interface DateRange {
  from?: string;
  to?: string;
}

/** The times that a question asks for. */
export interface DatesWanted extends DateRange {
  /**
   * Set where the question leaves open which year or week it means: the nearest such time that is not over yet, as is
   * meant of what is due. The range itself is then the nearest that has begun, as is meant of what has happened.
   */
  coming?: DateRange;
  /** It asks for the present state: "latest", "now", "currently". */
  latest: boolean;
  /** It asks for what should have been done before today. */
  overdue: boolean;
  /** The parts of the question that said so, in order. */
  words: Span[];
}

/** What stands before days and says on which side of them the wanted ones lie. */
const directions: [side: keyof typeof rangeOf, words: string][] = [
  [
    'before',
    'before|prior to|earlier than|vor|avant|antes d[eo]l?|antes da|prima (?:di|del)|voor|ahead of|older than',
  ],
  ['after', 'after|later than|nach|après|despu[eé]s del?|dopo|na|depois d[eoa]|newer than'],
  ['from', 'from'],
  ['since', 'since|starting|seit|ab|depuis|desde|dal?|sinds|vanaf|a partir d[eoa]'],
  [
    'until',
    "until|till|til|by|through|up to|no later than|as of|bis(?: zum)?|spätestens|jusqu['’](?:à|au|en)|hasta(?: el)?|fino an?|tot|até|per|stand",
  ],
  ['within', 'in|on|of|at|during|within|for|im|am|vom|von|en|au|du|de|dans|nel|em|no|op|el'],
];
/** Length of "the beginning" of a month or a longer time. */
const daysOfBeginning = 10;
const article = '(?:(?:the|den|dem|der|des|le|la|el|il|o|a|de|het) )?';
const edges =
  '(?:(?<end>the end of|end of|ende) |(?<start>the start of|start of|the beginning of|beginning of|anfang) )?';
const direction = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${directions.map(([side, words]) => `(?<${side}>${words})`).join('|')})? ?${edges}${article}$`,
  'iu',
);
/** What is looked at before named days for such words; the longest take less. */
const directionLength = 48;

const rangeOf = {
  before: ({ from }: Days): DateRange => ({ to: addDays(from, -1) }),
  after: ({ to }: Days): DateRange => ({ from: addDays(to, 1) }),
  since: ({ from }: Days): DateRange => ({ from }),
  // "From today" goes on, "from last week" does not.
  from: ({ from, to }: Days): DateRange => (from === to ? { from } : { from, to }),
  until: ({ to }: Days): DateRange => ({ to }),
  within: ({ from, to }: Days): DateRange => ({ from, to }),
};

const between =
  /(?<![\p{L}])(?:between|from|zwischen|von|vom|entre|de|du|tra|fra|dal?|tussen|van) (?:the )?$/iu;
const and = /^(?: ?[-–—] ?| (?:and|to|until|till|through|und|bis|et|à|au|y|al?|e|en|tot|até) )(?:the )?$/iu;

/**
 * Words for the present state, in the languages of `calendar-words.ts`. "Last" and its like count before what is no
 * time: "the last retro", not "the last two weeks".
 */
const latestWords = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'latest|newest|most recent(?:ly)?|recent(?:ly)?|current(?:ly)?|nowadays|now|today|as of|at the moment|at present|these days|presently|up to date|the last|our last',
    'aktuell\\w{0,2}|neue?ste\\w?|jüngste\\w?|derzeit\\w{0,4}|momentan|gegenwärtig\\w{0,2}|jetzt|zuletzt|zurzeit|heute|d(?:er|ie|as|en) letzten?',
    "actuel(?:le)?s?|actuellement|récent(?:e)?s?|maintenant|en ce moment|aujourd['’]hui|l[ea]s? derni(?:er|ère)s?",
    '(?<=\\p{L}{4} )actual(?:es)?|actualmente|últim[oa]s?|recientes?|ahora|hoy|attual[ei]|attualmente|ultim[oaie]|recent[ei]|adesso|oggi',
    'huidige|laatste|nieuwste|recentste|momenteel|nu|vandaag|atual|atualmente|recentes|agora|hoje',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);
const overdueWords =
  /(?<!\p{L})(?:overdue|past due|past (?:its|their|the) due dates?|überfällig\w{0,2}|en retard|vencid[oa]s?|atrasad[oa]s?|scadut[oaie]|achterstallige?|te laat)(?!\p{L})/giu;

/**
 * What times a question of at most 4,000 characters asks for, seen from
 * `today` (YYYY-MM-DD): named days, weeks, months, quarters and years, with
 * "before", "since", "between" and their like, and words for the present
 * state. Of several times the first counts, and a later one where it closes the side that
 * the first left open. Nothing is set where it asks for none.
 */
export function datesWanted(question: string, today: string): DatesWanted {
  const named = namedDays(question, today);
  const wanted: DatesWanted = { latest: false, overdue: false, words: [] };
  for (let index = 0; index < named.length; index += 1) {
    const first = named[index];
    const second = named[index + 1];
    if (first === undefined) break;
    if (second && isPair(question, first, second)) {
      index += 1;
      narrow(wanted, pairRange(question, first, second, today));
    } else narrow(wanted, directed(question, first, today));
  }
  for (const { index, 0: word } of question.matchAll(latestWords)) {
    const span = { start: index, end: index + word.length };
    const within = named.find(({ start, end }) => start < span.end && end > span.start);
    // "The last week" is a week; "today" is a day and the present.
    if (within && !isToday(within, today)) continue;
    wanted.latest = true;
    if (!within) wanted.words.push(span);
  }
  for (const { index, 0: word } of question.matchAll(overdueWords)) {
    wanted.overdue = true;
    wanted.words.push({ start: index, end: index + word.length });
  }
  wanted.words.sort((left, right) => left.start - right.start);
  return wanted;
}

interface Wanted extends Span {
  range: DateRange;
  coming?: DateRange | undefined;
}

function isToday({ days }: NamedDays, today: string): boolean {
  return days.from === today && days.to === today;
}

function isPair(question: string, first: NamedDays, second: NamedDays): boolean {
  return (
    and.test(question.slice(first.end, second.start).replace(/\s+/g, ' ')) &&
    between.test(before(question, first.start))
  );
}

function pairRange(question: string, first: NamedDays, second: NamedDays, today: string): Wanted {
  const word = between.exec(before(question, first.start))?.[0] ?? '';
  const span = { start: first.start - word.length, end: second.end };
  const last = comingOf(second, today);
  const coming = last && { from: lastBefore(first, last).from, to: last.to };
  const range = { from: lastBefore(first, second.days).from, to: second.days.to };
  // Named the other way round they mean the same days; none lie between a day and an earlier one.
  const isTurned = range.from > range.to;
  return {
    ...span,
    range: isTurned ? { from: second.days.from, to: first.days.to } : range,
    coming,
  };
}

/** "Between November and February" begins in the last November before that February. */
function lastBefore({ days, again }: NamedDays, last: Days): Days {
  const ordered = [1, 0, -1].flatMap((times) => again?.(times) ?? []);
  return ordered.find(({ from }) => from <= last.from) ?? days;
}

function comingOf({ days, again }: NamedDays, today: string): Days | undefined {
  return days.to < today ? again?.(1) : undefined;
}

type DirectionGroups = { [part in keyof typeof rangeOf | 'end' | 'start']?: string };

function directed(question: string, named: NamedDays, today: string): Wanted {
  const match = direction.exec(before(question, named.start));
  const groups: DirectionGroups = { ...match?.groups };
  const side = directions.map(([each]) => each).find((each) => groups[each] !== undefined) ?? 'within';
  const of = (days: Days) => rangeOf[side](edgeOf(days, groups, side));
  const start = named.start - (match?.[0] ?? '').trimStart().length;
  const coming = comingOf(named, today);
  return { start, end: named.end, range: of(named.days), coming: coming && of(coming) };
}

/** "By the end of the month" means its last day; "at the beginning of the month" its first days. */
function edgeOf({ from, to }: Days, { start, end }: DirectionGroups, side: keyof typeof rangeOf): Days {
  if (end !== undefined) return { from: to, to };
  if (start === undefined) return { from, to };
  const firstDays = addDays(from, daysOfBeginning - 1);
  return { from, to: side !== 'within' ? from : firstDays < to ? firstDays : to };
}

function before(question: string, start: number): string {
  return question.slice(Math.max(0, start - directionLength), start);
}

function narrow(wanted: DatesWanted, { start, end, range, coming }: Wanted): void {
  const isFirst = wanted.from === undefined && wanted.to === undefined;
  const closes =
    (wanted.from === undefined || range.from === undefined) &&
    (wanted.to === undefined || range.to === undefined);
  if (!isFirst && !closes) return;
  const known = { ...(wanted.from && { from: wanted.from }), ...(wanted.to && { to: wanted.to }) };
  if (coming ?? wanted.coming) wanted.coming = { ...(wanted.coming ?? known), ...(coming ?? range) };
  Object.assign(wanted, range);
  wanted.words.push({ start, end });
}
