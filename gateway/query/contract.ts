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
      'The row_key of an item, `decisions/<decision_id>` for a decision, `projects/<slug>` for a project. A task has the row_key of its source.',
    ),
    title: prose('Its title.'),
    tier: visibleTo('Who may see it.'),
    kind: z.enum(['item', 'decision', 'project', 'task']).meta({ description: 'What it is.' }),
    date: day('The day that it is about; left out if none is known.').optional(),
    status: prose('Its status, such as `accepted` or `superseded`; left out if it has none.').optional(),
  })
  .meta({ id: 'Source', description: 'An item, decision, project or task that the answer is based on.' });

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
  done: z.object({}).meta({ id: 'AnswerDone', description: 'The end of a complete answer.' }),
  error: z
    .object({ code: prose('The code of a problem.'), detail: prose('What went wrong, for people.') })
    .meta({ id: 'AnswerError', description: 'A fault after the first byte. The stream ends without done.' }),
};
