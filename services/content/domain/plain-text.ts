import MarkdownIt, { type Token } from 'markdown-it';

/** Characters of a text that are read; titles are made of fewer. */
export const plainTextMaxCharacters = 1_000;
/** How often a text is read until it stays the same: what is escaped, or code, may be markup once more. */
const readingsMax = 3;

// Inline text only; blocks are found by `markdown-blocks.ts`.
const markdown = new MarkdownIt('commonmark').enable('strikethrough');
// No link is shown: where it would lead to is no reason to leave its markup in.
markdown.validateLink = () => true;
/** An HTML tag that is a line break in the text. */
const htmlBreak = /^<br\b/i;

/** The link reference definitions of a text, as the parser wants them. */
export interface References {
  references: Record<string, unknown>;
}

/** Where links lead to does not matter here, only which names are links. */
export function referencesOf(labels: readonly string[]): References {
  const link = { href: '', title: '' };
  // A name may be that of a member of every object.
  const references: Record<string, unknown> = Object.create(null);
  for (const label of labels) references[markdown.utils.normalizeReference(label)] ??= link;
  return { references };
}

const noReferences = referencesOf([]);

/**
 * The words of a paragraph without its markup and HTML tags, on one line;
 * `edit` gets those that are neither code nor escaped nor part of a link.
 */
export function plainText(
  source: string,
  references = noReferences,
  edit = (piece: string) => piece,
): string {
  const tokens: Token[] = [];
  markdown.inline.parse(source.slice(0, plainTextMaxCharacters), markdown, references, tokens);
  let text = '';
  let links = 0;
  for (const { type, content } of tokens) {
    if (type === 'link_open') links += 1;
    else if (type === 'link_close') links -= 1;
    else if (type === 'text' && links === 0) text += edit(content);
    else if (type === 'softbreak' || type === 'hardbreak') text += ' ';
    else if (type === 'html_inline') text += htmlBreak.test(content) ? ' ' : '';
    else text += content;
  }
  return oneLine(text);
}

/** What only a text with markup, escapes or character references has. */
const special = /[\\`*_~[\]<>&]/;
const blockMarkers = /^(?:(?:#{1,6}|[->*+])\s+)+/;
const controls = /\p{Cc}/gu;
/** What is not shown and changes how the text around it is shown; joiners of letters and emoji are not among them. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** What may still be taken for a tag, such as one that has no end. */
const tagOpening = /<(?=[a-z/!?])/gi;

/**
 * A title as plain text: whoever shows it, even as Markdown or HTML, shows
 * words. Read again it stays what it is.
 */
export function plainTitle(source: string): string {
  let text = oneLine(source.slice(0, plainTextMaxCharacters).replace(controls, ' ').replace(unseen, ''));
  for (let reading = 0; reading < readingsMax; reading += 1) {
    const before = text;
    text = text.replace(blockMarkers, '');
    if (special.test(text)) text = plainText(text).replace(controls, ' ').replace(unseen, '');
    if (text === before) break;
  }
  return oneLine(text.replace(tagOpening, ''));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toWellFormed();
}
