import type { ModelChunk } from '../domain/answer/answer-model.ts';
import type { TokenUsage } from '../domain/spending/usage-store.ts';
import { fieldOf, isCount } from './untrusted-json.ts';

/** Why a model stopped that had not said all: its limit of tokens, or a filter of its server. */
const cutReasons: readonly unknown[] = ['length', 'content_filter'];

/** Where servers put what a model writes: for the reader, and for itself, under either name. */
const textFields = ['content', 'reasoning_content', 'reasoning'] as const;

/**
 * Reads one event of a streamed chat completion. Every field may be missing or
 * of any type, for the server is not ours; what is no text, such as a call of a
 * tool that nobody offered, is passed over.
 * @throws Error where the server tells of an error of its own.
 */
export function readChatCompletionChunk(chunk: unknown): ModelChunk & { finished: boolean; cut: boolean } {
  if (fieldOf(chunk, 'error')) throw new Error('the server sent an error');
  const choices = fieldOf(chunk, 'choices');
  // One was asked for; the text of another, if a server sends more, would be mixed with it.
  const choice: unknown = Array.isArray(choices) ? choices.find(isFirst) : undefined;
  const delta = fieldOf(choice, 'delta');
  const content = fieldOf(delta, 'content');
  const usage = readUsage(fieldOf(chunk, 'usage'));
  const finishReason = fieldOf(choice, 'finish_reason');
  let writtenBytes = 0;
  for (const name of textFields) {
    const text = fieldOf(delta, name);
    if (typeof text === 'string') writtenBytes += Buffer.byteLength(text);
  }
  return {
    text: typeof content === 'string' ? content : '',
    writtenBytes,
    finished: typeof finishReason === 'string',
    cut: cutReasons.includes(finishReason),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Some servers leave the number out. */
function isFirst(choice: unknown): boolean {
  return (fieldOf(choice, 'index') ?? 0) === 0;
}

function readUsage(usage: unknown): TokenUsage | undefined {
  const inputTokens = fieldOf(usage, 'prompt_tokens');
  const outputTokens = fieldOf(usage, 'completion_tokens');
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}
