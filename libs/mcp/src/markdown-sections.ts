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

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Returns the sections of a text in its order. Lines that begin with # in fenced code are no headings. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let fence: string | undefined;
  let start = 0;
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd).replace(/\r$/, '');
    const [, marks, info = ''] = fenceLine.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && info.trim() === '') fence = undefined;
    } else if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      fence = marks;
    } else {
      const [, hashes, heading = ''] = atxHeading.exec(line) ?? [];
      if (hashes !== undefined)
        sections.push({ level: hashes.length, heading: heading.trim(), start, end: text.length });
    }
    start = next;
  }
  closeSections(sections);
  return sections;
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
  return heading.replace(/^#+/, '').replace(/\s+/g, ' ').trim().toLowerCase();
}
