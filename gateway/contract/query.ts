import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import { z } from 'zod';

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
