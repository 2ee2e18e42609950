import { z } from 'zod';
import { dataNotice } from '../framed-text.ts';
import { MemoryError, type Passage } from '../memory.ts';
import { type Fetched, readText } from './fetch.ts';
import { id, question } from './fields.ts';
import { type Tool, tool } from './tool.ts';

// The tools of connectors that know no others, such as ChatGPT's: the names, arguments and answers are those that it
// documents. A result is one JSON text, which is its data too.

/** Passages of which the results are made, and UTF-16 units of a document: about 25,000 tokens. */
const [maxPassages, maxTextLength] = [25, 100_000];

const results = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
});
const document = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
});

/**
 * Makes the two tools.
 * @param dashboard address of the dashboard, without a slash at its end: where a person opens what is cited
 */
export function searchFetchTools(dashboard: string): readonly Tool[] {
  const search = tool({
    name: 'search',
    title: 'Search',
    description: "Find the team's notes and decisions. Use words that the text may contain.",
    input: z.object({ query: question }),
    output: results,
    annotations: { readOnlyHint: true },
    writes: false,
    async run({ query }, { memory, signal }) {
      const { passages } = await memory.search(query, { limit: maxPassages, signal });
      const found = new Map<string, Passage>();
      for (const passage of passages) {
        // A project is a name and has no text to read.
        if (passage.kind !== 'project' && !found.has(passage.row_key)) found.set(passage.row_key, passage);
      }
      const listed = [...found.values()].map(({ row_key, title }) => {
        return { id: row_key, title, url: pageOf(dashboard, row_key) };
      });
      return asJson({ results: listed });
    },
  });
  const fetch = tool({
    name: 'fetch',
    title: 'Read',
    description: 'Read a note or decision by its id.',
    input: z.object({ id }),
    output: document,
    annotations: { readOnlyHint: true },
    writes: false,
    async run({ id }, { memory, signal }) {
      const fetched = await readText(memory, id, signal);
      if (fetched.kind === 'task') throw new MemoryError('not_found', 'There is no such item.');
      const text = fetched.text.slice(0, maxTextLength).toWellFormed();
      return asJson({
        id: fetched.id,
        title: fetched.title,
        text,
        url: pageOf(dashboard, fetched.id),
        metadata: metadataOf(fetched),
      });
    },
  });
  return [search, fetch];
}

function asJson<Data extends object>(data: Data): { text: string; data: Data } {
  return { text: JSON.stringify({ notice: dataNotice, ...data }), data };
}

function metadataOf({ kind, tier, updated_at, updated_by, by_guest, status, text }: Fetched) {
  return {
    kind,
    tier,
    updated_at,
    updated_by,
    ...(status !== undefined && { status }),
    ...(by_guest && { by_guest: 'true' }),
    ...(text.length > maxTextLength && { cut: `after ${maxTextLength} of ${text.length} characters` }),
  };
}

/** The page of the dashboard that shows an item or decision. */
function pageOf(dashboard: string, id: string): string {
  const path = id.split('/').map(encodeURIComponent).join('/');
  return `${dashboard}/${/^decisions\/[^/]+$/.test(id) ? '' : 'memory/'}${path}`;
}
