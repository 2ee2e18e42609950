import { untilAborted } from '@teammemory/async/until-aborted.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Payer } from '../spending/spending.ts';

/** A delay that readers do not notice beside the rest of an answer. A slower server counts as unavailable. */
const questionTimeoutMs = 1_500;
/** For the money to be reserved and settled beside the call, which takes a few milliseconds while the store is well. */
const moneyTimeoutMs = 250;
/** Questions that wait for a server in vain before the next ones do not. */
const failuresBeforePause = 3;
/** After so long one tries again. */
const pauseMs = 30_000;

/** Embeds questions as far as that is quick. */
export interface QuestionEmbedder {
  /**
   * The vector of a question; undefined where it cannot be had, or paid for, in
   * time. Throws nothing but the signal's reason when that aborts.
   */
  vectorOf(
    question: string,
    asking: { payer: Payer; signal: AbortSignal },
  ): Promise<Float32Array | undefined>;
}

/**
 * Makes one. After three failures in a row it does not try for half a minute, so
 * that a dead server costs a few questions a moment and not each. `clock` is milliseconds.
 */
export function createQuestionEmbedder(dependencies: {
  embedder: Embedder;
  clock: () => number;
  timeoutMs?: number;
}): QuestionEmbedder {
  const { embedder, clock, timeoutMs = questionTimeoutMs } = dependencies;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  return {
    async vectorOf(question, { payer, signal }) {
      if (clock() < pausedUntil) return undefined;
      const text = question.toWellFormed();
      try {
        const work = embedder.embed([text], { payer, timeoutMs, signal });
        const deadline = AbortSignal.timeout(timeoutMs + moneyTimeoutMs);
        const vectors = await untilAborted(work, AbortSignal.any([signal, deadline]));
        failures = 0;
        return vectors[0];
      } catch (error) {
        signal.throwIfAborted();
        // One member's money that is used up must not pause the others.
        if (error instanceof AppError) return undefined;
        failures += 1;
        if (failures >= failuresBeforePause) pausedUntil = clock() + pauseMs;
        return undefined;
      }
    },
  };
}
