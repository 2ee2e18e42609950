import { z } from 'zod';
import { prose, visibleTo } from './answer-types.ts';

const source = z
  .object({
    row_key: prose('The item.'),
    title: prose('Its title.'),
    tier: visibleTo('Who may see it.'),
  })
  .meta({ id: 'Source', description: 'An item that an answer rests on.' });

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
