import type { DateRange, DatesWanted } from '../dates/dates-wanted.ts';
import type { Question } from '../ranking/question.ts';
import { analyze } from '../text/analyzer.ts';
import type { RowKind } from './row.ts';
import {
  kindOfNoun,
  rowWords,
  statusesOfKind,
  statusesOfWord,
  type Token,
  time,
  tokensOf,
} from './row-words.ts';

/** Questions for lists are short; nothing is looked for in longer ones. */
const maxQuestionLength = 300;
/** Words that rows must have, at most: of names and titles nobody writes more. */
const maxWantedWords = 12;

/** A word of the question that rows of the answer must have. */
export interface WantedWord {
  /** As it was asked, in lower case. */
  text: string;
  /** Its terms, by `analyze`. */
  terms: readonly string[];
  /** What it must be where the question says so: in "the pricing project" a project. */
  role?: 'owner' | 'project' | 'tag';
  /** It stands where a name does, as in "does Zoe have", so that there being no such name is an answer. */
  isName: boolean;
}

/** A question that rows may answer, as far as it is understood without knowing them. */
export interface RowQuestion {
  kind: RowKind;
  /** Those that rows may have. */
  statuses: ReadonlySet<string>;
  /** It did not say which, so that those of tasks that are over are at least counted. */
  assumesOpen: boolean;
  words: readonly WantedWord[];
  /** Whether words may stand in titles, or must be names of owners, projects or tags. */
  searchesTitles: boolean;
  /** Whether one of the words must be an owner's. */
  needsOwner: boolean;
  /** Whether the words must be most of a title: "when are invoices due" is not about a task to migrate them. */
  needsTitle: boolean;
  unassigned: boolean;
  /** Only those without a day when they are due. */
  undated: boolean;
  overdue: boolean;
  /** Of these days the first range that any row lies in counts; empty where any day will do. */
  ranges: readonly DateRange[];
  /** The date that must lie in them. */
  dated: 'due' | 'date';
  /** It asks for the newest: for one, or for some. */
  latest?: 'one' | 'some';
  /** It names rows by their noun, so that there being none is an answer. */
  isExplicit: boolean;
  isGerman: boolean;
}

/**
 * What a question asks of tasks, decisions or projects; undefined for one that is not clearly a question for a list of
 * them. It is for a list where a noun for rows is what it asks for ("which
 * tasks", not "the task queue"), or where it asks what somebody is working on,
 * what is due, overdue, left or cancelled, or what was decided in some time.
 * Every other word must be one that says nothing, or is wanted of the rows.
 */
export function rowQuestion({ text, dates: times }: Question): RowQuestion | undefined {
  if (text.length > maxQuestionLength) return undefined;
  const tokens = tokensOf(text, times.words);
  const has = (words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text));
  const isLookup = asksOfOne(tokens);
  if (has(rowWords.refused) && !isLookup) return undefined;
  const form = formOf(tokens, { isLookup, ...times });
  const words = form && wantedWords(tokens, form.kind);
  if (form === undefined || words === undefined || words.length > maxWantedWords) return undefined;
  const hasRange = times.from !== undefined || times.to !== undefined;
  const asksLittle = words.length === 0 && !hasRange && !times.overdue && !times.latest;
  if (asksLittle && (isDefinition(tokens) || form.needsFilter)) return undefined;
  const { kind } = form;
  const said = times.words.map(({ start, end }) => text.slice(start, end));
  const isPresent = times.latest && said.some((word) => rowWords.present.test(word));
  const statuses = statusesAsked(tokens, { kind, isLookup, isPresent, overdue: times.overdue });
  const isDue = has(rowWords.due);
  const dated =
    kind === 'task' && (isDue || statuses.asked.has('open')) && !has(rowWords.changed) ? 'due' : 'date';
  // "Working on today" and "open today" are not what is due today.
  const isNow = dated === 'due' && !isDue && (form.needsOwner || times.latest);
  return {
    kind,
    words,
    dated,
    overdue: times.overdue,
    isExplicit: form.isExplicit,
    statuses: statuses.asked,
    assumesOpen: statuses.assumesOpen,
    searchesTitles: form.searchesTitles,
    needsOwner: form.needsOwner,
    needsTitle: form.needsTitle,
    unassigned: has(rowWords.unassigned),
    undated: has(rowWords.undated),
    ranges: isNow ? [] : rangesOf(times, dated === 'due' && !isPast(tokens)),
    ...(times.latest && !isPresent && kind === 'decision' && { latest: form.isPlural ? 'some' : 'one' }),
    isGerman: has(rowWords.german) || /^(?:wer|wann)$/.test(tokens[0]?.text ?? ''),
  };
}

