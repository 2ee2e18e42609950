import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress, durationText } from './progress.ts';

async function draw({ isTTY, quiet, total }: { isTTY: boolean; quiet: boolean; total: number }) {
  let text = '';
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 200 });
  stream.on('data', (chunk) => {
    text += chunk;
  });
  let seconds = 0;
  const now = () => new Date(seconds * 1000);
  const progress = await createProgress(stream, { quiet, verb: 'syncing', now });
  progress.start(total);
  seconds = 10;
  progress.done(20);
  progress.waiting(7);
  progress.stop();
  stream.end();
  return text;
}

test('a terminal shows files done of all, rate, time left, and a wait for the limit', async () => {
  const text = await draw({ isTTY: true, quiet: false, total: 60 });
  expect(text).toContain('20/60 files, 2.0/s, 20 s left');
  expect(text).toContain('waiting 7 s for the write limit');
});

test('anything else gets one line for a wait, and nothing with --quiet', async () => {
  expect(await draw({ isTTY: false, quiet: false, total: 60 })).toMatch(/^tms: .*continuing in 7 s\n$/);
  for (const isTTY of [true, false]) expect(await draw({ isTTY, quiet: true, total: 60 })).toBe('');
});

test('times are as coarse as one can use them', () => {
  expect([0.2, 89, 91, 5399, 6000].map(durationText)).toEqual([
    '1 s',
    '89 s',
    '2 min',
    '1 h 30 min',
    '1 h 40 min',
  ]);
});
