import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenaiAnswerModel } from './openai-answer-model.ts';

let server: Server;
let answer: (response: ServerResponse) => Promise<unknown>;
beforeEach(async () => {
  server = createServer(async (request, response) => {
    request.resume();
    await answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What is read of an answer, or the message of its failure. */
async function read(script: typeof answer): Promise<string[] | string> {
  answer = script;
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const model = createOpenaiAnswerModel({ model: 'writer', apiKey: undefined, baseUrl });
  const texts: string[] = [];
  const take = ({ text }: { text: string }) => {
    if (text !== '') texts.push(text);
    return undefined;
  };
  const { signal } = new AbortController();
  const written = model.write({ system: '', user: 'Why?' }, { maxOutputTokens: 7, take, signal });
  return written.then(
    () => texts,
    (error: Error) => error.message,
  );
}

/** What is read of a text that comes in pieces of so many bytes. */
const readInPieces = (text: string, pieceBytes: number) =>
  read(async (response) => {
    response.socket?.setNoDelay();
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      response.write(bytes.subarray(from, from + pieceBytes));
      await turn();
    }
    response.end();
  });

const event = (content: string) => `data: {"choices":[{"delta":{"content":"${content}"}}]}`;
const brokenOff = 'The model broke off its answer.';

test('the data of events is the same however the bytes are cut', async () => {
  const stream = `: alive\r\n\r\nevent: a\nid: 1\n${event('é日本')}\n\ndata:{}\r\n\r\n${event('b')}\n\ndata: [DONE]\n\ndata: cut`;
  for (const pieceBytes of [1, 2, 3, 7, 1_000])
    expect(await readInPieces(stream, pieceBytes)).toEqual(['é日本', 'b']);
});

test.for(['\n', '\r\n', '\r'])('lines may end with %j', async (lineEnd) => {
  const stream = [event('a'), '', event('b'), '', 'data: [DONE]', '', ''].join(lineEnd);
  for (const pieceBytes of [1, 5, 1_000]) expect(await readInPieces(stream, pieceBytes)).toEqual(['a', 'b']);
});

test('a byte order mark before the first event takes nothing away from it', async () => {
  const stream = `\ufeff${event('a')}\n\n${event('b')}\n\ndata: [DONE]\n\n`;
  for (const pieceBytes of [1, 4, 1_000]) expect(await readInPieces(stream, pieceBytes)).toEqual(['a', 'b']);
});

/** Writes so many bytes, and then either ends the answer as it should be or waits. */
const fill = (line: string, count: number, ending: 'ends' | 'waits') =>
  read(async (response) => {
    response.write(`${event('a')}\n\n`);
    for (let written = 0; written < count; written += 1) response.write(line);
    if (ending === 'ends') response.end('\n\ndata: [DONE]\n\n');
    else await once(response, 'close');
  });

test('a line is refused when it is longer than 256 KiB, before its end has come', async () => {
  const [half, one] = [`:${'x'.repeat(128 * 1024 - 1)}`, ':'];
  expect(await fill(half, 2, 'ends')).toEqual(['a']);
  expect(await fill(`${half}${one}`, 2, 'waits')).toBe(brokenOff);
});

test('an answer is refused when it is longer than 4 MiB, whatever its lines', async () => {
  const comment = `:${'x'.repeat(1022)}\n`;
  expect(await fill(comment, 4 * 1024 - 1, 'ends')).toEqual(['a']);
  expect(await fill(comment, 4 * 1024, 'waits')).toBe(brokenOff);
});

test('an answer is refused when a hundred of its lines are none of an event stream', async () => {
  expect(await fill('x\n', 99, 'ends')).toEqual(['a']);
  expect(await fill('x\n', 100, 'waits')).toBe(brokenOff);
  expect(await fill('retry: x\n', 100, 'waits')).toBe(brokenOff);
  expect(await fill(': alive\nid: 1\nretry: 1\n', 100, 'ends')).toEqual(['a']);
});
