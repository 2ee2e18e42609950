import { AppError } from '@teammemory/errors/app-error.ts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { AnswerModel, ModelPrompt, TakeChunk } from '../domain/answer/answer-model.ts';
import { createModelCall, type ModelCall } from './model-call.ts';
import { type AnswerModelSettings, openaiUrl } from './model-settings.ts';
import { openaiClient } from './openai-client.ts';
import {
  answerModelFailure,
  createSecretFilter,
  fieldOf,
  readChatCompletionChunk,
  withoutServerText,
} from './untrusted-answers.ts';

/** Bounds of one answer: 2,000 tokens take a fifth of it on the wordiest servers. A line is one event. */
const bounds = { maxBytes: 4 * 1024 * 1024, maxLineBytes: 256 * 1024 };
/** A server that streams events sends no line that is not one of them; the parser makes an Error with a stack of each. */
const maxUnknownLines = 100;
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
      await openaiClient(settings, call)
        .chat.completions.create(request)
        .asResponse()
        .catch((error: unknown) => {
          call.end();
          signal.throwIfAborted();
          throw answerModelFailure(error, call.wasSent());
        });
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
  let isFinished = false;
  let isBegun = false;
  let isCut = false;
  await readEvents(call, (event) => {
    const { text, finished, cut, ...chunk } = readEvent(event);
    isFinished ||= finished;
    isBegun ||= text !== '';
    isCut ||= cut;
    // An empty chunk is no sign of life.
    if (chunk.writtenBytes === 0 && chunk.usage === undefined) return undefined;
    return take({ ...chunk, text: keyFilter.push(text) })?.then(() => signal.throwIfAborted());
  });
  if (!isFinished) throw new Error('the end of the stream is missing');
  take({ text: keyFilter.end() + (isBegun && isCut ? cutMark : ''), writtenBytes: 0 });
}

/** What servers write behind the last event, as data of its own. */
const lastData = '[DONE]';

/**
 * Hands on each event of an answer where its bytes arrive, until its last. Reading them by the library that makes the
 * request takes a third of what a delta costs. While a promise that `take` returned is pending, no more is read.
 * @throws what `take` throws, and Error for what is no stream of events.
 */
async function readEvents(
  call: ModelCall,
  take: (event: EventSourceMessage) => Promise<void> | undefined,
): Promise<void> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const last = Promise.withResolvers<void>();
  let isOver = false;
  const onEvent = (event: EventSourceMessage) => {
    if (!isOver) events.push(event);
    isOver ||= event.data === lastData;
  };
  let unknownLines = 0;
  const onError = () => {
    unknownLines += 1;
    if (unknownLines >= maxUnknownLines) throw new Error('the answer is no stream of events');
  };
  const { feed } = createParser({ onEvent, onError });
  const giveEvents = (): Promise<void> | undefined => {
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const behind = take(event);
      if (behind !== undefined) return behind.then(giveEvents);
    }
    if (isOver) last.resolve();
    return undefined;
  };
  const atEnd = call.read((piece) => {
    feed(decoder.decode(piece, { stream: true }));
    return giveEvents();
  });
  await Promise.race([atEnd, last.promise]);
  // Some servers leave out the blank line behind the last event.
  feed('\n\n');
  await giveEvents();
}

/** @throws Error for what is no JSON, and for an error that the server tells of. */
function readEvent({ event, data }: EventSourceMessage): ReturnType<typeof readChatCompletionChunk> {
  if (data === lastData) return { text: '', writtenBytes: 0, finished: true, cut: false };
  const value: unknown = JSON.parse(data);
  if (event === 'error' || fieldOf(value, 'error')) throw new Error('the server sent an error');
  return readChatCompletionChunk(value);
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
