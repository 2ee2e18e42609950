import { type AnswerOptions, giveAnswer } from './answer.ts';
import { type AnswerPart, type PartStream, partStream } from './answer-parts.ts';

/** The answer to a question as a stream that a test reads part by part. */
export function answer(question: string, asking: Omit<AnswerOptions, 'give'>): PartStream<AnswerPart> {
  return partStream((give, signal) => giveAnswer(question, { ...asking, give, signal }), asking.signal);
}
