/** Part of a text: from `start` to before `end`, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

const terminators = /[.!?…。！？]/g;
const fullWidth = '。！？';
const closers = '"\'”’)]*_`」』';
/** Closing quotes and brackets looked past after a full stop; real text has one or two. */
const maxClosers = 4;
const abbreviations = new Set(
  'al approx ca cf ch co corp dr e.g ed eds etc fig figs gen gov i.e inc jr ltd mr mrs ms no nos p pp prof rev sec sr st vol vs'.split(
    ' ',
  ),
);
/** In German the day before the name of a month has a full stop: "am 31. März". */
const dayOfMonth = /(?:^|\D)\d{1,2}$/;
const germanMonth =
  /^\s(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)/;
/** A blank and the longest of them. */
const germanMonthWindow = 10;
/** Enough before a full stop to see any of these abbreviations whole. */
const abbreviationWindow = 10;
const lastWord = /(?:^|[^\p{L}.])([\p{L}.]+)$/u;

/**
 * Cuts running text into sentences, in order, without the white space between
 * them. A full stop does not end a sentence before a lower-case letter, after
 * a common abbreviation or an initial, or within a German date. Time is linear
 * in the span.
 */
export function* sentencesOf(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  for (const { index } of text.slice(start, end).matchAll(terminators)) {
    const after = afterClosers(text, start + index + 1, end);
    if (!endsSentence(text, start + index, after, end)) continue;
    yield* trimmed(text, { start: from, end: after });
    from = after;
  }
  yield* trimmed(text, { start: from, end });
}

/** The span without the white space at its ends; none where nothing is left. */
export function trimmed(text: string, { start, end }: Span): Span[] {
  let first = start;
  let last = end;
  while (first < last && isSpace(text, first)) first += 1;
  while (first < last && isSpace(text, last - 1)) last -= 1;
  return first < last ? [{ start: first, end: last }] : [];
}

function afterClosers(text: string, position: number, end: number): number {
  const limit = Math.min(end, position + maxClosers);
  let after = position;
  while (after < limit && closers.includes(text.charAt(after))) after += 1;
  return after;
}

function endsSentence(text: string, stop: number, after: number, end: number): boolean {
  const terminator = text.charAt(stop);
  if (fullWidth.includes(terminator)) return true;
  if (after < end && !isSpace(text, after)) return false;
  if (terminator !== '.') return true;
  return !continuesInLowerCase(text, after, end) && !isAbbreviation(text, stop) && !isGermanDate(text, stop);
}

function isGermanDate(text: string, stop: number): boolean {
  const isDay = dayOfMonth.test(text.slice(Math.max(0, stop - 3), stop));
  return isDay && germanMonth.test(text.slice(stop + 1, stop + 1 + germanMonthWindow));
}

function continuesInLowerCase(text: string, after: number, end: number): boolean {
  // One blank is looked past: more of them, or a new line, is a break that the author made.
  return after + 1 < end && /\p{Ll}/u.test(text.charAt(after + 1));
}

function isAbbreviation(text: string, stop: number): boolean {
  const word = lastWord.exec(text.slice(Math.max(0, stop - abbreviationWindow), stop))?.[1] ?? '';
  return abbreviations.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word);
}

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}
