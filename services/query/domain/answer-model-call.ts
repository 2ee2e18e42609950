import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type AnswerDeadlines, type AnswerTimeLimits, startAnswerDeadlines } from './answer-deadlines.ts';
import type { AnswerModel, ModelPrompt } from './answer-model.ts';
import { AnswerModelFailure } from './answer-model-failure.ts';
import { countedTokens, maxOutputTokens, worstCaseTokens } from './answer-tokens.ts';
import type { Payer, Spending } from './spending.ts';
import type { TokenUsage } from './usage.ts';

/** A call is tried again once, and only while nothing has come. */
const maxAttempts = 2;
/** Sixteen bytes a token, which no language needs: a model that writes more does not keep to its limit. */
const maxWrittenBytes = 16 * maxOutputTokens;

/** What is needed to let a model write. */
export interface AnswerWriter {
  model: AnswerModel;
  spending: Spending;
  timeLimits: AnswerTimeLimits;
  /** Tells the operator what the reader of an answer is not told. */
  report(failure: unknown): void;
  /** Told when quotes take the place of what the model should have written. */
  fellBack(reason: FallbackReason): void;
}

/** The call `failed`: the server refused it or never answered. Or it was `silent`: no word came of it, or not in time. */
export type FallbackReason = 'failed' | 'silent';

/**
 * Reserves the money for a call and makes it: the text as the model writes it.
 * What was used is settled however the call ends; a call that never began is
 * released. The reader going away, and each deadline, break the call off.
 *
 * @throws AppError `daily_cap_exceeded` or `unavailable` before anything is
 *   called; iterating throws the signal's reason, AnswerModelFailure where
 *   nothing came, AppError `unavailable` where the model stopped too early.
 */
export async function callAnswerModel(
  prompt: ModelPrompt,
  call: { writer: AnswerWriter; payer: Payer; signal: AbortSignal },
): Promise<AsyncGenerator<string>> {
  const { model, spending, report } = call.writer;
  const worstCase = sum(Array(maxAttempts).fill(worstCaseTokens(prompt)));
  const charge = await spending.reserve(call.payer, model.name, worstCase);
  return charged();

  async function* charged(): AsyncGenerator<string> {
    const deadlines = startAnswerDeadlines(call.writer.timeLimits, call.signal);
    const { signal } = deadlines;
    const used: TokenUsage[] = [];
    try {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        signal.throwIfAborted();
        try {
          return yield* attemptOnce(deadlines, used);
        } catch (error) {
          const retryAfterMs = error instanceof AnswerModelFailure ? error.retryAfterMs : undefined;
          if (attempt === maxAttempts || retryAfterMs === undefined) throw error;
          await delay(retryAfterMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        }
      }
    } finally {
      deadlines.end();
      // What cannot be settled stays reserved until it is swept: the answer is not to blame.
      await (used.length > 0 ? charge.settle(sum(used)) : charge.release()).catch(report);
    }
  }

  /** Adds to `used` what it used. */
  async function* attemptOnce(deadlines: AnswerDeadlines, used: TokenUsage[]): AsyncGenerator<string> {
    const { signal } = deadlines;
    let usage: TokenUsage | undefined;
    let writtenBytes = 0;
    let begun = true;
    try {
      for await (const chunk of model.stream(prompt, { maxOutputTokens, signal })) {
        signal.throwIfAborted();
        deadlines.heard();
        usage = chunk.usage ?? usage;
        writtenBytes += chunk.writtenBytes;
        if (writtenBytes > maxWrittenBytes)
          throw new AppError('unavailable', 'The model came to no end in its answer.');
        if (chunk.text !== '') yield chunk.text;
        deadlines.listening();
      }
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
