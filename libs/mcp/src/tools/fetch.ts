import { z } from 'zod';
import { createFramer, dataNotice, type FrameLabel, quoted } from '../framed-text.ts';
import { findSection, sectionsOf } from '../markdown-sections.ts';
import { type Memory, MemoryError } from '../memory.ts';
import { namedBy, rowKeyFromUri } from '../resource-uri.ts';
import { checksumOf, id, name } from './fields.ts';
import { tool } from './tool.ts';

/** UTF-16 units of text in one result: about 5,000 tokens. */
const maxTextLength = 20_000;
/** Headings that are listed, and UTF-16 units of each: a heading is a line, and a line may have a megabyte. */
const [maxHeadings, maxHeadingLength] = [100, 200];

// by_guest comes too, without the words of a schema.
const output = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  tier: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
  status: z.string().optional(),
  date: z.string().optional(),
  checksum: z.string().nullable(),
  frontmatter: z.looseObject({}),
  text: z.string(),
  next_offset: z.int().nullable(),
  headings: z.array(z.string()),
});

/** Whatever is fetched, in one shape. */
export interface Fetched {
  id: string;
  kind: string;
  title: string;
  tier: string;
  updated_at: string;
  updated_by: string;
  by_guest: boolean;
  /** Of a decision or task, by its fields. */
  status?: string;
  /** The day that a decision was made, or that a task is due. */
  date?: string | undefined;
  checksum: string | null;
  frontmatter: Record<string, unknown>;
  text: string;
  /** Told in the first line of the frame. */
  label: Pick<FrameLabel, 'decidedOn' | 'task'>;
}

/** Reads one text, whole, by heading, or on from an offset. */
export const fetchTool = tool({
  name: 'fetch',
  title: 'Read',
  description:
    'Read an item (id: its row_key), a decision (decisions/…) or a task (tasks/…), whole or one section by heading. Go on with offset = next_offset.',
  input: z.object({ id, heading: name.optional(), offset: z.int().min(0).optional() }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ id, heading, offset = 0 }, { memory, signal }) {
    const { label, ...fetched } = await readText(memory, id, signal);
    const sections = sectionsOf(fetched.text);
    const headings = sections.slice(0, maxHeadings).map(({ heading }) => shortHeading(heading));
    const section = heading === undefined ? undefined : findSection(sections, heading);
    if (heading !== undefined && section === undefined) throw noHeading(headings);
    const whole = section ? fetched.text.slice(section.start, section.end) : fetched.text;
    const { text, nextOffset } = partOf(whole, offset);
    const { frame } = createFramer();
    const { kind, title, tier, status, by_guest: byGuest, updated_by: by, checksum } = fetched;
    const notes = [
      ...(checksum === null ? [] : [`checksum ${checksum}`]),
      ...(nextOffset === null ? [] : [`There is more: fetch again with offset ${nextOffset}.`]),
    ];
    return {
      text: [
        dataNotice,
        frame(
          { ...label, kind, id: fetched.id, title, status, tier, by, byGuest, at: fetched.updated_at },
          text,
        ),
        ...notes,
      ].join('\n\n'),
      data: { ...fetched, text, next_offset: nextOffset, headings },
    };
  },
});

/**
 * Reads an item, a decision or a task.
 * @throws MemoryError
 */
export async function readText(memory: Memory, given: string, signal: AbortSignal): Promise<Fetched> {
  const id = rowKeyFromUri(memory.holder.team, given) ?? given;
  const named = namedBy(id);
  if (named.kind === 'decision') {
    const decision = await memory.getDecision(named.decisionId, { signal });
    const { title, audience, body, updated_at, updated_by, status, project, decided_on } = decision;
    return {
      id,
      kind: 'decision',
      title,
      tier: audience,
      updated_at,
      updated_by,
      by_guest: false,
      status,
      date: decided_on ?? undefined,
      checksum: checksumOf(body),
      frontmatter: { status, project, decided_on },
      text: body,
      label: { decidedOn: decided_on },
    };
  }
  if (named.kind === 'task') {
    const task = await memory.getTask(named.taskId, { signal });
    const { title, tier, updated_at, source: place, task_id, ...frontmatter } = task;
    const { row_key: source, line } = place;
    const { status, owner, due } = frontmatter;
    return {
      id,
      kind: 'task',
      title,
      tier,
      updated_at,
      updated_by: '',
      by_guest: false,
      status,
      date: due ?? undefined,
      checksum: null,
      frontmatter: { ...frontmatter, source, line },
      text: title,
      label: { task: { owner, due, source, line } },
    };
  }
  const item = await memory.getItem(named.rowKey, { signal });
  const { row_key, title, tier, updated_at, updated_by, by_guest = false, checksum, frontmatter } = item;
  return {
    id: row_key,
    kind: 'item',
    title,
    tier,
    updated_at,
    updated_by,
    by_guest,
    checksum,
    frontmatter,
    text: item.content,
    label: {},
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
