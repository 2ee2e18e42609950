import { AppError } from '@teammemory/errors/app-error.ts';
import { OpenAI } from 'openai';
import type { AnswerModel, ModelPrompt, TakeChunk } from '../domain/answer/answer-model.ts';
import type { AnswerModelSettings } from './answer-model-settings.ts';
import { readChatCompletionChunk } from './chat-completion-chunk.ts';
import { createEventData } from './event-data.ts';
import { createModelCall, type ModelCall } from './model-call.ts';
import { answerModelFailure, withoutServerText } from './model-error.ts';
import { openaiUrl } from './model-server.ts';
import { createSecretFilter } from './secret-filter.ts';

/** The library wants a key even where none is sent. */
const noKey = 'none';
/** The data of the event after which nothing comes. */
const endMarker = '[DONE]';
/** Ends an answer that the model did not end itself. */
const cutMark = ' …';

/** Makes a model behind an OpenAI-compatible server, asked by chat completions. */
export function createOpenaiAnswerModel(settings: AnswerModelSettings): AnswerModel {
  const { model, apiKey, baseUrl = openaiUrl } = settings;
  return {
    name: model,
    async write(prompt, { maxOutputTokens, take, signal }) {
      const call = createModelCall({ apiKey, accept: 'text/event-stream', signal });
      const client = createClient(call.fetch, apiKey ?? noKey, baseUrl);
      const request = completionRequest(model, prompt, limitFor(baseUrl, maxOutputTokens));
      try {
        await client.chat.completions.create(request).asResponse();
      } catch (error) {
        call.end();
        signal.throwIfAborted();
        throw answerModelFailure(error, call.wasSent());
      }
      try {
        await readAnswer(call, { apiKey, take, signal });
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
  call: ModelCall,
  { apiKey, take, signal }: { apiKey: string | undefined; take: TakeChunk; signal: AbortSignal },
): Promise<void> {
  // No prompt has the key, but the server knows it and may be talked into telling.
  const keyFilter = createSecretFilter(apiKey);
  const events = createEventData();
  let isFinished = false;
  let isBegun = false;
  let isCut = false;
  for (;;) {
    const pieces = await call.read();
    if (pieces === undefined && !isFinished) throw new Error('the end of the stream is missing');
    for (const data of pieces?.flatMap(events.push) ?? [endMarker]) {
      if (data === endMarker) {
        take({ text: keyFilter.end() + (isBegun && isCut ? cutMark : ''), writtenBytes: 0 });
        return;
      }
      const { text, finished, cut, ...chunk } = readChatCompletionChunk(JSON.parse(data));
      isFinished ||= finished;
      isBegun ||= text !== '';
      isCut ||= cut;
      // What carries nothing is no sign of life.
      if (chunk.writtenBytes === 0 && chunk.usage === undefined) continue;
      const behind = take({ ...chunk, text: keyFilter.push(text) });
      if (behind === undefined) continue;
      await behind;
      signal.throwIfAborted();
    }
  }
}

/** A client that takes nothing from the environment and leaves retries and time limits to us. */
function createClient(modelFetch: typeof fetch, apiKey: string, baseURL: string): OpenAI {
  const unused = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  return new OpenAI({ ...unused, apiKey, baseURL, fetch: modelFetch, maxRetries: 0, logLevel: 'off' });
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
