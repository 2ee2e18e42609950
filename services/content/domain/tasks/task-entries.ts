import { markdownBody } from '@teammemory/markdown/lines.ts';
import { type MarkdownBlock, markdownStructure } from '@teammemory/markdown/structure.ts';
import { isCalendarDay, isSlug } from '@teammemory/vocabulary/formats.ts';
import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { type TaskStatus, taskOwnerPattern } from '@teammemory/vocabulary/task.ts';
import { plainText, type References, referencesOf } from '../markdown/plain-text.ts';
import type { SkipReason } from './skipped-texts.ts';

/** Characters of a text in which tasks are looked for: far more than any list that people keep. */
export const maxSearchedCharacters = 256 * 1024;
/** Tasks made of one text: each is a row of its own. */
export const maxEntries = 2_000;
/** Tags kept of one task; more stay in its title. */
const maxTags = 20;

const statuses = { ' ': 'open', '\t': 'open', x: 'done', X: 'done', '-': 'cancelled' } as const;
/** The task list marker of GFM, and `[-]` for cancelled. */
const marker = /^\[([ \txX-])\][ \t\n]+(?=\S)/;

// A number alone is an issue of some tracker, not a tag.
const tag = /^#(?!\p{N}+$)([\p{L}\p{N}_](?:[\p{L}\p{N}_/-]{0,62}[\p{L}\p{N}_])?)$/u;

/** What words of a task's text say about the task. */
interface TaskAttributes {
  owner: string | null;
  /** YYYY-MM-DD, a day that exists. */
  due: string | null;
  project: string | null;
  tags: string[];
}

/** A task as it stands in a text. */
export interface TaskEntry extends TaskAttributes {
  /** Plain text of the entry's first paragraph without its attributes. */
  title: string;
  status: TaskStatus;
  /** From 1, in the text as given. */
  line: number;
  /** Plain text of the nearest heading above; null if there is none. */
  heading: string | null;
}

/** The tasks of a text. `shortfall` says why some are missing, if any are. */
export interface TaskEntries {
  entries: TaskEntry[];
  shortfall: Exclude<SkipReason, 'too_complex'> | undefined;
}

/** Returns the task list entries of a Markdown text, in order (docs/contract.md, "Tasks"). */
export function taskEntries(content: string): TaskEntries {
  const text = markdownBody(content, maxSearchedCharacters).replaceAll('\0', '\ufffd');
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
    if (entries.length === maxEntries) return { entries, shortfall: 'too_many' };
    // A text may have more headings than entries, so only headings that have an entry are read.
    if (above !== undefined) heading = cut(plainText(above.content, references)) || null;
    above = undefined;
    entries.push({ ...entry, heading });
  }
  if (isTooDeep) return { entries, shortfall: 'too_deep' };
  return { entries, shortfall: content.length > maxSearchedCharacters ? 'too_long' : undefined };
}

function entryFrom(block: MarkdownBlock, references: References): Omit<TaskEntry, 'heading'> | undefined {
  const [found, box] = marker.exec(block.content) ?? [];
  if (found === undefined) return undefined;
  // `[-]` is ordinary Markdown: if the text defines a link of that name, it is that link.
  if (box === '-' && references.references['-'] !== undefined) return undefined;
  const text = block.content.slice(found.length);
  const attributes: TaskAttributes = { owner: null, due: null, project: null, tags: [] };
  const rest = plainText(text, references, (piece) => takeAttributes(piece, attributes));
  return {
    // An entry of attributes alone keeps them as its title; a picture, or tags without text, keep their markup.
    title: cut(rest || plainText(text, references) || text.replace(/\s+/g, ' ').trim()),
    status: statuses[box as keyof typeof statuses],
    line: block.line + 1,
    ...attributes,
  };
}

/** Cuts a text to the length of a title. */
function cut(text: string): string {
  return [...text].slice(0, maxTitleCharacters).join('').toWellFormed();
}

/**
 * Moves `@name`, `due:YYYY-MM-DD`, `#tag` and `+project` from a text into `attributes`, and returns the rest. The first
 * owner, day and project count; invalid values and further ones stay text.
 */
function takeAttributes(text: string, attributes: TaskAttributes): string {
  return text.replace(/\S+/g, (word) => {
    const name = word.replace(/[.,;:!?)]{1,8}$/, '');
    return takeWord(name, attributes) ? '' : word;
  });
}

function takeWord(word: string, attributes: TaskAttributes): boolean {
  const name = word.startsWith('@') ? word.slice(1) : '';
  if (attributes.owner === null && taskOwnerPattern.test(name)) {
    attributes.owner = name;
    return true;
  }
  const label = tag.exec(word)?.[1];
  if (label !== undefined && attributes.tags.length < maxTags) {
    if (!attributes.tags.includes(label)) attributes.tags.push(label);
    return true;
  }
  const day = word.startsWith('due:') ? word.slice(4) : '';
  if (attributes.due === null && isCalendarDay(day)) {
    attributes.due = day;
    return true;
  }
  const slug = word.startsWith('+') ? word.slice(1) : '';
  if (attributes.project === null && isSlug(slug)) {
    attributes.project = slug;
    return true;
  }
  return false;
}
