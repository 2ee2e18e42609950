import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress, durationText } from './progress.ts';

/** Draws a run that may write 20 files a minute. */
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
  for (let done = 20; done <= total; done += 20) {
    progress.done(done);
    progress.waiting(7, 20);
    seconds += 60;
  }
  progress.stop();
  stream.end();
  return text;
}

test('a terminal shows files done of all, rate, time left, and a wait for the limit', async () => {
  const text = await draw({ isTTY: true, quiet: false, total: 60 });
  expect(text).toContain('20/60 files, 2.0/s, 20 s left');
  expect(text).toContain('7 s left, waiting 7 s for the write limit');
  expect(text.match(/tms: .*--item-writes-per-minute 5000/g)).toHaveLength(1);
});

test('anything else gets a few lines, of which the first names the limit and the way to a higher one', async () => {
  const lines = (await draw({ isTTY: false, quiet: false, total: 2_000 })).trimEnd().split('\n');
  expect(lines[0]).toBe(
    'tms: the write limit of the key is reached, 20 items a minute: 20 of 2000 files, about 1 h 39 min left. For a large folder tms admin key create --item-writes-per-minute 5000 makes a key with a higher one.',
  );
  expect(lines[1]).toBe('tms: 200 of 2000 files, about 1 h 30 min left');
  expect(lines.length).toBeLessThanOrEqual(11);
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
