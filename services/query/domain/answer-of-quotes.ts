import type { AnswerPart } from './answer-part.ts';
import type { Answer } from './extractive-answer.ts';

/** Gives an extractive answer part by part, the first after the introduction. Throws the signal's reason. */
export function* answerOfQuotes(
  { parts, sources }: Answer,
  signal: AbortSignal,
  introduction = '',
): Generator<AnswerPart> {
  for (const [index, text] of parts.entries()) {
    signal.throwIfAborted();
    yield { kind: 'delta', text: index === 0 ? introduction + text : text };
  }
  yield { kind: 'sources', sources };
}
