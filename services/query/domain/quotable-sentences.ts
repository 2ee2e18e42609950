import { type Span, sentencesOf, trimmed } from './sentences.ts';

/** Marks before the words of a line: quotes, list items with their box, headings. */
const lineMarks =
  /^(?:[ \t]*(?:>|#{1,6}(?=[ \t])|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX-]\](?=[ \t])))*[ \t]*/;
/** Marks looked for at the beginning of a line; longer runs of them are not marks any more. */
const maxMarksLength = 64;
const fenceMarker = /^[ \t]*(?:```|~~~)/;
const ruleLine = /^[\s|:=*_-]*$/;

/**
 * The sentences of a passage that can stand alone in an answer, in order:
 * sentences of its paragraphs; list items, table rows and lines of code each
 * on their own. Marks of Markdown at the start of a line are left out.
 */
export function quotableSentences(text: string): Span[] {
  const sentences: Span[] = [];
  let paragraph: Span | undefined;
  let inCode = false;
  const close = () => {
    if (paragraph) sentences.push(...sentencesOf(text, paragraph));
    paragraph = undefined;
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const marks = lineMarks.exec(line.slice(0, maxMarksLength))?.[0] ?? '';
    if (fenceMarker.test(line) || ruleLine.test(line)) {
      close();
      inCode = fenceMarker.test(line) ? !inCode : inCode;
    } else if (inCode || line.startsWith('|')) {
      close();
      sentences.push(...trimmed(text, { start, end }));
    } else if (paragraph && marks.trim() === '') {
      paragraph.end = end;
    } else {
      close();
      paragraph = { start: start + marks.length, end };
    }
    start = end + 1;
  }
  close();
  return sentences;
}
