import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import type { Refusals } from '../refusals/refusals.ts';
import { limitHeaders, memoryErrorFrom } from './memory-error.ts';

let logged: object[];
beforeEach(() => {
  logged = [];
  noted = [];
});
const log = { error: (fields: object) => logged.push(fields) } as unknown as Log;
const request = {
  id: 'r',
  method: 'POST',
  routeOptions: { url: '/mcp' },
  caller: { keyId: 'k', teamSlug: 'blue' },
} as unknown as FastifyRequest;
let noted: unknown[];
const refusals: Refusals = {
  note: (caller, name, { code }) => noted.push([caller?.keyId, name, code]),
  close: async () => undefined,
};
const now = Date.UTC(2026, 10, 23, 23, 59, 0);
const told = (error: unknown, limit = limitHeaders()) =>
  memoryErrorFrom(error, { request, refusals, log, clock: () => now, limit });

test('a tool is told the code, every fault of its arguments and the stored checksum', () => {
  const violations = [
    { pointer: '/q', detail: 'must be well-formed Unicode' },
    { pointer: '/limit', detail: 'must be a positive whole number' },
  ];
  expect(told(new AppError('invalid_request', 'The request does not match.', { violations }))).toMatchObject({
    code: 'invalid_request',
    message:
      'The request does not match. q must be well-formed Unicode. limit must be a positive whole number.',
  });
  const currentChecksum = `sha256:${'0'.repeat(64)}`;
  expect(told(new AppError('conflict', 'Another version.', { currentChecksum }))).toMatchObject({
    code: 'conflict',
    currentChecksum,
  });
  expect(logged).toEqual([]);
});

test('a tool is told when to try again, after a limit, a cap and an outage', () => {
  const limit = limitHeaders();
  limit.headers({ 'retry-after': 17, ratelimit: '"questions";r=0;t=17' });
  expect(told(new AppError('rate_limited', 'Too many.'), limit).retryAfterSeconds).toBe(17);
  const dailyCap = {
    scope: 'team',
    capMicroDollars: 1,
    spentMicroDollars: 1,
    resetAt: now + 60_000,
  } as const;
  expect(told(new AppError('daily_cap_exceeded', 'Spent.', { dailyCap })).retryAfterSeconds).toBe(60);
  expect(told(new AppError('unavailable', 'Away.')).retryAfterSeconds).toBe(1);
  expect(told(new AppError('not_found', 'No such item.')).retryAfterSeconds).toBeUndefined();
});

test('a fault of ours is logged with the request and the key, and told without its cause', () => {
  const fault = told(new Error('disk full at /secret'));
  expect(fault.code).toBe('internal');
  expect(fault.message).not.toContain('secret');
  expect(logged).toMatchObject([{ request_id: 'r', key_id: 'k', err: { message: 'disk full at /secret' } }]);
  expect(told(fault)).toBe(fault);
});

test('what a tool is refused is noted', () => {
  told(new AppError('rate_limited', 'Too many.'));
  expect(noted).toEqual([['k', 'POST /mcp', 'rate_limited']]);
});