/** "When is … due", "what is the deadline for …" and "who owns …" ask for rows by their titles. */
function asksOfOne(tokens: readonly Token[]): boolean {
  const has = (words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text));
  const [first, second, third, fourth] = tokens.map(({ text }) => text);
  if (/^(?:when|wann|quand|cuándo|quando)$/.test(first ?? '')) return has(rowWords.due);
  if (/^(?:who|wer|qui|quién|chi|wie|quem)$/.test(first ?? '')) return has(rowWords.lookup);
  const isOfThe = /^(?:is|was)$/.test(second ?? '') && third === 'the' && rowWords.due.has(fourth ?? '');
  return first === 'what' && isOfThe;
}

function isPast(tokens: readonly Token[]): boolean {
  return (
    tokens.some(({ text }) => /^(?:were|was|waren|étaient|eran)$/.test(text)) && tokens[0]?.text !== 'was'
  );
}

/** The statuses that are asked for: where none is named those of tasks that are open, of decisions all. */
function statusesAsked(
  tokens: readonly Token[],
  {
    kind,
    isLookup,
    isPresent,
    overdue,
  }: { kind: RowKind; isLookup: boolean; isPresent: boolean; overdue: boolean },
): { asked: ReadonlySet<string>; assumesOpen: boolean } {
  const has = (words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text));
  const named = namedStatuses(tokens, kind);
  if (named) return { asked: new Set(named), assumesOpen: false };
  if (overdue) return { asked: new Set(['open']), assumesOpen: false };
  if (kind === 'decision' && isPresent) return { asked: new Set(['accepted']), assumesOpen: false };
  const isAny =
    isLookup || has(rowWords.changed) || has(rowWords.all) || (has(rowWords.due) && isPast(tokens));
  const assumesOpen = kind === 'task' && !isAny;
  return { asked: new Set(assumesOpen ? ['open'] : [...statusesOfKind(kind), '']), assumesOpen };
}

/** The ranges that may be meant, the likelier first: what is due lies ahead. */
function rangesOf({ from, to, coming }: DatesWanted, isAhead: boolean): DateRange[] {
  if (from === undefined && to === undefined) return [];
  const range = { ...(from && { from }), ...(to && { to }) };
  return isAhead && coming ? [coming, range] : [range];
}

interface Form {
  kind: RowKind;
  isPlural: boolean;
  isExplicit: boolean;
  searchesTitles: boolean;
  needsOwner: boolean;
  /** What is asked for is a row by its title, not what its title also speaks of. */
  needsTitle: boolean;
  /** Too little is said where nothing else is asked for. */
  needsFilter: boolean;
}

interface Asked {
  isLookup: boolean;
  overdue: boolean;
  latest: boolean;
  from?: string;
  to?: string;
}

/** Which rows a question is for, by its noun or by its verb. */
function formOf(tokens: readonly Token[], asked: Asked): Form | undefined {
  const { isLookup, overdue } = asked;
  const form = {
    isPlural: true,
    isExplicit: false,
    searchesTitles: true,
    needsOwner: false,
    needsTitle: false,
    needsFilter: false,
  };
  const heads = tokens.flatMap((_, at) => headAt(tokens, at, isLookup) ?? []);
  const [head] = heads;
  if (heads.some(({ kind }) => kind !== head?.kind && kind !== 'project')) return undefined;
  if (head) return { ...form, ...head, isExplicit: true, needsFilter: isLookup };
  // "The task" is one that is known: no list of its kind.
  if (tokens.some(({ text }) => !['project', undefined].includes(kindOfNoun.get(text)?.kind)))
    return undefined;
  const has = (words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text));
  const first = tokens.find(({ text }) => text !== time)?.text ?? '';
  const asksWhat =
    /^(?:what|which|is|are|was|wer|que|qué|cosa|wat|o|qu|anything|everything|woran|all)$/.test(first) ||
    (/^(?:does|do|has)$/.test(first) && tokens.some(({ text }) => text === 'anything'));
  const hasTime = asked.from !== undefined || asked.to !== undefined;
  if (isLookup && has(rowWords.due)) return { ...form, kind: 'task', needsFilter: true, needsTitle: true };
  const hasWork = has(rowWords.work);
  if (asksWhat && hasWork) return { ...form, kind: 'task', searchesTitles: false, needsOwner: true };
  if (asksWhat && has(rowWords.decide))
    return hasTime || asked.latest ? { ...form, kind: 'decision', searchesTitles: false } : undefined;
  if (overdue || (asksWhat && has(rowWords.due)))
    return asksWhat || tokens.length <= 4
      ? { ...form, kind: 'task', isExplicit: true, searchesTitles: false }
      : undefined;
  const status = tokens.flatMap(({ text }) => statusesOfWord.get(text) ?? [])[0];
  return asksWhat && status ? { ...form, kind: status.kind, searchesTitles: false } : undefined;
}

