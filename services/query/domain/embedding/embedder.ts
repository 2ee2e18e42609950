import { AppError } from '@teammemory/errors/app-error.ts';
import type { Payer, Spending } from '../spending/spending.ts';
import type { TokenUsage } from '../spending/usage-store.ts';

/** A call to an embedding model that gave no vectors. */
export class EmbeddingFailure extends Error {
  /** Whether the model may have worked, so that the call may cost something. */
  readonly begun: boolean;
  /** Whether the server took offence at the texts themselves, so that others, or fewer, may pass. */
  readonly refused: boolean;
  /** Whether it was given up for taking too long; fewer texts may take less. */
  readonly timedOut: boolean;
  /** How long the server wants to be left alone, in milliseconds; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  /** `message` and `cause` go to the log: nothing that the server wrote may stand there. */
  constructor(
    message: string,
    options: {
      begun: boolean;
      refused?: boolean;
      timedOut?: boolean;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EmbeddingFailure';
    this.begun = options.begun;
    this.refused = options.refused ?? false;
    this.timedOut = options.timedOut ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Texts as vectors, and what making them took. */
export interface Embeddings {
  /** One for each text, in their order: of unit length, all of the same dimension, every number finite. */
  vectors: readonly Float32Array[];
  /** Tokens read, by the provider's own count, where it tells. */
  inputTokens?: number;
}

/** A model that turns texts into vectors, which point alike where texts mean alike. */
export interface EmbeddingModel {
  /** The name its price is listed under; vectors of different models do not compare. */
  name: string;
  /**
   * Embeds texts, in one call. A call is broken off at once when the signal aborts.
   * @throws EmbeddingFailure, and the signal's reason when that aborts.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}

/** Texts of one call: enough that its fixed cost does not matter, few enough for a small machine to embed within a minute. */
const textsPerBatch = 32;
/** Bytes of one call, four times what 32 ordinary passages have. */
const bytesPerBatch = 128 * 1024;

/** Cuts what is to be embedded into batches for one call each, in order. None is empty; a text alone may be of any size. */
export function embeddingBatches<Entry extends { text: string }>(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.text);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === textsPerBatch || bytes + size > bytesPerBatch) {
      batches.push([entry]);
      bytes = size;
    } else {
      batch.push(entry);
      bytes += size;
    }
  }
  return batches;
}

/** Tokens that models put around a text; those that we know put two. */
const tokensAroundText = 8;
/** A fault that lasts is told again after so long, not with every call. */
const reportIntervalMs = 10 * 60_000;

/** For whom a call is made, and until when. */
export interface EmbeddingCall {
  payer: Payer;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Embeds texts at a payer's expense. */
export interface Embedder {
  /** The name of the model. */
  model: string;
  /** Numbers of every vector that it gives; undefined before the first. */
  dimension(): number | undefined;
  /** Calls refused since the last one that gave vectors. */
  refusalsInARow(): number;
  /**
   * Reserves the worst case, embeds the texts in one call and settles what that
   * used, however it ends; a call that never began is released. The model has
   * `timeoutMs`; then, and when the signal aborts, the call is broken off.
   * @throws EmbeddingFailure, AppError `daily_cap_exceeded` or `unavailable`
   *   before anything is called, and the signal's reason when that aborts.
   */
  embed(texts: readonly string[], call: EmbeddingCall): Promise<readonly Float32Array[]>;
  /** Waits until no call is under way, that of callers who went away included. */
  settled(): Promise<void>;
}

/**
 * Makes the one way to the model. `report` is told of failures, not of each:
 * the first, and one again after 10 minutes. `clock` is milliseconds since the epoch.
 */
export function createEmbedder(dependencies: {
  model: EmbeddingModel;
  spending: Spending;
  report: (failure: unknown) => void;
  clock: () => number;
}): Embedder {
  const { model, spending, clock } = dependencies;
  const underWay = new Set<Promise<unknown>>();
  let dimension: number | undefined;
  let refusals = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function report(failure: unknown): void {
    if (clock() - reportedAt < reportIntervalMs) return;
    reportedAt = clock();
    dependencies.report(failure);
  }

  async function call(texts: readonly string[], options: EmbeddingCall): Promise<readonly Float32Array[]> {
    const worstCase = worstCaseTokens(texts);
    const charge = await spending.reserve(options.payer, model.name, worstCase);
    let used: TokenUsage | undefined;
    try {
      options.signal.throwIfAborted();
      used = worstCase;
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
      const { vectors, inputTokens = worstCase.inputTokens } = await model.embed(texts, signal);
      used = { inputTokens, outputTokens: 0 };
      return ofOneDimension(vectors);
    } catch (error) {
      if (error instanceof EmbeddingFailure && !error.begun) used = undefined;
      throw error;
    } finally {
      // A reservation that cannot be settled stays until it is swept. The vectors must not fail because of that.
      await (used === undefined ? charge.release() : charge.settle(used)).catch(report);
    }
  }

  /** The first answer says what vectors of this model are like; one that is different later is a fault of the server. */
  function ofOneDimension(vectors: readonly Float32Array[]): readonly Float32Array[] {
    const [{ length } = { length: 0 }] = vectors;
    dimension ??= length;
    if (length === dimension) return vectors;
    const message = `The embedding model answered ${length} numbers a text, before that ${dimension}.`;
    throw new EmbeddingFailure(message, { begun: true });
  }

  return {
    model: model.name,
    dimension: () => dimension,
    refusalsInARow: () => refusals,
    async embed(texts, options) {
      const work = call(texts, options);
      underWay.add(work);
      try {
        const vectors = await work;
        refusals = 0;
        return vectors;
      } catch (error) {
        // A caller who left, or money that is used up, says nothing about the model.
        options.signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        const failure = error instanceof EmbeddingFailure ? error : noAnswer(error);
        if (failure.refused) refusals += 1;
        report(failure);
        throw failure;
      } finally {
        underWay.delete(work);
      }
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

function noAnswer(cause: unknown): EmbeddingFailure {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  return new EmbeddingFailure('The embedding model did not answer in time.', {
    begun: true,
    timedOut,
    cause,
  });
}

/**
 * Returns the most that embedding these texts can use: no token of the encodings that models use is less than a byte.
 */
function worstCaseTokens(texts: readonly string[]): TokenUsage {
  const inputTokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + tokensAroundText, 0);
  return { inputTokens, outputTokens: 0 };
}
