import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { markdownBody } from '../markdown/markdown-lines.ts';
import { plainTitle } from '../markdown/plain-text.ts';

/** A heading further down than this is not the title of the whole. */
const maxHeadingSearchCharacters = 20_000;
/** Characters of a line that are looked at. */
const maxHeadingLineCharacters = 1_000;

// Two expressions that never backtrack over what they read: one for the whole line took seconds on runs of spaces.
const headingOpening = /^ {0,3}#{1,6}(?=[ \t])/;
const headingClosing = /(?:^|[ \t])#+$/;
// A line of signs alone is a rule, an empty heading or blank. After a paragraph it is an underline.
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const signsAlone = /^[\s#*_=-]*$/;
const otherBlock = /^ {0,3}(?:[>|<]|[-*+][ \t]|\d{1,9}[.)][ \t])/;
const indented = /^(?: {4}| {0,3}\t)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** The title of an item that has no other. */
const untitled = 'Untitled';

/**
 * Returns the title of an item as plain text: the front matter's `title`, else the first heading outside of code, else
 * the file name without extension, whichever of them is the first that has words.
 */
export function itemTitle(rowKey: string, content: string, frontmatter: Record<string, unknown>): string {
  const given = frontmatter.title;
  const title =
    (typeof given === 'string' && given.isWellFormed() ? plainTitle(given) : '') ||
    plainTitle(firstHeading(markdownBody(content, maxHeadingSearchCharacters)) ?? '') ||
    plainTitle(fileName(rowKey)) ||
    untitled;
  return [...title.slice(0, maxTitleCharacters * 2)]
    .slice(0, maxTitleCharacters)
    .join('')
    .trim()
    .toWellFormed();
}

function firstHeading(content: string): string | undefined {
  let openFence: string | undefined;
  let paragraph: string[] | undefined = [];
  for (const line of content.split('\n')) {
    const marker = fence.exec(line)?.[1];
    if (openFence !== undefined) {
      if (marker?.startsWith(openFence)) openFence = undefined;
    } else if (marker !== undefined) {
      openFence = marker;
      paragraph = [];
    } else {
      const beginning = line.slice(0, maxHeadingLineCharacters);
      const text = headingText(beginning) || (underline.test(beginning) ? paragraph?.join(' ') : '');
      if (text) return text;
      paragraph = paragraphWith(beginning, paragraph);
    }
  }
  return undefined;
}

/**
 * Returns the lines of the open paragraph after a line, which the next line may underline; undefined within lists,
 * quotes, tables and HTML, whose last paragraph continues up to a blank line.
 */
function paragraphWith(line: string, before: string[] | undefined): string[] | undefined {
  if (signsAlone.test(line)) return [];
  if (before === undefined || otherBlock.test(line)) return undefined;
  const isCode = before.length === 0 && indented.test(line);
  if (!isCode) before.push(line.trim());
  return before;
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
