import type { DateRange } from '../dates/dates-wanted.ts';
import { analyze } from '../text/analyzer.ts';
import type { Row } from './row.ts';
import type { RowQuestion, WantedWord } from './row-question.ts';

/** Rows of an answer, at most: more are counted. */
const maxShownRows = 20;
/** Rows looked at between two yields: about a millisecond. */
const rowsPerStep = 256;

/** What of the rows fits a question. */
export interface MatchingRows {
  /** How many fit. */
  count: number;
  /** The first of them, 20 at most. */
  shown: readonly Row[];
  /** How many would fit, had they a status that was asked for. */
  otherStatus: number;
  /** The words that were taken for owners. */
  owners: readonly WantedWord[];
  /** The range that was taken, of those that the question may mean. */
  range?: DateRange;
  /** Every word is a name: to some row of this kind, or by its place in the question. */
  namesKnown: boolean;
  /** Rows of this kind. */
  ofKind: number;
}

interface Found {
  count: number;
  otherStatus: number;
  shown: Row[];
}

/**
 * Finds the rows that fit a question, in one pass, in steps of some hundred
 * rows. A word that is an owner among the rows means the owner, wherever else
 * it stands; any other may be a project, a tag or, where the question allows
 * it, a word of the title. Which of these it is is known only at the end, so
 * rows are kept by the words that they have as owners.
 */
export function* matchingRows(
  question: RowQuestion,
  rows: Iterable<Row>,
  today: string,
): Generator<void, MatchingRows> {
  const { words } = question;
  const compare = orderOf(question);
  const ranges = question.ranges.length > 0 ? question.ranges : [{}];
  /** By the words that are the owner's, as bits, and the number of the range. */
  const found = new Map<string, Found>();
  let [owners, names, ofKind, seen] = [0, 0, 0, 0];
  for (const row of rows) {
    seen += 1;
    if (seen % rowsPerStep === 0) yield;
    if (row.kind !== question.kind) continue;
    ofKind += 1;
    const roles = words.map((word) => rolesOf(word, row));
    owners |= bitsOf(roles, ({ owner }) => owner);
    names |= bitsOf(roles, ({ owner, name }) => owner || name);
    const needed = question.searchesTitles ? titleTerms(words, row) : undefined;
    const fits = roles.every(({ owner, name }, at) => owner || name || fitsTitle(words[at], needed));
    if (!fits || !fitsFields(question, row, today)) continue;
    const mask = bitsOf(roles, ({ owner }) => owner);
    for (const [place, range] of ranges.entries()) {
      if (!isWithin(row, range, question)) continue;
      const group = found.get(`${mask} ${place}`) ?? { count: 0, otherStatus: 0, shown: [] };
      found.set(`${mask} ${place}`, group);
      if (question.statuses.has(row.status)) {
        group.count += 1;
        insert(group.shown, row, compare);
      } else group.otherStatus += 1;
    }
  }
  return chosen(question, { found, owners, names, ofKind });
}

function chosen(
  { words, ranges }: RowQuestion,
  {
    found,
    owners,
    names,
    ofKind,
  }: { found: Map<string, Found>; owners: number; names: number; ofKind: number },
): MatchingRows {
  const nothing: Found = { count: 0, otherStatus: 0, shown: [] };
  const places = ranges.length > 0 ? [...ranges.keys()] : [0];
  // A title may have the name of somebody who owns nothing that fits.
  const masks = [...new Set([owners, 0])];
  const groups = masks.flatMap((mask) =>
    places.map((place) => ({ mask, place, ...(found.get(`${mask} ${place}`) ?? nothing) })),
  );
  const any = groups.find(({ count }) => count > 0) ?? groups.find(({ otherStatus }) => otherStatus > 0);
  const best = any ?? groups[0] ?? { ...nothing, mask: owners, place: 0 };
  const range = ranges[best.place];
  return {
    ...{ count: best.count, shown: best.shown, otherStatus: best.otherStatus, ofKind },
    owners: words.filter((_, at) => (best.mask & (1 << at)) !== 0),
    ...(range && { range }),
    namesKnown: words.every(({ isName }, at) => isName || (names & (1 << at)) !== 0),
  };
}

function rolesOf({ text, terms, role }: WantedWord, { owner, project, tags, kind, id }: Row) {
  const handle = owner.toLowerCase();
  const isOwner =
    handle !== '' &&
    (handle === text || `${handle}s` === text || handle.split(/[^\p{L}\p{N}]+/u).includes(text));
  const slug = kind === 'project' ? id : project;
  const isProject = slug !== '' && hasAll(analyze(slug), terms);
  const isTag = tags.some((tag) => hasAll(analyze(tag), terms));
  return {
    owner: isOwner && (role === undefined || role === 'owner'),
    name:
      (isProject && (role === undefined || role === 'project')) ||
      (isTag && (role === undefined || role === 'tag')),
  };
}

function titleTerms(words: readonly WantedWord[], { title, source }: Row): ReadonlySet<string> | undefined {
  if (!words.some(({ role }) => role === undefined)) return undefined;
  return new Set(analyze(`${title}\n${source.title}\n${source.heading}`));
}

function fitsTitle(word: WantedWord | undefined, terms: ReadonlySet<string> | undefined): boolean {
  return (
    word?.role === undefined && terms !== undefined && (word?.terms.every((term) => terms.has(term)) ?? false)
  );
}

function fitsFields({ unassigned, overdue }: RowQuestion, { owner, due }: Row, today: string): boolean {
  return (!unassigned || owner === '') && (!overdue || (due !== '' && due < today));
}

function isWithin(row: Row, { from, to }: DateRange, { dated }: RowQuestion): boolean {
  if (from === undefined && to === undefined) return true;
  const day = dated === 'due' ? row.due : row.date;
  return day !== '' && (from === undefined || day >= from) && (to === undefined || day <= to);
}

/** Tasks that are open first, then by when they are due; decisions newest first; projects by their titles. */
function orderOf({ kind }: RowQuestion): (left: Row, right: Row) => number {
  const byTitle = (left: Row, right: Row) =>
    compareText(left.title, right.title) || compareText(left.id, right.id);
  if (kind === 'project') return byTitle;
  if (kind === 'decision') return (left, right) => compareText(right.date, left.date) || byTitle(left, right);
  const isOver = ({ status }: Row) => (status === 'open' ? 0 : 1);
  const due = (row: Row) => row.due || '9999';
  return (left, right) =>
    isOver(left) - isOver(right) || compareText(due(left), due(right)) || byTitle(left, right);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Puts a row where it belongs, if it is one of the first. */
function insert(shown: Row[], row: Row, compare: (left: Row, right: Row) => number): void {
  const place = shown.findIndex((other) => compare(row, other) < 0);
  if (place < 0 && shown.length >= maxShownRows) return;
  shown.splice(place < 0 ? shown.length : place, 0, row);
  if (shown.length > maxShownRows) shown.pop();
}

function bitsOf<Role>(roles: readonly Role[], has: (role: Role) => boolean): number {
  return roles.reduce((bits, role, at) => bits | (has(role) ? 1 << at : 0), 0);
}

function hasAll(terms: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((term) => terms.includes(term));
}
