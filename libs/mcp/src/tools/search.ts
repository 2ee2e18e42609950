import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { z } from 'zod';
import { createFramer, dataNotice, placeOf } from '../framed-text.ts';
import type { Passage } from '../memory.ts';
import { instantOf } from './changes.ts';
import { question } from './fields.ts';
import { tool } from './tool.ts';

const defaultPassages = 8;
const maxPassages = 25;

const output = z.object({
  passages: z.array(
    z.object({
      row_key: z.string(),
      title: z.string(),
      heading: z.string(),
      text: z.string(),
      kind: z.string(),
      tier: z.string(),
      date: z.string().nullable(),
      status: z.string().nullable(),
      by_guest: z.boolean(),
      score: z.number(),
    }),
  ),
  incomplete: z.boolean(),
});

/** Finds passages, with where they stand: nothing is written by a model. */
export const searchTool = tool({
  name: 'search',
  title: 'Search',
  description:
    "Find passages in the team's notes, decisions and projects. Start here: it is free. Use words that the text may contain. prefix: only below a path.",
  input: z.object({
    query: question,
    prefix: z.string().max(maxRowKeyBytes).optional(),
    kind: z.enum(['item', 'decision', 'project']).optional(),
    since: z.string().max(40).optional(),
    limit: z.int().min(1).max(maxPassages).optional(),
  }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ query, prefix, kind, since, limit = defaultPassages }, { memory, signal, now }) {
    const day = since === undefined ? undefined : instantOf(since, now()).slice(0, 10);
    const options = { limit, prefix, kind, since: day, signal };
    const { passages, incomplete } = await memory.search(query, options);
    const { frame } = createFramer();
    const texts = passages.map((passage) => frame(labelOf(passage), passage.text));
    const notes = [
      ...(passages.length === 0
        ? ['Nothing was found. Try other words that the text may contain.']
        : [dataNotice]),
      ...(incomplete ? ['A part of the memory could not be searched, so there may be more.'] : []),
    ];
    return {
      text: [...notes, ...texts].join('\n\n'),
      data: { passages: passages.map(foundPassage), incomplete },
    };
  },
});

function labelOf(passage: Passage) {
  const { kind, row_key, title, tier, date, status, by_guest: byGuest, headings } = passage;
  const { to_be_checked_since: toBeCheckedSince } = passage;
  return {
    kind,
    id: row_key,
    title: placeOf(title, headings),
    tier,
    at: date,
    status,
    byGuest,
    toBeCheckedSince,
  };
}

function foundPassage(passage: Passage) {
  const { row_key, title, headings, text, kind, tier, date, status, by_guest = false, score } = passage;
  return { row_key, title, heading: headings.at(-1) ?? '', text, kind, tier, date, status, by_guest, score };
}
