import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { writeWithinLimit } from './http-limits.ts';

/** One slot a minute for one key, and what was asked of the service. */
function oneSlot() {
  const limiter = createRollingWindow({ limit: 1, clock: () => 0 });
  const headers: Record<string, unknown> = {};
  const reply = {
    headers: (values: object) => Object.assign(headers, values),
  } as unknown as FastifyReply;
  const asked: ('write' | 'check')[] = [];
  const write = (answer: () => string) =>
    writeWithinLimit({ limiter, policy: 'scans', key: 'k', reply }, async (validateOnly) => {
      asked.push(validateOnly ? 'check' : 'write');
      return answer();
    });
  const refusal = (error: AppError) => () => {
    throw error;
  };
  return { limiter, headers, asked, write, refusal };
}

test('a write that was made keeps its slot, and the next one is refused with the name of the limit', async () => {
  const { asked, headers, write } = oneSlot();
  expect(await write(() => 'stored')).toBe('stored');
  await expect(write(() => 'checked')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('1 scans per 60 seconds'),
  });
  expect(asked).toEqual(['write', 'check']);
  expect(headers).toEqual({
    'retry-after': 60,
    ratelimit: '"scans";r=0;t=60',
    'ratelimit-policy': '"scans";q=1;w=60',
  });
});

test.for(['invalid_request', 'unknown_member'] as const)('%s gives the slot back', async (code) => {
  const { write, refusal } = oneSlot();
  await expect(write(refusal(new AppError(code, 'no')))).rejects.toMatchObject({ code });
  expect(await write(() => 'stored')).toBe('stored');
});

test('a write whose outcome is unknown keeps its slot', async () => {
  const { limiter, write, refusal } = oneSlot();
  const outage = refusal(new AppError('unavailable', 'no'));
  await expect(write(outage)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await limiter.quota('k')).toMatchObject({ remaining: 0 });
});

test('a bad write that does not fit is refused for what it is', async () => {
  const { write, refusal } = oneSlot();
  await write(() => 'stored');
  const invalid = refusal(new AppError('invalid_request', 'no'));
  await expect(write(invalid)).rejects.toMatchObject({ code: 'invalid_request' });
});
