import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { type MarkdownBlock, markdownStructure } from './markdown-blocks.ts';
import { markdownBody } from './markdown-body.ts';
import { plainText, type References, referencesOf } from './plain-text.ts';
import type { SkipReason } from './skipped-text-store.ts';
import { type TaskAttributes, takeAttributes } from './task-attributes.ts';

/** Characters of a text in which tasks are looked for: far more than any list that people keep. */
export const searchedMaxCharacters = 256 * 1024;
/** Tasks made of one text: each is a row of its own. */
export const entriesMax = 2_000;

const statuses = { ' ': 'open', '\t': 'open', x: 'done', X: 'done', '-': 'cancelled' } as const;
/** The task list item marker of GFM, and `-` in its box for cancelled. */
const marker = /^\[([ \txX-])\][ \t\n]+(?=\S)/;

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

/** The tasks of a text, and why these are not all, if so. */
export interface TaskEntries {
  entries: TaskEntry[];
  shortfall: Exclude<SkipReason, 'too_complex'> | undefined;
}

/** The task list entries of a Markdown text, in order (decisions §5). */
export function taskEntries(content: string): TaskEntries {
  const text = markdownBody(content, searchedMaxCharacters).replaceAll('\0', '\ufffd');
  const { blocks, labels, isTooDeep } = markdownStructure(text);
  const references = referencesOf(labels);
  const entries: TaskEntry[] = [];
  let above: MarkdownBlock | undefined;
  let heading: string | null = null;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      above = block;
      continue;
    }
    const entry = entryFrom(block, references);
    if (entry === undefined) continue;
    if (entries.length === entriesMax) return { entries, shortfall: 'too_many' };
    // A text may have more headings than entries: only those that an entry stands below are read.
    if (above !== undefined) heading = cut(plainText(above.content, references)) || null;
    above = undefined;
    entries.push({ ...entry, heading });
  }
  if (isTooDeep) return { entries, shortfall: 'too_deep' };
  return { entries, shortfall: content.length > searchedMaxCharacters ? 'too_long' : undefined };
}

function entryFrom(block: MarkdownBlock, references: References): Omit<TaskEntry, 'heading'> | undefined {
  const [found, box] = marker.exec(block.content) ?? [];
  if (found === undefined) return undefined;
  // `[-]` is ordinary Markdown: where the page defines a link of that name, it is that link.
  if (box === '-' && references.references['-'] !== undefined) return undefined;
  const text = block.content.slice(found.length);
  const attributes: TaskAttributes = { owner: null, due: null, project: null, tags: [] };
  const rest = plainText(text, references, (piece) => takeAttributes(piece, attributes));
  return {
    // An entry that is nothing but attributes keeps them as its name, and a picture or tags without a text their markup.
    title: cut(rest || plainText(text, references) || text.replace(/\s+/g, ' ').trim()),
    status: statuses[box as keyof typeof statuses],
    line: block.line + 1,
    ...attributes,
  };
}

/** At most as many characters as a title has. */
function cut(text: string): string {
  return [...text].slice(0, maxTitleCharacters).join('').toWellFormed();
}
