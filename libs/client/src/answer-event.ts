import { z } from 'zod';
import { parseShape } from './api-request.ts';
import type { ServerSentEvent } from './parse-event-stream.ts';
import { ProblemError } from './problem-error.ts';

const deltaSchema = z.looseObject({ text: z.string() });
const sourcesSchema = z.array(
  z.looseObject({
    row_key: z.string(),
    title: z.string().default(''),
    tier: z.string().default(''),
    kind: z.string().optional(),
    date: z.string().optional(),
    status: z.string().optional(),
  }),
);
const errorSchema = z.looseObject({
  code: z.string().default('unknown'),
  detail: z.string().default('The answer broke off.'),
});

/**
 * An item, decision, project or task that an answer rests on; the text refers to the first as `[1]`. `kind` says which
 * of them it is, `date` (YYYY-MM-DD) the day that it speaks of, `status` where it stands, as far as they are known.
 */
export type Source = z.infer<typeof sourcesSchema>[number];

/** A piece of an answer, or the items that it rests on. */
export type AnswerEvent = { type: 'delta'; text: string } | { type: 'sources'; sources: Source[] };

/**
 * Maps an event of the stream to a piece of the answer, `done` to the end of it,
 * and an event that a later service may add to undefined. Throws ProblemError for
 * an `error` event and TransportError `invalid_answer` for a payload of another shape.
 */
export function answerEventFromWire({ event, data }: ServerSentEvent): AnswerEvent | 'done' | undefined {
  if (event === 'delta') return { type: 'delta', text: parseShape(data, deltaSchema).text };
  if (event === 'sources') return { type: 'sources', sources: parseShape(data, sourcesSchema) };
  if (event === 'done') return 'done';
  if (event === 'error') throw new ProblemError(parseShape(data, errorSchema));
  return undefined;
}
