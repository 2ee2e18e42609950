import { AppError } from '@teammemory/errors/app-error.ts';

/** Longer texts are documents, not questions; the limit is part of the public contract. */
const maxQuestionCharacters = 4_000;

/**
 * Answers the question as it is.
 * @throws AppError `invalid_request` unless it has 1 to 4,000 characters.
 */
export function checkQuestion(question: string): string {
  if (question !== '' && hasAtMost(question, maxQuestionCharacters)) return question;
  const detail = 'must have 1 to 4,000 characters';
  throw new AppError('invalid_request', `The question ${detail}.`, {
    violations: [{ pointer: '/q', detail }],
  });
}

/** Characters are code points: an emoji is one. Twice as many units are too many without counting. */
function hasAtMost(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit);
}
