/** What an answer may show in another way than the note has it: marks of Markdown, brackets, white space. */
const unlike = /[^\p{L}\p{N}]+/gu;

/**
 * Returns an answer in which the first place of each quote is marked. Only letters and digits are compared, because an
 * answer shows markup in its own way; a quote that does not stand in it marks nothing.
 */
export function withMarkedQuotes(
  answer: string,
  quotes: readonly string[],
  mark: (words: string) => string,
): string {
  let shown = '';
  let rest = answer;
  for (const { start, end } of placesOf(answer, quotes)) {
    const before = answer.length - rest.length;
    if (start < before) continue;
    shown += rest.slice(0, start - before) + mark(answer.slice(start, end));
    rest = answer.slice(end);
  }
  return shown + rest;
}

function placesOf(answer: string, quotes: readonly string[]): { start: number; end: number }[] {
  /** The place in the answer of each letter and digit. */
  const places: number[] = [];
  let letters = '';
  let from = 0;
  for (const { 0: gap, index } of [
    ...answer.matchAll(unlike),
    Object.assign([''], { index: answer.length }),
  ]) {
    for (let place = from; place < index; place += 1) places.push(place);
    letters += answer.slice(from, index);
    from = index + (gap ?? '').length;
  }
  return quotes
    .flatMap((quote) => {
      const wanted = quote.replace(unlike, '');
      const at = wanted === '' ? -1 : letters.indexOf(wanted);
      const [start, last] = [places[at], places[at + wanted.length - 1]];
      return start === undefined || last === undefined ? [] : [{ start, end: last + 1 }];
    })
    .sort((left, right) => left.start - right.start);
}
