import type { Answer, Source } from '../citations/answer.ts';
import { withoutReferences } from '../citations/citation-reference.ts';
import { type AnswerMarkup, plainTitle } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import type { Question } from '../ranking/question.ts';
import { type MatchingRows, matchingRows } from './matching-rows.ts';
import type { Row, RowKind } from './row.ts';
import { type RowQuestion, rowQuestion, type WantedWord } from './row-question.ts';

/** Rows shown if a question asks for the latest decisions without a number. */
const latestShown = 5;

/**
 * Answers a question for a list of tasks, decisions or projects from the rows of a view. The answer is a line that says
 * what is listed and how many rows there are, a Markdown list of the first twenty with their citations, and the number
 * of the others. Rows of the same source share its number.
 *
 * Returns undefined if the question is not clearly for rows, or names something that no row has, so that texts may
 * answer it. Says that there are no rows only if it understood the whole question. Takes one pass over the rows,
 * and keeps only the rows that are shown.
 */
export function rowsAnswer(
  question: Question,
  rowsOf: (kind: RowKind) => Iterable<Row>,
  markup: AnswerMarkup,
): Answer | undefined {
  const asked = rowQuestion(question);
  if (asked === undefined) return undefined;
  const { today } = question;
  const found = matchingRows(asked, rowsOf(asked.kind), today);
  if (!isAnswer(asked, found)) return undefined;
  const count = asked.latest === 'one' ? 1 : asked.latest === 'some' ? latestShown : found.shown.length;
  const shown = found.shown.slice(0, count);
  const isNewest = asked.latest !== undefined;
  const listed = isNewest ? { ...found, count: shown.length } : found;
  const numbers = new Map<string, number>();
  for (const { source } of shown) numbers.set(source.rowKey, numbers.get(source.rowKey) ?? numbers.size + 1);
  const lines = shown.map((row, at) => {
    const line = rowLine(row, { question: asked, today, markup });
    return `${at === 0 ? '\n\n' : '\n'}${line} [${numbers.get(row.source.rowKey)}]`;
  });
  const more = listed.count - shown.length;
  const lead = inert(leadOf(asked, listed), markup);
  const parts = [lead, ...lines, ...(more > 0 ? [`\n\n${moreLine(more, asked)}`] : [])];
  return { parts, sources: sourcesOf(shown) };
}

/** Returns whether the result, even an empty one, answers the question. */
function isAnswer({ needsOwner, isExplicit, words }: RowQuestion, found: MatchingRows): boolean {
  if (found.ofKind === 0 || (needsOwner && found.owners.length === 0)) return false;
  if (found.count > 0) return true;
  // Of several names it is not known whether rows must have all of them or one, unless they are somebody's in something.
  const others = words.length - found.owners.length;
  const isOneOfEach = others <= 1 && found.owners.length <= 1;
  return isExplicit && found.namesKnown && isOneOfEach;
}

/** Each once, by its first row. What several rows stand in has no date or status of its own here. */
function sourcesOf(rows: readonly Row[]): Source[] {
  const bySource = Map.groupBy(rows, ({ source }) => source.rowKey);
  return [...bySource].flatMap(([rowKey, [first, ...others]]) => {
    if (first === undefined) return [];
    const { tier, kind, date, status, source } = first;
    const ofOne = others.length === 0 ? { ...(date && { date }), ...(status && { status }) } : {};
    return [
      { rowKey, title: source.title, tier, kind, ...ofOne, ...(source.isByGuest && { isByGuest: true }) },
    ];
  });
}

