import { toAppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { MemoryError } from '@teammemory/mcp/memory.ts';
import type { FastifyRequest } from 'fastify';
import { maxViolations, retryAfterSeconds } from '../http-error.ts';
import type { AnswerHeaders } from '../rate-limit/http-limits.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { requestFields, routeOf } from '../request.ts';

/** Takes the headers of a limit and keeps when to try again, which a tool says in words. */
export interface LimitHeaders extends AnswerHeaders {
  retryAfterSeconds(): number | undefined;
}

/** Creates the headers of one call. */
export function limitHeaders(): LimitHeaders {
  let retryAfter: number | undefined;
  return {
    headers(values) {
      if (values['retry-after'] !== undefined) retryAfter = Number(values['retry-after']);
    },
    retryAfterSeconds: () => retryAfter,
  };
}

/**
 * Returns what a tool is told of an error of a call: the code and the public message with its details. A fault of ours is
 * logged, as for every request.
 */
export function memoryErrorFrom(
  thrown: unknown,
  dependencies: {
    request: FastifyRequest;
    refusals: Refusals;
    log: Log;
    clock: () => number;
    limit?: LimitHeaders | undefined;
  },
): MemoryError {
  if (thrown instanceof MemoryError) return thrown;
  const error = toAppError(thrown);
  const { request } = dependencies;
  dependencies.refusals.note(request.caller, `${request.method} ${routeOf(request)}`, error);
  if (error.code === 'internal') {
    const fields = requestFields(dependencies.request);
    dependencies.log.error({ ...fields, err: error.cause ?? error }, 'a tool call failed');
  }
  const details = error.violations
    .slice(0, maxViolations)
    .map(({ pointer, detail }) => ` ${pointer.slice(1)} ${detail}.`);
  return new MemoryError(error.code, `${error.message}${details.join('')}`, {
    cause: error,
    retryAfterSeconds:
      dependencies.limit?.retryAfterSeconds() ?? retryAfterSeconds(error, dependencies.clock()),
    currentChecksum: error.currentChecksum,
  });
}
