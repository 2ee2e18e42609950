import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Payer, Spending } from '../spending/spending.ts';
import type { TokenUsage } from '../spending/usage-store.ts';
import { type AnswerModel, AnswerModelFailure, type ModelChunk, type ModelPrompt } from './answer-model.ts';
import { countedTokens, maxOutputTokens, worstCaseTokens } from './answer-prompt.ts';

/** A call is tried again once, and only while nothing has come. */
const maxAttempts = 2;
/** Sixteen bytes a token, which no language needs: a model that writes more does not keep to its limit. */
const maxWrittenBytes = 16 * maxOutputTokens;

/** What is needed to let a model write. */
export interface AnswerWriter {
  model: AnswerModel;
  spending: Spending;
  timeLimits: AnswerTimeLimits;
  /** Reports to the operator a failure that the reader of the answer does not see. */
  report(failure: unknown): void;
  /** Told when quotes take the place of what the model should have written. */
  fellBack(reason: FallbackReason): void;
}

/** Takes more text; a promise tells that the reader has not caught up, and resolves when it has. */
type ShowText = (text: string) => Promise<void> | undefined;

/** The call `failed`: the server refused it or never answered. Or it was `silent`: no word came of it, or not in time. */
export type FallbackReason = 'failed' | 'silent';

/**
 * Reserves the money for a call and returns a function that makes it. That function hands on the text as the model
 * writes it; if `show` returns a promise, the reader has not caught up. Usage is settled however the call ends, and the
 * reservation of a call that never began is released. A reader who leaves breaks the call off, and so does each
 * deadline.
 * @throws AppError `daily_cap_exceeded` or `unavailable` before anything is
 *   called; the call itself the signal's reason, AnswerModelFailure where
 *   nothing came, AppError `unavailable` where the model stopped too early.
 */
export async function callAnswerModel(
  prompt: ModelPrompt,
  call: { writer: AnswerWriter; payer: Payer; signal: AbortSignal },
): Promise<(show: ShowText) => Promise<void>> {
  const { model, spending, report } = call.writer;
  const worstCase = sum(Array(maxAttempts).fill(worstCaseTokens(prompt)));
  const charge = await spending.reserve(call.payer, model.name, worstCase);

  return async (show) => {
    const deadlines = startAnswerDeadlines(call.writer.timeLimits, call.signal);
    const { signal } = deadlines;
    const used: TokenUsage[] = [];
    try {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        signal.throwIfAborted();
        try {
          return await attemptOnce(show, deadlines, used);
        } catch (error) {
          const retryAfterMs = error instanceof AnswerModelFailure ? error.retryAfterMs : undefined;
          if (attempt === maxAttempts || retryAfterMs === undefined) throw error;
          await delay(retryAfterMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        }
      }
    } finally {
      deadlines.end();
      // A reservation that cannot be settled stays until it is swept. The answer must not fail because of that.
      await (used.length > 0 ? charge.settle(sum(used)) : charge.release()).catch(report);
    }
  };

  /** Adds to `used` what it used. */
  async function attemptOnce(show: ShowText, deadlines: AnswerDeadlines, used: TokenUsage[]): Promise<void> {
    const { signal } = deadlines;
    let usage: TokenUsage | undefined;
    let writtenBytes = 0;
    let begun = true;
    function take(chunk: ModelChunk): Promise<void> | undefined {
      // A count is true of what came before it: some servers send one ahead.
      if (chunk.usage !== undefined || chunk.writtenBytes > 0) usage = chunk.usage;
      writtenBytes += chunk.writtenBytes;
      if (writtenBytes > maxWrittenBytes) deadlines.breakOff('The model came to no end in its answer.');
      if (signal.aborted) return undefined;
      deadlines.heard();
      const shown = chunk.text === '' ? undefined : show(chunk.text);
      if (shown === undefined) deadlines.listening();
      return shown?.then(deadlines.listening);
    }
    try {
      await model.write(prompt, { maxOutputTokens, take, signal });
      signal.throwIfAborted();
    } catch (error) {
      if (error instanceof AnswerModelFailure) begun = error.begun;
      throw error;
    } finally {
      if (begun) used.push(usage ?? countedTokens(prompt, writtenBytes));
    }
  }
}

function sum(usages: readonly TokenUsage[]): TokenUsage {
  return {
    inputTokens: usages.reduce((total, { inputTokens }) => total + inputTokens, 0),
    outputTokens: usages.reduce((total, { outputTokens }) => total + outputTokens, 0),
  };
}

/** How long to wait for a model, in milliseconds. */
export interface AnswerTimeLimits {
  /** From the call to the first thing that the model writes, a second try included. */
  firstTokenMs: number;
  /** From one thing that it writes to the next. */
  idleMs: number;
  /** From the call to the end of the answer. */
  totalMs: number;
}

/**
 * A reader accepts half a minute before the first word; models that write do
 * not pause; the whole stays below the two minutes that an answer may take.
 */
export const answerTimeLimits: AnswerTimeLimits = { firstTokenMs: 30_000, idleMs: 15_000, totalMs: 90_000 };

/** The deadlines of one answer. */
interface AnswerDeadlines {
  /** Aborts with the reason of the reader's, or with an AppError `unavailable` when a deadline passes. */
  signal: AbortSignal;
  /** The model wrote something: the wait for it is over. */
  heard(): void;
  /** More is waited for: from now on the model may be silent for `idleMs`. */
  listening(): void;
  /** Ends the answer now, as a deadline does. */
  breakOff(why: string): void;
  /** Nothing is waited for any more. */
  end(): void;
}

/**
 * Starts the deadlines of an answer, which `reader` ends early. A reader who
 * takes their time is not counted as silence of the model.
 */
function startAnswerDeadlines(limits: AnswerTimeLimits, reader: AbortSignal): AnswerDeadlines {
  // One controller: a signal of `AbortSignal.any` looks at all its sources each time that it is asked.
  const controller = new AbortController();
  const leave = () => controller.abort(reader.reason);
  if (reader.aborted) leave();
  reader.addEventListener('abort', leave, { once: true });
  const breakOff = (why: string) => controller.abort(new AppError('unavailable', why));
  const total = setTimeout(breakOff, limits.totalMs, 'The model took too long for its answer.');
  const first = setTimeout(breakOff, limits.firstTokenMs, 'The model did not begin its answer in time.');
  let isListening = false;
  let isOver = false;
  let listeningSinceMs = 0;
  let silence: NodeJS.Timeout | undefined;
  /** Looks again when the silence can have lasted long enough: setting a timer back for every chunk costs more. */
  const silent = () => {
    const leftMs = listeningSinceMs + limits.idleMs - performance.now();
    if (isListening && leftMs <= 0) breakOff('The model fell silent in its answer.');
    else silence = setTimeout(silent, isListening ? leftMs : limits.idleMs);
  };
  return {
    signal: controller.signal,
    heard() {
      isListening = false;
      if (silence === undefined) clearTimeout(first);
    },
    listening() {
      if (isOver) return;
      isListening = true;
      listeningSinceMs = performance.now();
      silence ??= setTimeout(silent, limits.idleMs);
    },
    breakOff,
    end() {
      isOver = true;
      clearTimeout(total);
      clearTimeout(first);
      clearTimeout(silence);
      reader.removeEventListener('abort', leave);
    },
  };
}
