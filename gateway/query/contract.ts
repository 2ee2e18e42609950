import { isCalendarDay } from '@teammemory/vocabulary/formats.ts';
import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import { z } from 'zod';
import { byGuest, day, prose, toBeCheckedSince, visibleTo } from '../contract/answer-types.ts';
import { rowKeyPrefix, wireForm } from '../contract/field-types.ts';

const range = `must have 1 to ${maxQuestionCharacters} characters`;

/** What is asked, of POST /query and of GET /search alike. */
const question = z
  .string({ error: 'must be a string' })
  .min(1, { error: range, abort: true })
  .regex(/\S/, 'must not be white space only')
  .refine((text) => hasAtMostCharacters(text, maxQuestionCharacters), range)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .meta({ description: 'The question.', maxLength: maxQuestionCharacters });

/** The body of POST /query. */
export const queryBody = z.object({ q: question }, { error: 'must be an object' }).meta({ id: 'Question' });

const [defaultPassages, maxPassages] = [10, 50];
const passageKinds = ['item', 'decision', 'project'] as const;

/** The parameters of GET /search. */
export const searchQuery = z.object({
  q: question.meta({ description: 'The question, or words to search for.' }),
  limit: z
    .string({ error: 'must be given once' })
    .regex(/^0*[1-9]\d*$/, 'must be a positive whole number')
    .transform((digits) => Math.min(Number(digits), maxPassages))
    .meta({
      description: `Maximum number of passages. The default is ${defaultPassages}; more than ${maxPassages} is taken as ${maxPassages}.`,
    })
    .register(wireForm, { type: 'integer', minimum: 1, default: defaultPassages })
    .default(defaultPassages),
  prefix: rowKeyPrefix(
    'Only passages whose row_key begins with this text, such as a folder: projects/p1/, or decisions/. Empty means all. This and the next two choose among the 1,000 passages that fit best.',
  ).optional(),
  kind: z
    .enum(passageKinds, { error: `must be ${passageKinds.join(', ')}` })
    .meta({ description: 'Only passages of this kind.' })
    .optional(),
  since: z
    .string({ error: 'must be given once' })
    .refine(isCalendarDay, 'must be a day that exists, as YYYY-MM-DD')
    .meta({ description: 'Only passages whose date is this day or a later one.', format: 'date' })
    .optional(),
});

export type SearchParameters = z.output<typeof searchQuery>;

const passage = z
  .object({
    row_key: prose(
      'The row_key of an item, `decisions/<decision_id>` for a decision, `projects/<slug>` for a project.',
    ),
    title: prose('The title of the item, decision or project.'),
    headings: z.array(z.string()).meta({ description: 'The headings above the passage, outermost first.' }),
    text: prose('The passage as it was written, in Markdown.'),
    tier: visibleTo('Who may see it.'),
    kind: z.enum(passageKinds).meta({ description: 'What it is a passage of.' }),
    date: day('The day that it is about; null if none is known.').nullable(),
    status: prose('Its status, such as `accepted` or `superseded`; null if it has none.').nullable(),
    score: z
      .number()
      .meta({ description: 'How well it fits: larger is better. Comparable within one answer only.' }),
    by_guest: byGuest,
    to_be_checked_since: toBeCheckedSince,
  })
  .meta({ id: 'Passage', description: 'A part of an item, decision or project that fits the question.' });

/** The answer of GET /search. */
export const searchAnswer = z
  .object({
    passages: z.array(passage).meta({ description: 'Best first; empty if nothing fits.' }),
    incomplete: z.boolean().meta({
      description:
        'Whether a part of what the key may see could not be searched, because the index has no room for it.',
    }),
  })
  .meta({ id: 'FoundPassages' });

export type SearchAnswer = z.output<typeof searchAnswer>;

const source = z
  .object({
    row_key: prose(
      'The row_key of an item, `decisions/<decision_id>` for a decision, `projects/<slug>` for a project. A task has the row_key of its source.',
    ),
    title: prose('Its title.'),
    tier: visibleTo('Who may see it.'),
    kind: z.enum(['item', 'decision', 'project', 'task']).meta({ description: 'What it is.' }),
    date: day('The day that it is about; left out if none is known.').optional(),
    status: prose('Its status, such as `accepted` or `superseded`; left out if it has none.').optional(),
    by_guest: byGuest,
    to_be_checked_since: toBeCheckedSince,
    quote: prose(
      'The sentence that matches the question best, as it was written; left out for lists and where a model wrote the answer.',
    ).optional(),
  })
  .meta({ id: 'Source', description: 'An item, decision, project or task that the answer is based on.' });

const closestNote = z
  .object({
    row_key: prose('As of Source.'),
    title: prose('Its title.'),
  })
  .meta({ id: 'ClosestNote', description: 'A note that comes closest to a question that nothing answers.' });

/** The events of POST /query with their payloads, in their order (docs/contract.md, "Questions"). */
export const answerEvents = {
  delta: z
    .object({ text: prose('Text to append; [1] refers to the first source.') })
    .meta({ id: 'AnswerDelta', description: 'The next part of the answer. One or more are sent.' }),
  sources: z.array(source).meta({
    id: 'AnswerSources',
    description:
      'The sources of the answer, most important first, each once. Sent exactly once, even if empty.',
  }),
  done: z
    .object({
      closest: z
        .array(closestNote)
        .meta({ description: 'Up to three notes; sent only where `sources` is empty.' })
        .optional(),
    })
    .meta({ id: 'AnswerDone', description: 'The end of a complete answer.' }),
  error: z
    .object({ code: prose('The code of a problem.'), detail: prose('What went wrong, for people.') })
    .meta({ id: 'AnswerError', description: 'A fault after the first byte. The stream ends without done.' }),
};
