import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { checkMark, createFramer, dataNotice, guestMark, quoted, statusOf } from '../framed-text.ts';
import type { ClosestNote, Source } from '../memory.ts';
import { resourceUri } from '../resource-uri.ts';
import { question } from './fields.ts';
import { tool } from './tool.ts';

/** The least time between two notices of progress. */
const progressIntervalMs = 250;

// status, by_guest, quote and closest come too, without the words of a schema.
const output = z.looseObject({
  answer: z.string(),
  sources: z.array(
    z.looseObject({
      row_key: z.string(),
      title: z.string(),
      tier: z.string(),
      kind: z.string().optional(),
    }),
  ),
});

/** Asks for an answer with its sources. */
export const askTool = tool({
  name: 'ask',
  title: 'Ask',
  description:
    'Answer one question from the whole memory, with sources. May cost money: only for what search and fetch do not settle.',
  input: z.object({ question }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ question }, { memory, signal, progress, now }) {
    let answer = '';
    let sources: Source[] = [];
    let closest: ClosestNote[] = [];
    let toldMs = Number.NEGATIVE_INFINITY;
    for await (const part of memory.ask(question, { signal })) {
      if (part.type === 'sources') {
        ({ sources, closest = [] } = part);
        continue;
      }
      answer += part.text;
      if (now() - toldMs < progressIntervalMs) continue;
      toldMs = now();
      await progress(answer.length, `${answer.length} characters so far`);
    }
    const { frame } = createFramer();
    const list = sources.map(
      ({ row_key, title, tier, status, by_guest, to_be_checked_since: since }, index) =>
        [
          `[${index + 1}] ${quoted(row_key)} ${quoted(title)}`,
          ...statusOf({ status }),
          `tier ${tier}`,
          ...(by_guest ? [guestMark] : []),
          ...checkMark(since),
        ].join(' '),
    );
    return {
      text: [dataNotice, frame({ kind: 'answer' }, answer), frame({ kind: 'sources' }, list.join('\n'))].join(
        '\n\n',
      ),
      data: {
        answer,
        sources: sources.map(({ row_key, title, tier, kind, status, by_guest, quote }) => {
          return { row_key, title, tier, kind, status, by_guest, quote };
        }),
        ...(closest.length > 0 && { closest: closest.map(({ row_key, title }) => ({ row_key, title })) }),
      },
      links: sources.filter(isReadable).map((source) => linkTo(memory.holder.team, source)),
    };
  },
});

/** A project is a name and has no text to read. */
function isReadable({ kind }: Source): boolean {
  return kind !== 'project';
}

function linkTo(team: string, { row_key, title }: Source): ContentBlock {
  return {
    type: 'resource_link',
    uri: resourceUri(team, row_key),
    name: row_key,
    title,
    mimeType: 'text/markdown',
  };
}
