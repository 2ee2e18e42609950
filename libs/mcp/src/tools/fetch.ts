import { z } from 'zod';
import { createFramer, dataNotice, quoted } from '../framed-text.ts';
import { findSection, sectionsOf } from '../markdown-sections.ts';
import { type Memory, MemoryError } from '../memory.ts';
import { namedBy, rowKeyFromUri } from '../resource-uri.ts';
import { id, name } from './fields.ts';
import { tool } from './tool.ts';

/** UTF-16 units of text in one result: about 5,000 tokens. */
const maxTextLength = 20_000;
/** Headings that are listed, and UTF-16 units of each: a heading is a line, and a line may have a megabyte. */
const [maxHeadings, maxHeadingLength] = [100, 200];

const output = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  tier: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
  checksum: z.string().nullable(),
  frontmatter: z.looseObject({}),
  text: z.string(),
  next_offset: z.int().nullable(),
  headings: z.array(z.string()),
});

/** Whatever is fetched, in one shape. */
interface Fetched {
  id: string;
  kind: string;
  title: string;
  tier: string;
  updated_at: string;
  updated_by: string;
  checksum: string | null;
  frontmatter: Record<string, unknown>;
  text: string;
}

/** Reads one text, whole, by heading, or on from an offset. */
export const fetchTool = tool({
  name: 'fetch',
  title: 'Read',
  description:
    'Read an item (id: its row_key), a decision (decisions/…) or a task (tasks/…), whole or one section by its heading. Go on with offset = next_offset. push needs the checksum.',
  input: z.object({ id, heading: name.optional(), offset: z.int().min(0).optional() }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ id, heading, offset = 0 }, { memory, signal }) {
    const fetched = await read(memory, id, signal);
    const sections = sectionsOf(fetched.text);
    const headings = sections.slice(0, maxHeadings).map(({ heading }) => shortHeading(heading));
    const section = heading === undefined ? undefined : findSection(sections, heading);
    if (heading !== undefined && section === undefined) throw noHeading(headings);
    const whole = section ? fetched.text.slice(section.start, section.end) : fetched.text;
    const { text, nextOffset } = partOf(whole, offset);
    const { frame } = createFramer();
    const { kind, title, tier, updated_by, updated_at, checksum } = fetched;
    const notes = [
      ...(checksum === null ? [] : [`checksum ${checksum}`]),
      ...(nextOffset === null ? [] : [`There is more: fetch again with offset ${nextOffset}.`]),
    ];
    return {
      text: [
        dataNotice,
        frame({ kind, id: fetched.id, title, tier, by: updated_by, at: updated_at }, text),
        ...notes,
      ].join('\n\n'),
      data: { ...fetched, text, next_offset: nextOffset, headings },
    };
  },
});

async function read(memory: Memory, given: string, signal: AbortSignal): Promise<Fetched> {
  const id = rowKeyFromUri(memory.holder.team, given) ?? given;
  const named = namedBy(id);
  if (named.kind === 'decision') {
    const { title, audience, body, updated_at, updated_by, ...rest } = await memory.getDecision(
      named.decisionId,
      { signal },
    );
    const { status, project, decided_on } = rest;
    const frontmatter = { status, project, decided_on };
    return {
      ...{ id, kind: 'decision', title, tier: audience, updated_at, updated_by },
      ...{ checksum: null, frontmatter, text: body },
    };
  }
  if (named.kind === 'task') {
    const { title, tier, updated_at, source, task_id, ...frontmatter } = await memory.getTask(named.taskId, {
      signal,
    });
    return {
      ...{ id, kind: 'task', title, tier, updated_at, updated_by: '' },
      ...{
        checksum: null,
        frontmatter: { ...frontmatter, source: source.row_key, line: source.line },
        text: title,
      },
    };
  }
  const item = await memory.getItem(named.rowKey, { signal });
  const { row_key, title, tier, updated_at, updated_by, checksum, frontmatter, content } = item;
  return {
    ...{ id: row_key, kind: 'item', title, tier, updated_at, updated_by },
    ...{ checksum, frontmatter, text: content },
  };
}

/** Returns the part of a text from an offset on, never cut within a character. */
function partOf(text: string, offset: number): { text: string; nextOffset: number | null } {
  const start = isWithinCharacter(text, offset) ? offset + 1 : offset;
  let end = start + maxTextLength;
  if (end >= text.length) return { text: text.slice(start), nextOffset: null };
  // A part ends with a line if it has one that is not too far up.
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1;
  if (lineEnd > start + maxTextLength / 2) end = lineEnd;
  else if (isWithinCharacter(text, end)) end -= 1;
  return { text: text.slice(start, end), nextOffset: end };
}

function isWithinCharacter(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function shortHeading(heading: string): string {
  return heading.slice(0, maxHeadingLength).toWellFormed();
}

function noHeading(headings: readonly string[]): MemoryError {
  const known =
    headings.length === 0 ? 'It has no headings.' : `Its headings: ${headings.map(quoted).join('; ')}`;
  return new MemoryError('not_found', `There is no such heading. ${known}`);
}
