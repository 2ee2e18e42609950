import type { DateRange } from '../dates/dates-wanted.ts';
import { analyze } from '../text/analyzer.ts';
import { questionTerms } from '../text/question-terms.ts';
import type { Row } from './row.ts';
import type { RowQuestion, WantedWord } from './row-question.ts';

/** Rows of an answer, at most: more are counted. */
const maxShownRows = 20;
/** Characters of a title that words are looked for in. */
const maxReadLength = 400;
/** Owners, projects and tags of which it is remembered whether the question names them. */
const maxRemembered = 1_000;

/** The rows that fit a question. */
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
 * Finds the rows that fit a question, in one pass. A word that is an owner among the rows means the owner, wherever else
 * it stands; any other may be a project, a tag or, where the question allows
 * it, a word of the title.
 */
export function matchingRows(question: RowQuestion, rows: Iterable<Row>, today: string): MatchingRows {
  const compare = orderOf(question);
  const roles = rolesOf(question.words);
  const allWords = 2 ** question.words.length - 1;
  const ranges = question.ranges.length > 0 ? question.ranges : [{}];
  const nothing = (): Found[] => ranges.map(() => ({ count: 0, otherStatus: 0, shown: [] }));
  /** One for each range. */
  let found = nothing();
  let [owners, names, ofKind] = [0, 0, 0];
  for (const row of rows) {
    ofKind += 1;
    const asOwner = roles.ofOwner(row.owner);
    const asName =
      asOwner | roles.ofProject(row.kind === 'project' ? row.id : row.project) | roles.ofTags(row.tags);
    // What was found before the word was known for an owner's is not theirs.
    if ((asOwner & ~owners) !== 0) found = nothing();
    owners |= asOwner;
    names |= asName;
    if (!fitsFields(question, row, today)) continue;
    const missing = allWords & ~asName;
    // Reading titles costs most: what is known to be an owner need not be looked for in them.
    if ((missing & owners) !== 0) continue;
    if (missing !== 0 && !(question.searchesTitles && roles.inTitle(row, missing))) continue;
    if (question.needsTitle && !(row.due !== '' && roles.areMostOf(row.title))) continue;
    for (const [place, range] of ranges.entries()) {
      if (!isWithin(row, range, question)) continue;
      const group = found[place];
      if (group === undefined) continue;
      if (question.statuses.has(row.status)) {
        group.count += 1;
        insert(group.shown, row, compare);
      } else group.otherStatus += 1;
    }
  }
  return chosen(question, { found, owners, names, ofKind });
}

/** Takes the likeliest range that has rows, if only of another status. */
function chosen(
  { words, ranges }: RowQuestion,
  { found, owners, names, ofKind }: { found: Found[]; owners: number; names: number; ofKind: number },
): MatchingRows {
  const places = [...found.entries()];
  const [place, best] = places.find(([, { count }]) => count > 0) ??
    places.find(([, { otherStatus }]) => otherStatus > 0) ??
    places[0] ?? [0, { count: 0, otherStatus: 0, shown: [] }];
  const range = ranges[place];
  return {
    ...best,
    ofKind,
    owners: words.filter((_, at) => (owners & (1 << at)) !== 0),
    ...(range && { range }),
    namesKnown: words.every(({ isName }, at) => isName || (names & (1 << at)) !== 0),
  };
}

/**
 * Returns a function that finds which words of a question the fields of a row have, as bits. It caches results, because
 * rows have few different values.
 */
function rolesOf(words: readonly WantedWord[]) {
  const bits = (has: (word: WantedWord) => boolean) =>
    words.reduce((sum, word, at) => sum | (has(word) ? 1 << at : 0), 0);
  const ofOwner = remembering((owner) => {
    const handle = owner.toLowerCase();
    const parts = handle.split(/[^\p{L}\p{N}]+/u);
    return bits(({ text, role }) => {
      const isOwner = handle === text || `${handle}s` === text || parts.includes(text);
      return isOwner && (role ?? 'owner') === 'owner';
    });
  });
  const ofName = (role: WantedWord['role']) =>
    remembering((name) => {
      const terms = analyze(name);
      return bits((word) => (word.role ?? role) === role && word.terms.every((term) => terms.includes(term)));
    });
  const [ofProject, ofTag] = [ofName('project'), ofName('tag')];
  const termsOf = [rememberingLast(termsIn), rememberingLast(termsIn)] as const;
  // Without words that ask for something by name, nothing is looked for.
  const ifAsked = (bitsOf: () => number) => (words.length === 0 ? 0 : bitsOf());
  return {
    ofOwner: (owner: string) => ifAsked(() => (owner === '' ? 0 : ofOwner(owner))),
    ofProject: (slug: string) => ifAsked(() => (slug === '' ? 0 : ofProject(slug))),
    ofTags: (tags: readonly string[]) => ifAsked(() => tags.reduce((sum, tag) => sum | ofTag(tag), 0)),
    /** Whether the words are half, or more, of what a title says. */
    areMostOf(title: string) {
      const { telling } = questionTerms(title.slice(0, maxReadLength));
      const wanted = new Set(words.flatMap(({ terms }) => terms));
      return 2 * telling.filter((term) => wanted.has(term)).length >= telling.length;
    },
    /** Whether the title, or that of the source, has all of these words. */
    inTitle({ title, source }: Row, missing: number) {
      const wanted = words.filter((_, at) => (missing & (1 << at)) !== 0);
      if (wanted.some(({ role }) => role !== undefined)) return false;
      const own = termsIn(title);
      // The tasks of one text mostly come one after the other.
      const [above, heading] = [termsOf[0](source.title), termsOf[1](source.heading)];
      const isSaid = (term: string) => own.has(term) || above.has(term) || heading.has(term);
      return wanted.every((word) => word.terms.every(isSaid));
    },
  };
}

function termsIn(text: string): ReadonlySet<string> {
  return new Set(analyze(text.slice(0, maxReadLength)));
}

/** The same function, which remembers what it returned for so many texts. */
function remembering(work: (text: string) => number): (text: string) => number {
  const remembered = new Map<string, number>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= maxRemembered) remembered.clear();
    const made = work(text);
    remembered.set(text, made);
    return made;
  };
}

/** The same function, which remembers what it returned last. */
function rememberingLast<Result>(work: (text: string) => Result): (text: string) => Result {
  let last: { text: string; result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) };
    return last.result;
  };
}

function fitsFields(
  { unassigned, undated, overdue }: RowQuestion,
  { owner, due }: Row,
  today: string,
): boolean {
  return (
    (!unassigned || owner === '') && (!undated || due === '') && (!overdue || (due !== '' && due < today))
  );
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