/** The kind of rows, where the noun at this place is what the question asks for. */
function headAt(
  tokens: readonly Token[],
  at: number,
  isLookup: boolean,
): { kind: RowKind; isPlural: boolean } | undefined {
  const noun = kindOfNoun.get(tokens[at]?.text ?? '');
  if (noun === undefined) return undefined;
  const [before, after] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (noun.isPlural) return noun;
  if (noun.kind === 'project') return rowWords.choosing.has(before) && says(after) ? noun : undefined;
  if (isLookup) return noun;
  const isChosen = rowWords.choosing.has(before) || before === time || statusesOfWord.has(before);
  const isAsked =
    !/^(?:what|was|que|qué)$/.test(tokens[0]?.text ?? '') || tokens[0]?.text === before || before === time;
  return isChosen && isAsked && says(after) ? noun : undefined;
}

/** Whether what follows a noun does not make another noun of it, as in "task queue". */
function says(word: string): boolean {
  return (
    word === '' ||
    word === time ||
    rowWords.functionWords.has(word) ||
    rowWords.due.has(word) ||
    statusesOfWord.has(word)
  );
}

/** "What are tasks?" and "do tasks have owners?" ask what they are, not which there are. */
function isDefinition(tokens: readonly Token[]): boolean {
  const [first = '', second = '', third = '', ...rest] = tokens.map(({ text }) => text);
  if (/^(?:do|does|can|could|should|must|will|may)$/.test(first)) return kindOfNoun.has(second);
  const asksWhat = /^(?:what|was)$/.test(first) && /^(?:is|are|sind|ist)$/.test(second);
  return asksWhat && kindOfNoun.has(third) && rest.length === 0;
}

/** Returns the statuses of a kind that a question names, or all others if it says "not"; undefined if it names none. */
function namedStatuses(tokens: readonly Token[], kind: RowKind): string[] | undefined {
  const named = tokens
    .flatMap(({ text }) => statusesOfWord.get(text) ?? [])
    .filter((each) => each.kind === kind);
  if (named.length === 0) return undefined;
  const statuses = named.map(({ status }) => status);
  const isDenied = tokens.some(({ text }) => rowWords.negations.has(text));
  return isDenied ? statusesOfKind(kind).filter((each) => !statuses.includes(each)) : statuses;
}

/** Returns the words that rows must have; undefined if one is for another kind of rows, or is not understood. */
function wantedWords(tokens: readonly Token[], kind: RowKind): WantedWord[] | undefined {
  const wanted: WantedWord[] = [];
  for (const [at, { text, mark }] of tokens.entries()) {
    if (isUnderstood(text, mark, kind)) continue;
    const other = statusesOfWord.get(text);
    if (rowWords.negations.has(text) && !tokens.some((each) => statusesOfWord.has(each.text)))
      return undefined;
    if (rowWords.negations.has(text)) continue;
    if (other && !other.some((each) => each.kind === kind)) return undefined;
    const terms = analyze(text);
    const role = roleAt(tokens, at);
    const isName = role !== undefined || isPerson(tokens, at);
    if (terms.length > 0) wanted.push({ text, terms, isName, ...(role && { role }) });
  }
  return wanted;
}

function isUnderstood(text: string, mark: string, kind: RowKind): boolean {
  if (mark === '@' || mark === '#' || mark === '+') return false;
  if (text === time || rowWords.functionWords.has(text) || rowWords.due.has(text)) return true;
  if (
    rowWords.unassigned.has(text) ||
    rowWords.undated.has(text) ||
    rowWords.changed.has(text) ||
    rowWords.lookup.has(text)
  )
    return true;
  if (rowWords.work.has(text) || rowWords.decide.has(text) || rowWords.choosing.has(text)) return true;
  const isStatus = statusesOfWord.get(text)?.some((each) => each.kind === kind) ?? false;
  return isStatus || kindOfNoun.has(text) || /^(?:when|wann|quand|cuándo|quando)$/.test(text);
}

/** Returns the role of a word by its neighbours. */
function roleAt(tokens: readonly Token[], at: number): WantedWord['role'] {
  const [before, here, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (here?.mark === '#') return 'tag';
  if (here?.mark === '@') return 'owner';
  const isProject = (token: Token | undefined) => {
    const noun = kindOfNoun.get(token?.text ?? '');
    return noun?.kind === 'project' && !noun.isPlural;
  };
  if (here?.mark === '+' || isProject(before) || isProject(after)) return 'project';
  return undefined;
}

/** "Zoe's tasks", "does Zoe have", "assigned to Zoe". */
function isPerson(tokens: readonly Token[], at: number): boolean {
  const [before, here, after] = [tokens[at - 1]?.text ?? '', tokens[at], tokens[at + 1]?.text ?? ''];
  const isDoing = /^(?:does|has|is|hat)$/.test(before) && /^(?:have|working|still|has|noch)$/.test(after);
  return here?.mark === "'s" || isDoing || (before === 'to' && tokens[at - 2]?.text === 'assigned');
}
