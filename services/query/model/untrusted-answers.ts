// The types of the package `openai` say what OpenAI sends. The server is whichever was configured, so every field may be
// missing or of any type, and is read as `unknown`.

import { APIConnectionError, APIError } from 'openai';
import { AnswerModelFailure, type ModelChunk } from '../domain/answer/answer-model.ts';
import { EmbeddingFailure, type Embeddings } from '../domain/embedding/embedder.ts';
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
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether what a server sent can be a number of tokens. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Wait before a second try where the server names none: long enough for a restart behind a load balancer. */
const defaultRetryMs = 300;
/** A reader would wait longer for a second try than for quotes. */
const maxRetryMs = 2_000;
/** Statuses by which a server says that it does not take these texts, though it may take others or fewer. */
const refusals: readonly unknown[] = [400, 413, 422];

/**
 * Returns the failure of a call without an answer. Error statuses and unsent calls cost nothing; 429, 5xx and failed
 * connections are worth a second try.
 */
export function answerModelFailure(error: unknown, wasSent: boolean): AnswerModelFailure {
  const cause = withoutServerText(error);
  if (error instanceof APIError && error.status !== undefined) {
    const passing = error.status === 429 || error.status >= 500;
    return new AnswerModelFailure(`The model server answered ${error.status}.`, {
      begun: false,
      retryAfterMs: passing ? retryAfter(error.headers) : undefined,
      cause,
    });
  }
  return new AnswerModelFailure(`The model server ${wasSent ? 'did not answer' : 'could not be reached'}.`, {
    begun: wasSent,
    retryAfterMs: defaultRetryMs,
    cause,
  });
}

/** Returns the failure of a call without vectors. Error statuses and unsent calls cost nothing. */
export function embeddingFailure(error: unknown, wasSent: boolean): EmbeddingFailure {
  if (error instanceof APIConnectionError) {
    const message = `The embedding server ${wasSent ? 'did not answer' : 'could not be reached'}.`;
    return new EmbeddingFailure(message, { begun: wasSent, cause: withoutServerText(error) });
  }
  if (error instanceof APIError && error.status !== undefined) {
    const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
    return new EmbeddingFailure(`The embedding server answered ${error.status}.`, {
      begun: false,
      refused: refusals.includes(error.status),
      retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
    });
  }
  const reason = error instanceof RangeError ? error.message : 'it is not what was asked for';
  return new EmbeddingFailure(`The answer of the embedding server cannot be used: ${reason}.`, {
    begun: true,
  });
}

/** An error for the log that says what happened, without the words of the server: they may quote the prompt or the key. */
export function withoutServerText(error: unknown): Error {
  const status = error instanceof APIError ? error.status : undefined;
  const name = error instanceof Error ? error.name : typeof error;
  return new Error([name, status, networkCode(error)].filter((part) => part !== undefined).join(' '));
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const header = headers?.get('retry-after');
  if (!header) return defaultRetryMs;
  const waitMs = Number(header) * 1_000;
  return waitMs >= 0 && waitMs <= maxRetryMs ? waitMs : undefined;
}

/** The code of the system error that lies deepest, such as ECONNREFUSED. */
function networkCode(error: unknown): string | undefined {
  let code: string | undefined;
  for (let link = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    if (link instanceof APIError) continue;
    const own = (link as NodeJS.ErrnoException).code;
    if (typeof own === 'string') code = own;
  }
  return code;
}

/** Takes a secret out of a text that comes in pieces. */
interface SecretFilter {
  /** Takes more text and returns what of it can be shown by now. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/** Servers of one's own are given words like `ollama` for a key; those are no secrets, and may be in an answer. */
const shortestSecret = 12;

/**
 * Makes a filter that replaces every occurrence of `secret` by `…`, also where
 * it comes in pieces; were it only removed, the text around it might make
 * another one. Text that ends like a beginning of it waits for more, so at most
 * its length is held back. Without a secret all text passes.
 */
export function createSecretFilter(secret: string | undefined): SecretFilter {
  if (secret === undefined || secret.length < shortestSecret) return { push: (text) => text, end: () => '' };
  let held = '';
  return {
    push(text) {
      const whole = (held + text).replaceAll(secret, '…');
      let heldLength = Math.min(secret.length - 1, whole.length);
      while (heldLength > 0 && !secret.startsWith(whole.slice(-heldLength))) heldLength -= 1;
      const shownLength = whole.length - heldLength;
      held = whole.slice(shownLength);
      return whole.slice(0, shownLength);
    },
    end: () => held,
  };
}
