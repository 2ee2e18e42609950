import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { markdownBody } from './markdown-body.ts';
import { plainTitle } from './plain-text.ts';

/** Headings further down than this are not the title of the whole. */
const headingSearchCharacters = 20_000;
/** Characters of a line that are looked at. */
const headingLineCharacters = 1_000;

// Two expressions that cannot go back over what they read: one for the whole line took seconds on runs of spaces.
const headingOpening = /^ {0,3}#{1,6}(?=[ \t])/;
const headingClosing = /(?:^|[ \t])#+$/;
// A line of signs alone is a rule, an empty heading or blank; an underline is one that follows a paragraph.
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const signsAlone = /^[\s#*_=-]*$/;
const otherBlock = /^ {0,3}(?:[>|<]|[-*+][ \t]|\d{1,9}[.)][ \t])/;
const indented = /^(?: {4}| {0,3}\t)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** The title of an item in which nothing else can be read. */
const untitled = 'Untitled';

/**
 * The title of an item as plain text: front matter `title`, else its first
 * heading outside of code, else its file name without extension, the first of
 * them that has words.
 */
export function itemTitle(rowKey: string, content: string, frontmatter: Record<string, unknown>): string {
  const given = frontmatter.title;
  const title =
    (typeof given === 'string' && given.isWellFormed() ? plainTitle(given) : '') ||
    plainTitle(firstHeading(markdownBody(content, headingSearchCharacters)) ?? '') ||
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
      const beginning = line.slice(0, headingLineCharacters);
      const text = headingText(beginning) || (underline.test(beginning) ? paragraph?.join(' ') : '');
      if (text) return text;
      paragraph = paragraphWith(beginning, paragraph);
    }
  }
  return undefined;
}

/**
 * The lines of the paragraph that a line ends or goes on with, which the next
 * one may underline; undefined within lists, quotes, tables and HTML, whose
 * last paragraph goes on up to a blank line.
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
