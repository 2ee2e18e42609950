import { AppError } from '@teammemory/errors/app-error.ts';
import type { OpenAI } from 'openai';
import type { AnswerModel, ModelPrompt, TakeChunk } from '../domain/answer/answer-model.ts';
import { createModelCall, type ModelCall } from './model-call.ts';
import { type AnswerModelSettings, openaiUrl } from './model-settings.ts';
import { openaiClient } from './openai-client.ts';
import {
  answerModelFailure,
  createSecretFilter,
  readChatCompletionChunk,
  withoutServerText,
} from './untrusted-answers.ts';

/** Bounds of one answer: 2,000 tokens take a fifth of it on the wordiest servers. A line is one event. */
const bounds = { maxBytes: 4 * 1024 * 1024, maxLineBytes: 256 * 1024 };
/** Ends an answer that the model did not end itself. */
const cutMark = ' …';

/** Makes a model behind an OpenAI-compatible server, asked by chat completions. */
export function createOpenaiAnswerModel(settings: AnswerModelSettings): AnswerModel {
  const { model, apiKey, baseUrl = openaiUrl } = settings;
  return {
    name: model,
    async write(prompt, { maxOutputTokens, take, signal }) {
      const call = createModelCall({ apiKey, accept: 'text/event-stream', bounds, signal });
      const request = completionRequest(model, prompt, limitFor(baseUrl, maxOutputTokens));
      const chunks = await openaiClient(settings, call)
        .chat.completions.create(request)
        .catch((error: unknown) => {
          call.end();
          signal.throwIfAborted();
          throw answerModelFailure(error, call.wasSent());
        });
      try {
        await readAnswer(chunks, { call, apiKey, take, signal });
        signal.throwIfAborted();
        call.finish();
      } catch (error) {
        call.end();
        signal.throwIfAborted();
        throw brokenOff(withoutServerText(error));
      }
    },
  };
}

/** Hands on all that comes until the server says that it has finished. @throws Error where it never does. */
async function readAnswer(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  options: { call: ModelCall; apiKey: string | undefined; take: TakeChunk; signal: AbortSignal },
): Promise<void> {
  const { call, apiKey, take, signal } = options;
  // No prompt has the key, but the server knows it and may be talked into telling.
  const keyFilter = createSecretFilter(apiKey);
  let isFinished = false;
  let isBegun = false;
  let isCut = false;
  for await (const received of chunks) {
    const { text, finished, cut, ...chunk } = readChatCompletionChunk(received);
    isFinished ||= finished;
    isBegun ||= text !== '';
    isCut ||= cut;
    // An empty chunk is no sign of life.
    if (chunk.writtenBytes === 0 && chunk.usage === undefined) continue;
    const behind = take({ ...chunk, text: keyFilter.push(text) });
    if (behind === undefined) continue;
    await behind;
    signal.throwIfAborted();
  }
  // The library ends in the same way at [DONE], after which it reads no more, and where the answer was cut off.
  if (call.isRead() && !isFinished) throw new Error('the end of the stream is missing');
  take({ text: keyFilter.end() + (isBegun && isCut ? cutMark : ''), writtenBytes: 0 });
}

function completionRequest(model: string, { system, user }: ModelPrompt, limit: object) {
  return {
    model,
    messages: [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ],
    stream: true as const,
    stream_options: { include_usage: true },
    ...limit,
  };
}

/** OpenAI's newer models refuse the old name of the limit, and many other servers know only that. */
function limitFor(baseUrl: string, maxOutputTokens: number): object {
  return new URL(baseUrl).host === new URL(openaiUrl).host
    ? { max_completion_tokens: maxOutputTokens }
    : { max_tokens: maxOutputTokens };
}

function brokenOff(cause: Error): AppError {
  return new AppError('unavailable', 'The model broke off its answer.', { cause });
}
