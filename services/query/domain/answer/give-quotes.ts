import type { Answer } from '../citations/answer.ts';
import type { AnswerPart } from './answer-part.ts';
import type { GivePart } from './part-stream.ts';

/** Gives an extractive answer part by part, the first after the introduction. Throws the signal's reason. */
export async function giveQuotes(
  { parts, sources }: Answer,
  { give, signal }: { give: GivePart<AnswerPart>; signal: AbortSignal },
  introduction = '',
): Promise<void> {
  for (const [index, text] of parts.entries()) {
    await give({ kind: 'delta', text: index === 0 ? introduced(introduction, text) : text });
    signal.throwIfAborted();
  }
  await give({ kind: 'sources', sources });
}

/** A table, a list or code is one only at the beginning of a line. */
function introduced(introduction: string, text: string): string {
  if (introduction === '') return text;
  return introduction + (/^\p{L}/u.test(text) ? ' ' : '\n\n') + text;
}
