import { maxBlockCharacters } from '@teammemory/markdown/structure.ts';
import MarkdownIt, { type Token } from 'markdown-it';

/** How often a title is read until it stays the same: what was escaped, or code, may be markup in turn. */
const maxReadings = 3;

// Inline text only; `libs/markdown` finds blocks.
const markdown = new MarkdownIt('commonmark').enable('strikethrough');
// Links are never shown, so no target is a reason to leave the markup in.
markdown.validateLink = () => true;
/** An HTML tag that stands for a line break. */
const htmlBreak = /^<br\b/i;

/** The link reference definitions of a text in the parser's form. */
export interface References {
  references: Record<string, unknown>;
}

/** Returns definitions of these names. Only names matter here, not where links lead. */
export function referencesOf(labels: readonly string[]): References {
  const link = { href: '', title: '' };
  // Without a prototype, because a name may be one that every object has, such as `constructor`.
  const references: Record<string, unknown> = Object.create(null);
  for (const label of labels) references[markdown.utils.normalizeReference(label)] ??= link;
  return { references };
}

const noReferences = referencesOf([]);

/**
 * Returns the words of a paragraph without markup and HTML tags, on one line. `edit` is applied to words that are not
 * code, escaped or part of a link.
 */
export function plainText(
  source: string,
  references = noReferences,
  edit = (piece: string) => piece,
): string {
  const tokens: Token[] = [];
  markdown.inline.parse(source.slice(0, maxBlockCharacters), markdown, references, tokens);
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

/** Characters that only texts with markup, escapes or character references have. */
const special = /[\\`*_~[\]<>&]/;
const blockMarkers = /^(?:(?:#{1,6}|[->*+])\s+)+/;
const controls = /\p{Cc}/gu;
/** Invisible characters that change how the text around them is shown, without the joiners of letters and emoji. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** The beginning of anything that might be taken for a tag, such as one without an end. */
const tagOpening = /<(?=[a-z/!?])/gi;

/** Returns a title as plain text that shows the same words even as Markdown or HTML. Reading it again changes nothing. */
export function plainTitle(source: string): string {
  let text = oneLine(source.slice(0, maxBlockCharacters).replace(controls, ' ').replace(unseen, ''));
  for (let reading = 0; reading < maxReadings; reading += 1) {
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
