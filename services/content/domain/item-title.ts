/** Characters of a title that we make or pass on; longer ones are cut. */
export const titleMaxCharacters = 300;
/** Headings further down than this are not the title of the whole. */
const headingSearchCharacters = 20_000;
/** Characters of a line that are looked at. */
const headingLineCharacters = 1_000;

// Two expressions that cannot go back over what they read: one for the whole line took seconds on runs of spaces.
const headingOpening = /^ {0,3}#{1,6}(?=[ \t])/;
const headingClosing = /(?:^|[ \t])#+$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The title of an item: front matter `title`, else its first heading outside
 * of code, else its file name without extension.
 */
export function itemTitle(rowKey: string, content: string, frontmatter: Record<string, unknown>): string {
  const given = frontmatter.title;
  const title =
    (typeof given === 'string' && given.isWellFormed() ? given.trim() : '') ||
    firstHeading(content.slice(0, headingSearchCharacters)) ||
    fileName(rowKey);
  return [...title.slice(0, titleMaxCharacters * 2)].slice(0, titleMaxCharacters).join('').toWellFormed();
}

function firstHeading(content: string): string | undefined {
  let openFence: string | undefined;
  for (const line of content.split(/\r?\n/)) {
    const marker = fence.exec(line)?.[1];
    if (openFence !== undefined) {
      if (marker?.startsWith(openFence)) openFence = undefined;
    } else if (marker !== undefined) {
      openFence = marker;
    } else {
      const text = headingText(line.slice(0, headingLineCharacters));
      if (text !== '') return text;
    }
  }
  return undefined;
}

function headingText(line: string): string {
  const opening = headingOpening.exec(line)?.[0];
  if (opening === undefined) return '';
  return line.slice(opening.length).trim().replace(headingClosing, '').trim();
}

function fileName(rowKey: string): string {
  const name = rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