/** Characters of a title that a list shows; titles are as long as their authors like. */
const maxTitleLength = 200;
/** Marks that would make of a title at the beginning of an item a heading, a quote, code or another list. */
const blockMarks = /^(?:[\s>#*+~=|_-]|`{3,})+/;
const listNumber = /^(\d{1,9})[.)](?=\s|$)/;

/** The settings of a line for people who ask for rows. */
interface RowLine {
  question: RowQuestion;
  today: string;
  markup: AnswerMarkup;
}

/**
 * An item of a Markdown list that shows a row, without its citation: the title
 * and what is known of the row beside it, but for what the question said
 * already. Whatever a title is made of, the item is one line and nothing in
 * it looks like a citation.
 */
function rowLine(row: Row, { question, today, markup }: RowLine): string {
  const details = detailsOf(row, question, today).filter((detail) => detail !== '');
  const text = [titleOf(row), details.join(', ')].filter((part) => part !== '').join(' — ');
  return `- ${inert(text, markup)}`;
}

/** A text on one line, without references, and with inert markup unless other is wanted. */
function inert(text: string, markup: AnswerMarkup): string {
  const filter = createMarkupFilter(markup, 'within line');
  return filter.push(withoutReferences(text.replace(/\s+/g, ' '))) + filter.end();
}

function titleOf({ title, kind, id }: Row): string {
  const plain = plainTitle(title.slice(0, 4 * maxTitleLength)).replace(/\s+/g, ' ');
  const text = plain.replace(blockMarks, '').replace(listNumber, '$1:').trim();
  const short = text.length > maxTitleLength ? `${text.slice(0, maxTitleLength).toWellFormed()} …` : text;
  if (short === '') return kind === 'project' ? id : '(…)';
  return kind === 'project' && short.toLowerCase() !== id ? `${short} (${id})` : short;
}

function detailsOf(row: Row, { statuses, isGerman }: RowQuestion, today: string): string[] {
  const { status, owner, due, date, project } = row;
  const namesStatus = statuses.size === 1;
  if (row.kind === 'project') return [];
  const shownStatus = namesStatus ? '' : isGerman ? (germanStatus[status] ?? status) : status;
  const inProject = project && (isGerman ? `Projekt ${project}` : `project ${project}`);
  if (row.kind === 'decision') return [shownStatus, date, inProject];
  const nobody = isGerman ? 'ohne Verantwortliche' : 'no owner';
  const late =
    status === 'open' && due !== '' && due < today ? (isGerman ? ', überfällig' : ', overdue') : '';
  const noDue = status !== 'open' ? '' : isGerman ? 'ohne Termin' : 'no due date';
  const shownDue = due === '' ? noDue : `${isGerman ? 'fällig' : 'due'} ${due}${late}`;
  return [owner || nobody, shownDue, shownStatus, inProject];
}

const germanStatus: Record<string, string> = {
  open: 'offen',
  done: 'erledigt',
  cancelled: 'abgebrochen',
  proposed: 'vorgeschlagen',
  accepted: 'angenommen',
  superseded: 'ersetzt',
  rejected: 'abgelehnt',
};

/** Returns a line that says what is listed and how many there are: "3 open tasks of mara due in November 2026:". */
function leadOf(question: RowQuestion, found: MatchingRows): string {
  const { count, otherStatus } = found;
  const words = question.isGerman ? german : english;
  const number = count === 0 ? words.none(question) : question.latest ? words.newest(count) : String(count);
  const what = words.what(question, count);
  const parts = [number, what, ...words.filters(question, found)].filter((part) => part !== '');
  const rest = otherStatus > 0 && question.assumesOpen ? ` (${words.others(otherStatus, count)})` : '';
  return parts.join(' ') + (count === 0 ? words.known.replace('.', `${rest}.`) : `${rest}:`);
}

/** How many rows more there are than are shown. */
function moreLine(more: number, { isGerman }: RowQuestion): string {
  return isGerman ? `… und ${more} weitere.` : `… and ${more} more.`;
}

interface LeadWords {
  none(question: RowQuestion): string;
  /** Statuses and noun. */
  what(question: RowQuestion, count: number): string;
  filters(question: RowQuestion, found: MatchingRows): string[];
  newest(count: number): string;
  others(count: number, beside: number): string;
  known: string;
}

const english: LeadWords = {
  none: () => 'No',
  what({ kind, statuses, overdue, latest }, count) {
    const status = statuses.size === 1 ? [...statuses].join('') : '';
    const noun = count === 1 || count === 0 ? kind : `${kind}s`;
    return [latest && 'latest', overdue ? 'overdue' : status, noun].filter(Boolean).join(' ');
  },
  filters(question, { owners, shown, range }) {
    const { overdue, unassigned, undated, dated } = question;
    const others = question.words.filter((word) => !owners.includes(word));
    const before =
      dated === 'due' ? 'due ' : question.kind === 'task' && question.statuses.size > 1 ? 'changed ' : '';
    const days = range && `${before}${daysIn(range, 'en', { in: 'in', on: 'on' })}`;
    return [
      ...(unassigned ? ['without an owner'] : []),
      ...(undated ? ['without a due date'] : []),
      ...ownersOf(owners, shown, 'of '),
      ...named(others.filter(isPerson), 'of '),
      ...named(
        others.filter(({ role }) => role === 'project'),
        'in project ',
      ),
      ...named(
        others.filter(({ role }) => role === 'tag'),
        'tagged #',
        ' #',
      ),
      ...quoted(others, 'about', '“', '”'),
      ...(days && !overdue ? [days] : []),
    ];
  },
  others: (count, beside) =>
    `${count}${beside > 0 ? ' more' : ''} ${count === 1 ? 'is' : 'are'} done or cancelled`,
  newest: (count) => (count === 1 ? 'The' : `The ${count}`),
  known: ' is known.',
};

const german: LeadWords = {
  none: ({ kind }) => (kind === 'project' ? 'Kein' : 'Keine'),
  what({ kind, statuses, overdue, latest }, count) {
    const isOne = count === 1 || count === 0;
    const noun = { task: 'Aufgabe', decision: 'Entscheidung', project: 'Projekt' }[kind];
    const plural = { task: 'Aufgaben', decision: 'Entscheidungen', project: 'Projekte' }[kind];
    const status = statuses.size === 1 ? (germanStatus[[...statuses].join('')] ?? '') : '';
    const newest = latest && (isOne ? 'neueste' : 'neuesten');
    const adjective = overdue ? 'überfällige' : inflected(status) + (latest && status && !isOne ? 'n' : '');
    return [newest, adjective, isOne ? noun : plural].filter(Boolean).join(' ');
  },
  filters(question, { owners, shown, range }) {
    const { overdue, unassigned, undated, dated } = question;
    const others = question.words.filter((word) => !owners.includes(word));
    const days = range && `${dated === 'due' ? 'fällig ' : ''}${daysIn(range, 'de', { in: 'im', on: 'am' })}`;
    return [
      ...(unassigned ? ['ohne Verantwortliche'] : []),
      ...(undated ? ['ohne Termin'] : []),
      ...ownersOf(owners, shown, 'von '),
      ...named(others.filter(isPerson), 'von '),
      ...named(
        others.filter(({ role }) => role === 'project'),
        'im Projekt ',
      ),
      ...named(
        others.filter(({ role }) => role === 'tag'),
        'mit #',
        ' #',
      ),
      ...quoted(others, 'zu', '„', '“'),
      ...(days && !overdue ? [days] : []),
    ];
  },
  others: (count, beside) => `${count}${beside > 0 ? ' weitere' : ''} erledigt oder abgebrochen`,
  newest: (count) => (count === 1 ? 'Die' : `Die ${count}`),
  known: ' ist bekannt.',
};

/** German adjectives before a noun in the feminine or the plural: "offene", "erledigte". */
function inflected(status: string): string {
  return status === '' ? '' : status.endsWith('en') ? `${status.slice(0, -2)}ene` : `${status}e`;
}

/** The owner as the rows call them, for questions have other forms of names. */
function ownersOf(owners: readonly WantedWord[], [first]: readonly Row[], of: string): string[] {
  return owners.length > 0 && first ? [of + first.owner] : named(owners, of);
}

function isPerson({ role, isName }: WantedWord): boolean {
  return role === 'owner' || (role === undefined && isName);
}

function named(words: RowQuestion['words'], before: string, between = ' '): string[] {
  return words.length === 0 ? [] : [before + words.map(({ text }) => text).join(between)];
}

function quoted(words: RowQuestion['words'], about: string, open: string, close: string): string[] {
  const free = words.filter((word) => word.role === undefined && !word.isName);
  return free.length === 0 ? [] : [`${about} ${open}${free.map(({ text }) => text).join(' ')}${close}`];
}

/** Days as people say them: "in November 2026", "in Q3 2026", "on 2026-11-03", "since 2026-05-01". */
function daysIn(
  { from, to }: { from?: string; to?: string },
  language: 'en' | 'de',
  prepositions: { in: string; on: string },
): string {
  const isGerman = language === 'de';
  if (from === undefined) return `${isGerman ? 'bis' : 'up to'} ${to}`;
  if (to === undefined) return `${isGerman ? 'seit' : 'since'} ${from}`;
  if (from === to) return `${prepositions.on} ${from}`;
  const [year, month] = [from.slice(0, 4), Number(from.slice(5, 7))];
  if (from.endsWith('-01-01') && to === `${year}-12-31`) return isGerman ? `im Jahr ${year}` : `in ${year}`;
  const lastDay = (months: number) =>
    new Date(Date.UTC(Number(year), month - 1 + months, 0)).toISOString().slice(0, 10);
  if (from.endsWith('-01') && to === lastDay(1)) {
    const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
      Date.parse(from),
    );
    return `${prepositions.in} ${name} ${year}`;
  }
  if (from.endsWith('-01') && month % 3 === 1 && to === lastDay(3))
    return `${prepositions.in} Q${(month + 2) / 3} ${year}`;
  return isGerman ? `vom ${from} bis ${to}` : `from ${from} to ${to}`;
}
