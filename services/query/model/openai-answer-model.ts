import { AppError } from '@teammemory/errors/app-error.ts';
import { OpenAI } from 'openai';
import type { AnswerModel, ModelPrompt } from '../domain/answer-model.ts';
import type { AnswerModelSettings } from './answer-model-settings.ts';
import { readChatCompletionChunk } from './chat-completion-chunk.ts';
import { createEventData } from './event-data.ts';
import { answerModelFailure, withoutServerText } from './model-error.ts';
import { createModelFetch } from './model-fetch.ts';
import { createSecretFilter } from './secret-filter.ts';

const openaiUrl = 'https://api.openai.com/v1';
/** The library wants a key even where none is sent. */
const noKey = 'none';
/** The data of the event after which nothing comes. */
const endMarker = '[DONE]';

/** Makes a model behind an OpenAI-compatible server, asked by chat completions. */
export function createOpenaiAnswerModel(settings: AnswerModelSettings): AnswerModel {
  const { model, apiKey, baseUrl = openaiUrl } = settings;
  return {
    name: model,
    async *stream(prompt, { maxOutputTokens, signal }) {
      const client = createClient(createModelFetch(apiKey, signal), apiKey ?? noKey, baseUrl);
      const request = completionRequest(model, prompt, limitFor(baseUrl, maxOutputTokens));
      const call = client.chat.completions.create(request).asResponse();
      const response = await call.catch((error: unknown) => {
        signal.throwIfAborted();
        throw answerModelFailure(error);
      });
      // No prompt has the key, but the server knows it and may be talked into telling.
      const keyFilter = createSecretFilter(apiKey);
      const events = createEventData();
      let finished = false;
      try {
        reading: for await (const bytes of response.body ?? []) {
          for (const data of events.push(bytes)) {
            finished ||= data === endMarker;
            if (data === endMarker) break reading;
            const { text, writtenBytes, usage, ...read } = readChatCompletionChunk(JSON.parse(data));
            finished ||= read.finished;
            // What carries nothing is no sign of life.
            if (writtenBytes === 0 && usage === undefined) continue;
            yield { text: keyFilter.push(text), writtenBytes, ...(usage === undefined ? {} : { usage }) };
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        throw brokenOff(withoutServerText(error));
      }
      if (!finished) throw brokenOff(new Error('the end of the stream is missing'));
      yield { text: keyFilter.end(), writtenBytes: 0 };
    },
  };
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
