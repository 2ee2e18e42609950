import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askYesOrNo } from './ask.ts';

async function ask(type: (input: PassThrough) => void, timeoutMs = 60_000) {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const answer = askYesOrNo('Go on?', { input, output, timeoutMs });
  type(input);
  return { answer: await answer, shown: output.read() };
}

it('takes yes for yes, and any other line for no', async () => {
  for (const line of ['y', 'Y', ' yes '])
    expect(await ask((input) => input.write(`${line}\n`))).toEqual({ answer: true, shown: 'Go on? [y/N] ' });
  for (const line of ['', 'n', 'yesterday', 'n\ny'])
    expect((await ask((input) => input.write(`${line}\n`))).answer).toBe(false);
});

it('takes the end of the input, and no answer in time, for no', async () => {
  expect((await ask((input) => input.end())).answer).toBe(false);
  expect((await ask(() => undefined, 1)).answer).toBe(false);
});
