import type { NewItem } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { describe, expect, it } from 'vitest';
import { sendItems } from './send-items.ts';

const items = Array.from({ length: 60 }, (_, number) => ({ row_key: `${number}.md` }) as NewItem);
const { signal } = new AbortController();

function refusal(retryAfterSeconds?: number, code = 'rate_limited', quota?: number): ProblemError {
  return new ProblemError({ status: 429, code, detail: 'Too many.', retryAfterSeconds, quota });
}

describe('sendItems', () => {
  it('halves a batch that a smaller limit never takes, and keeps every outcome in its place', async () => {
    const sent: string[] = [];
    const waits: number[] = [];
    const client = {
      pushItems: async (batch: readonly NewItem[]) => {
        if (batch.length > 10) throw refusal(3);
        sent.push(...batch.map(({ row_key }) => row_key));
        const index = batch.findIndex(({ row_key }) => row_key === '42.md');
        const errors = index === -1 ? [] : [{ index, code: 'conflict', detail: 'Others changed it.' }];
        return { accepted: batch.length - errors.length, rejected: errors.length, errors };
      },
    };
    const outcomes = await sendItems(items, {
      client,
      signal,
      wait: async (seconds) => void waits.push(seconds),
    });
    expect(sent).toEqual(items.map(({ row_key }) => row_key));
    expect(outcomes.map((error, index) => (error ? index : -1)).filter((index) => index >= 0)).toEqual([42]);
    expect(waits.every((seconds) => seconds === 3)).toBe(true);
  });

  it('splits a batch without waiting when the service says that it never fits', async () => {
    const sizes: number[] = [];
    const client = {
      pushItems: async (batch: readonly NewItem[]) => {
        if (batch.length > 25) throw refusal(60, 'rate_limited', 25);
        sizes.push(batch.length);
        return { accepted: batch.length, rejected: 0, errors: [] };
      },
    };
    await sendItems(items, { client, signal, wait: () => expect.fail('it waited') });
    expect(sizes).toEqual([25, 25, 10]);
  });

  it('gives up when waiting does not help', async () => {
    let waits = 0;
    const client = { pushItems: async () => Promise.reject(refusal(1)) };
    const wait = async () => {
      waits += 1;
    };
    await expect(sendItems(items, { client, signal, wait })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(waits).toBeLessThan(12);
  });

  it('does not wait for an unreasonable time, nor for another kind of refusal', async () => {
    for (const problem of [refusal(86_400), refusal(1, 'daily_cap_exceeded')]) {
      const client = { pushItems: async () => Promise.reject(problem) };
      const wait = () => expect.fail('it waited');
      await expect(sendItems(items, { client, signal, wait })).rejects.toBe(problem);
    }
  });
});
