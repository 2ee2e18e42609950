import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import { z } from 'zod';
import { day, prose, visibleTo } from '../contract/answer-types.ts';

const range = `must have 1 to ${maxQuestionCharacters} characters`;

/** The body of POST /query. */
export const queryBody = z
  .object(
    {
      q: z
        .string({ error: 'must be a string' })
        .min(1, range)
        .refine((text) => hasAtMostCharacters(text, maxQuestionCharacters), range)
        .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
        .meta({ description: 'The question.', maxLength: maxQuestionCharacters }),
    },
    { error: 'must be an object' },
  )
  .meta({ id: 'Question' });

const source = z
  .object({
    row_key: prose(
      'The item; `decisions/<decision_id>` of a decision, `projects/<slug>` of a project; of a task that of what it stands in.',
    ),
    title: prose('Its title.'),
    tier: visibleTo('Who may see it.'),
    kind: z.enum(['item', 'decision', 'project', 'task']).meta({ description: 'What it is.' }),
    date: day('The day that it speaks of; left out where none is known.').optional(),
    status: prose(
      'Where it stands, such as `accepted` or `superseded`; left out where it does not say.',
    ).optional(),
  })
  .meta({ id: 'Source', description: 'An item, decision, project or task that an answer rests on.' });

/** The events of POST /query with their payloads (decisions §7), in the order in which they come. */
export const answerEvents = {
  delta: z
    .object({ text: prose('Text to append; [1] refers to the first source.') })
    .meta({ id: 'AnswerDelta', description: 'More of the answer. One or more come.' }),
  sources: z.array(source).meta({
    id: 'AnswerSources',
    description: 'What the answer rests on, most important first, each once. Comes once, also when empty.',
  }),
  done: z.object({}).meta({ id: 'AnswerDone', description: 'The end of a whole answer.' }),
  error: z
    .object({ code: prose('One of the codes of problems.'), detail: prose('What went wrong, for people.') })
    .meta({ id: 'AnswerError', description: 'A fault after the first byte: the stream ends without done.' }),
};
