import { z } from 'zod';

/** Characters (Unicode code points) of a question. */
const questionMaxCharacters = 4_000;
const range = `must have 1 to ${questionMaxCharacters} characters`;

/** The body of POST /query. */
export const queryBody = z
  .object(
    {
      q: z
        .string({ error: 'must be a string' })
        .min(1, range)
        .refine(isShortEnough, range)
        .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
        .meta({ description: 'The question.', maxLength: questionMaxCharacters }),
    },
    { error: 'must be an object' },
  )
  .meta({ id: 'Question' });

function isShortEnough(text: string): boolean {
  // A code point is at most two units, so a hopeless text is never taken apart.
  if (text.length > 2 * questionMaxCharacters) return false;
  return text.length <= questionMaxCharacters || [...text].length <= questionMaxCharacters;
}
