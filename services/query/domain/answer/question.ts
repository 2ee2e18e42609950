import { AppError } from '@teammemory/errors/app-error.ts';
import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';

/**
 * Returns the question as it is.
 * @throws AppError `invalid_request` unless it has 1 to 4,000 characters.
 */
export function checkQuestion(question: string): string {
  if (question !== '' && hasAtMostCharacters(question, maxQuestionCharacters)) return question;
  const detail = 'must have 1 to 4,000 characters';
  throw new AppError('invalid_request', `The question ${detail}.`, {
    violations: [{ pointer: '/q', detail }],
  });
}
