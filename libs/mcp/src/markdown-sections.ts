// The headings of a Markdown text, and the part of it that stands under one of them.

import { headingText, markdownBlocks } from '@teammemory/markdown/blocks.ts';

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

/** Characters of a heading, and headings of a text, that are looked at: nobody writes more, and more would hold up others. */
const [maxHeadingCharacters, maxSections] = [200, 20_000];

/** Returns the sections of a text in its order, by the headings that a search shows with its passages. */
export function sectionsOf(text: string): Section[] {
  const sections = markdownBlocks(text)
    .filter(({ level }) => level > 0)
    .slice(0, maxSections)
    .map((block) => ({
      level: block.level,
      heading: headingText(text, block, maxHeadingCharacters),
      start: block.start,
      end: text.length,
    }));
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
  return heading.replace(/\s+/g, ' ').trim().replace(/^#+ ?/, '').toLowerCase();
}
