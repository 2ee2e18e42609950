import MarkdownIt, { type Token } from 'markdown-it';
import { titleMaxCharacters } from './item-title.ts';
import { markdownBody } from './markdown-body.ts';
import { type TaskAttributes, takeAttributes } from './task-attributes.ts';

/**
 * Characters of a text in which tasks are looked for: the worst text of this
 * length known to us (50 quotes deep, one letter a line) takes half a second.
 */
export const searchedMaxCharacters = 256 * 1024;
/** Tasks made of one text: each is a row of its own. */
export const entriesMax = 2_000;
/** Characters of an entry's first paragraph, or of a heading, that are looked at. */
const paragraphMaxCharacters = 2_000;

const statuses = { ' ': 'open', '\t': 'open', x: 'done', X: 'done', '-': 'cancelled' } as const;
/** The task list item marker of GFM, and `-` in its box for cancelled. */
const marker = /^\[([ \txX-])\][ \t\n]+(?=\S)/;
/** An HTML tag that is a line break in the text. */
const htmlBreak = /^<br\b/i;

/** A task as it stands in a text. */
export interface TaskEntry extends TaskAttributes {
  /** Plain text of the entry's first paragraph without its attributes. */
  title: string;
  status: 'open' | 'done' | 'cancelled';
  /** From 1, in the text as given. */
  line: number;
  /** Plain text of the nearest heading above; null where there is none. */
  heading: string | null;
}

// Blocks are found by a CommonMark parser, so that code, quotes and nesting are what they are on a page;
// inline text is parsed for the few paragraphs that become titles only.
const markdown = new MarkdownIt('commonmark').enable('strikethrough');
// Blocks below this level: a list and its entry are a level each, so that ten lists within each other are read. The
// types do not know of the option.
Object.assign(markdown.options, { maxNesting: 21 });

interface References {
  references?: Record<string, unknown>;
}

/** The task list entries of a Markdown text, in order (decisions §5). */
export function taskEntries(content: string): TaskEntry[] {
  const tokens: Token[] = [];
  const references: References = {};
  const text = markdownBody(content, searchedMaxCharacters).replaceAll('\0', '\ufffd');
  markdown.block.parse(text, markdown, references, tokens);
  const entries: TaskEntry[] = [];
  let heading: string | null = null;
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline' || entries.length === entriesMax) continue;
    const opening = tokens[index - 1]?.type;
    if (opening === 'heading_open') heading = plainText(token.content, references) || null;
    const opensEntry = opening === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
    const entry = opensEntry ? entryFrom(token, references) : undefined;
    if (entry !== undefined) entries.push({ ...entry, heading });
  }
  return entries;
}

function entryFrom(token: Token, references: References): Omit<TaskEntry, 'heading'> | undefined {
  const [found, box] = marker.exec(token.content) ?? [];
  if (found === undefined) return undefined;
  // `[-]` is ordinary Markdown: where the page defines a link of that name, it is that link.
  if (box === '-' && references.references?.['-'] !== undefined) return undefined;
  const text = token.content.slice(found.length);
  const attributes: TaskAttributes = { owner: null, due: null, project: null, tags: [] };
  const rest = plainText(text, references, (piece) => takeAttributes(piece, attributes));
  return {
    // An entry that is nothing but attributes keeps them as its name, and a picture or tags without a text their markup.
    title: rest || plainText(text, references) || cut(text),
    status: statuses[box as keyof typeof statuses],
    line: (token.map?.[0] ?? 0) + 1,
    ...attributes,
  };
}

/** The words of a paragraph without its markup; `edit` gets those that are neither code nor escaped nor part of a link. */
function plainText(source: string, references: References, edit = (piece: string) => piece): string {
  const tokens: Token[] = [];
  markdown.inline.parse(source.slice(0, paragraphMaxCharacters), markdown, references, tokens);
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
  return cut(text);
}

/** One line of at most as many characters as a title has. */
function cut(text: string): string {
  const words = text.slice(0, paragraphMaxCharacters).replace(/\s+/g, ' ').trim();
  return [...words].slice(0, titleMaxCharacters).join('').toWellFormed();
}
