import { APIConnectionError, APIError } from 'openai';
import { AnswerModelFailure } from '../domain/answer/answer-model.ts';
import { EmbeddingFailure } from '../domain/embedding/embedder.ts';

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
