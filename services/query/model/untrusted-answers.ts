// The types of the package `openai` say what OpenAI sends. The server is whichever was configured, so every field may be
// missing or of any type, and is read as `unknown`.

import type { ModelChunk } from '../domain/answer/answer-model.ts';
import type { Embeddings } from '../domain/embedding/embedder.ts';
import type { TokenUsage } from '../domain/spending/usage-store.ts';

/** Why a model stopped that had not said all: its limit of tokens, or a filter of its server. */
const cutReasons: readonly unknown[] = ['length', 'content_filter'];

/** The fields in which servers put a model's text and its reasoning. */
const textFields = ['content', 'reasoning_content', 'reasoning'] as const;

/**
 * Reads one event of a streamed chat completion. What is no text, such as a call
 * of a tool that nobody offered, is passed over.
 */
export function readChatCompletionChunk(chunk: unknown): ModelChunk & { finished: boolean; cut: boolean } {
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

/** Four times what the largest models of today give; 100,000 passages of them would take 800 MB. */
const maxDimension = 8_192;

/**
 * Reads the answer to a request for `count` embeddings.
 * @throws RangeError whose message says what is wrong, without the server's words.
 */
export function readEmbeddings(answer: unknown, count: number): Embeddings {
  const data = fieldOf(answer, 'data');
  if (!Array.isArray(data) || data.length !== count)
    throw new RangeError('there is not one vector for each text');
  const vectors: Float32Array[] = [];
  for (const [place, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? place;
    if (typeof index !== 'number' || index in vectors)
      throw new RangeError('there is not one vector for each text');
    vectors[index] = unitVector(fieldOf(entry, 'embedding'));
  }
  const dimensions = new Set(Array.from({ length: count }, (_, place) => vectors[place]?.length));
  if (vectors.length !== count || dimensions.size !== 1) throw new RangeError('its vectors are not alike');
  const inputTokens = fieldOf(fieldOf(answer, 'usage'), 'prompt_tokens');
  return isCount(inputTokens) ? { vectors, inputTokens } : { vectors };
}

/** The cosine of two vectors is the product of these. */
function unitVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > maxDimension)
    throw new RangeError('a vector has no numbers, or too many');
  if (!numbers.every((number) => typeof number === 'number'))
    throw new RangeError('a vector has what is no number');
  const length = Math.hypot(...numbers);
  const unit = Float32Array.from(numbers, (number) => number / length);
  if (!unit.every(Number.isFinite) || unit.every((number) => number === 0))
    throw new RangeError('a vector has no direction');
  return unit;
}

/** Returns a field of JSON that a server sent; undefined if the JSON is no object or lacks the field. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether what a server sent can be a number of tokens. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
