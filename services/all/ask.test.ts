import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askYesOrNo } from './ask.ts';

async function ask(type: (input: PassThrough) => void, timeoutMs = 60_000) {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const answer = askYesOrNo('Go on?', { input, output, timeoutMs });
  type(input);
  return { answer: await answer, shown: output.read() };
}

it('takes yes for yes, no and an empty line for no, and any other line for none', async () => {
  const answerTo = (line: string) => ask((input) => input.write(`${line}\n`));
  for (const line of ['y', 'Y', ' yes '])
    expect(await answerTo(line)).toEqual({ answer: 'yes', shown: 'Go on? [y/N] ' });
  for (const line of ['', 'n', 'NO', 'n\ny']) expect((await answerTo(line)).answer).toBe('no');
  for (const line of ['yesterday', 'npm test\ny']) expect((await answerTo(line)).answer).toBe('later');
});

it('takes the end of the input for no, and no answer in time for none', async () => {
  expect((await ask((input) => input.end())).answer).toBe('no');
  expect((await ask(() => undefined, 1)).answer).toBe('later');
});
