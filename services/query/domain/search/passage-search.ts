import { untilAborted } from '@teammemory/async/bounded-wait.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { isCalendarDay } from '@teammemory/vocabulary/formats.ts';
import { hasAtMostCharacters, maxQuestionCharacters } from '@teammemory/vocabulary/limits.ts';
import { rowKeyPrefixFault } from '@teammemory/vocabulary/row-key.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { EmbeddingWorker } from '../embedding/embedding-worker.ts';
import {
  maxPassages,
  type PassageFilter,
  type SearchRequest,
  type SearchResult,
} from '../index/index-host.ts';
import type { TeamIndexes, Viewer } from '../index/team-indexes.ts';
import { documentKinds } from '../passages/passage.ts';
import type { Payer } from '../spending/spending.ts';

/**
 * Returns the question as it is.
 * @throws AppError `invalid_request` unless it has 1 to 4,000 characters.
 */
export function checkQuestion(question: string): string {
  if (question !== '' && hasAtMostCharacters(question, maxQuestionCharacters)) return question;
  const detail = 'must have 1 to 4,000 characters';
  throw new AppError('invalid_request', `The question ${detail}.`, {
    violations: [{ pointer: '/q', detail }],
  });
}

/** What a search by meaning depends on. */
export interface EmbeddingSearch {
  questions: QuestionEmbedder;
  worker: EmbeddingWorker;
}

/** Who asks, and until when. */
export interface Asking {
  viewer: Viewer & Payer;
  signal: AbortSignal;
}

/**
 * Returns the best passages for a question among those that the viewer may see: by their words, and by meaning as far as
 * passages have vectors and the question gets one in time. The search is as of the day of the call unless the request
 * names another.
 * @throws as `TeamIndexes.use`, and AppError `unavailable` where too many searches wait.
 */
export type FindPassages = (
  request: Omit<SearchRequest, 'tier' | 'vector'>,
  asking: Asking,
) => Promise<SearchResult>;

/** Makes the search over the indexes of teams. `clock` is milliseconds since the epoch. */
export function createPassageSearch(dependencies: {
  indexes: TeamIndexes;
  /** Absent without an embedding model. */
  embedding?: EmbeddingSearch | undefined;
  clock?: () => number;
}): FindPassages {
  const { indexes, embedding, clock = Date.now } = dependencies;
  return async (request, { viewer, signal }) => {
    const { teamId, tier } = viewer;
    const found = await indexes.use(viewer, signal, async (host) => {
      const hasVectors = embedding !== undefined && (await host.vectors(teamId, tier)) > 0;
      const vector = hasVectors
        ? await embedding.questions.vectorOf(request.question, { payer: viewer, signal })
        : undefined;
      const today = new Date(clock()).toISOString().slice(0, 10);
      return host.search(teamId, { today, ...request, tier, vector }, signal);
    });
    // Passages without a vector get one afterwards.
    embedding?.worker.wake(teamId);
    return found;
  };
}

const defaultPassages = 10;

/**
 * Ranks passages for a question. A `limit` of 0 means 10; the RPC refuses more than 1,000.
 * @throws AppError `invalid_request` for a question that is empty or too long and a filter that nothing can fit, and as
 * `FindPassages`.
 */
export async function rankPassages(
  findPassages: FindPassages,
  { question, limit, filter }: { question: string; limit: number; filter?: PassageFilter | undefined },
  asking: Asking,
): Promise<SearchResult> {
  checkQuestion(question);
  if (filter !== undefined) checkFilter(filter);
  const isFiltered = Object.values(filter ?? {}).some((value) => value !== '');
  return findPassages(
    {
      question,
      limit: Math.min(limit || defaultPassages, maxPassages),
      ...(isFiltered && { filter }),
    },
    asking,
  );
}

function checkFilter({ prefix, kind, since }: PassageFilter): void {
  const fault = rowKeyPrefixFault(prefix);
  if (fault !== undefined) throw new AppError('invalid_request', `prefix ${fault}.`);
  if (kind !== '' && !documentKinds.some((known) => known === kind)) {
    throw new AppError('invalid_request', `kind must be ${documentKinds.join(', ')}.`);
  }
  if (since !== '' && !isCalendarDay(since)) {
    throw new AppError('invalid_request', 'since must be a day that exists, as YYYY-MM-DD.');
  }
}

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
