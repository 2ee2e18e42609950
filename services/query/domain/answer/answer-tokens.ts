import type { TokenUsage } from '../spending/usage.ts';
import type { ModelPrompt } from './answer-model.ts';

/** Tokens of output asked for at most. Answers are short; the rest is room for models that reason before they write. */
export const maxOutputTokens = 4_000;
/** Tokens that the wrapping of two messages takes at most, in the chat templates that we know. */
const templateTokens = 64;

/**
 * What a call with this prompt can use at most. A token of the byte-pair
 * encodings that models use stands for at least one byte, so bytes are never
 * fewer than tokens. A tokeniser would tell three to four times less for
 * English, and takes quadratic time on hostile text.
 */
export function worstCaseTokens({ system, user }: ModelPrompt): TokenUsage {
  const inputTokens = Buffer.byteLength(system) + Buffer.byteLength(user) + templateTokens;
  return { inputTokens, outputTokens: maxOutputTokens };
}

/** What a call is taken to have used where the provider does not tell: never too little. */
export function countedTokens(prompt: ModelPrompt, writtenBytes: number): TokenUsage {
  const { inputTokens } = worstCaseTokens(prompt);
  return { inputTokens, outputTokens: Math.min(writtenBytes, maxOutputTokens) };
}
