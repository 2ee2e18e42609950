import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { askLine, askSecret, canAsk, readStandardInput } from './input.ts';

function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  stderr.on('data', (chunk) => {
    shown += chunk;
  });
  const stop = new AbortController();
  return { stdin, stderr, stop, signal: stop.signal, shown: () => shown };
}

test('an answer is what was typed, and an empty one the suggestion', async () => {
  const context = terminal();
  context.stdin.write('rivers\r');
  expect(await askLine(context, 'Team')).toBe('rivers');
  context.stdin.write('\r');
  expect(await askLine(context, 'Team', 'lakes')).toBe('lakes');
  expect(context.shown()).toContain('Team [lakes]: ');
});

test('a secret is not shown', async () => {
  const context = terminal();
  context.stdin.write('tms_very_secret\r');
  expect(await askSecret(context, 'Key')).toBe('tms_very_secret');
  expect(context.shown()).toBe('Key: \n');
});

test('the terminal echoes nothing from the moment on at which the prompt for a secret is there', async () => {
  const context = terminal();
  let isRaw = false;
  const rawAtPrompt: boolean[] = [];
  Object.assign(context.stdin, {
    setRawMode: (raw: boolean) => {
      isRaw = raw;
    },
  });
  context.stderr.on('data', (chunk) => {
    if (String(chunk).includes('Key')) rawAtPrompt.push(isRaw);
  });
  context.stdin.write('secret\r');
  expect(await askSecret(context, 'Key')).toBe('secret');
  expect({ rawAtPrompt, isRaw }).toEqual({ rawAtPrompt: [true], isRaw: false });
});

test('Ctrl-C and the end of the input end a question', async () => {
  const typed = terminal();
  typed.stdin.write('\u0003');
  await expect(askSecret(typed, 'Key')).rejects.toMatchObject({ code: 'cancelled' });
  const stopped = terminal();
  stopped.stop.abort();
  await expect(askLine(stopped, 'Team')).rejects.toMatchObject({ code: 'cancelled' });
  const ended = terminal();
  ended.stdin.end();
  await expect(askLine(ended, 'Team')).rejects.toMatchObject({ code: 'cancelled' });
});

test('standard input is read whole, up to its limit', async () => {
  const context = { ...terminal(), stdin: Readable.from(['a', 'ü']) };
  expect(canAsk(context)).toBe(false);
  expect(await readStandardInput(context, 3)).toBe('aü');
  const long = { ...terminal(), stdin: Readable.from(['a', 'ü', 'b']) };
  await expect(readStandardInput(long, 3)).rejects.toMatchObject({ code: 'usage' });
});
