import type { AppError } from '@teammemory/errors/app-error.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import type { FastifyReply } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { createRefusedRequests, type RefusedRequests } from './body-limits.ts';

const mebibyte = 1024 * 1024;

let nowMs: number;
let retryAfter: number | undefined;
let refused: RefusedRequests;
beforeEach(() => {
  [nowMs, retryAfter] = [1_000, undefined];
  refused = createRefusedRequests({ clock: () => nowMs, metrics: createMetrics() });
});

const reply = {
  header(_name: string, value: number) {
    retryAfter = value;
  },
} as unknown as FastifyReply;

/** The code with which a key is refused, or nothing. */
function codeFor(key: string): string | undefined {
  try {
    refused.check(key, reply);
    return undefined;
  } catch (error) {
    return (error as AppError).code;
  }
}

test('a key may be refused 3,000 times in a minute, and refusals of others do not count', () => {
  for (let sent = 0; sent < 3_000; sent += 1) {
    expect(codeFor('a')).toBeUndefined();
    refused.charge('a', 422, 10);
    nowMs += 2;
  }
  expect([codeFor('a'), retryAfter]).toEqual(['rate_limited', 55]);
  expect(codeFor('b')).toBeUndefined();
  nowMs += 54_100;
  expect(codeFor('a')).toBeUndefined();
});

test('bytes count too, including those of a body that is larger than the rest', () => {
  for (let sent = 0; sent < 7; sent += 1) refused.charge('a', 413, 8 * mebibyte);
  expect(codeFor('a')).toBeUndefined();
  refused.charge('a', 400, 60_000 * mebibyte);
  expect(codeFor('a')).toBe('rate_limited');
  nowMs += 60_200;
  expect(codeFor('a')).toBeUndefined();
});

test('only refusals of a body are charged', () => {
  for (const status of [200, 401, 403, 404, 409, 429, 500, 503]) refused.charge('a', status, 100 * mebibyte);
  expect(codeFor('a')).toBeUndefined();
});
