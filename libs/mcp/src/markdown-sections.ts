// The headings of a Markdown text, and the part of it that stands under one of them.

/** A heading and where its section stands in the text, in UTF-16 units. */
export interface Section {
  /** 1 to 6. */
  level: number;
  heading: string;
  /** Where the line of the heading begins. */
  start: number;
  /** Where the next heading of the same or a higher level begins, or the end of the text. */
  end: number;
}

/** So many lines that may be headings are looked at: no text that people read has more, and more would hold up others. */
const maxMarkedLines = 20_000;
/** Lines that may be a heading or the border of fenced code: one search for all, because a text may have a million lines. */
const markedLine = /^ {0,3}(?:#{1,6}(?=[ \t\r\n]|$)|`{3,}|~{3,}).*$/gm;
const headingMarks = /^ {0,3}(#{1,6})/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Returns the sections of a text in its order. Lines that begin with # in fenced code are no headings. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let fence: string | undefined;
  let lines = 0;
  for (const { 0: marked, index: start } of text.matchAll(markedLine)) {
    lines += 1;
    if (lines > maxMarkedLines) break;
    const line = marked.replace(/\r$/, '');
    const [, marks, info = ''] = fenceLine.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && info.trim() === '') fence = undefined;
    } else if (marks === undefined) {
      const [before = '', { length: level } = ''] = headingMarks.exec(line) ?? [];
      sections.push({ level, heading: headingFrom(line.slice(before.length)), start, end: text.length });
    } else if (!(marks.startsWith('`') && info.includes('`'))) {
      fence = marks;
    }
  }
  closeSections(sections);
  return sections;
}

/**
 * Returns what stands between the marks of a heading. It walks from the end: an expression for closing marks would look at
 * a line with many spaces once for each of them, and a line may have a megabyte.
 */
function headingFrom(afterMarks: string): string {
  const line = afterMarks.trimEnd();
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  const isClosed = end < line.length && (end === 0 || line[end - 1] === ' ' || line[end - 1] === '\t');
  return (isClosed ? line.slice(0, end) : line).trim();
}

/** Ends each section where the next one of its level or above begins. */
function closeSections(sections: Section[]): void {
  const open: Section[] = [];
  for (const section of sections) {
    while ((open.at(-1)?.level ?? 0) >= section.level) {
      const closed = open.pop();
      if (closed !== undefined) closed.end = section.start;
    }
    open.push(section);
  }
}

/** Returns the first section with a heading, whatever its case and the white space in it. */
export function findSection(sections: readonly Section[], heading: string): Section | undefined {
  const wanted = comparable(heading);
  return sections.find((section) => comparable(section.heading) === wanted);
}

function comparable(heading: string): string {
  return heading.replace(/\s+/g, ' ').trim().replace(/^#+ ?/, '').toLowerCase();
}
