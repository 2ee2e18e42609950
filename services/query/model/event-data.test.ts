import { expect, test } from 'vitest';
import { createEventData } from './event-data.ts';

const bytesOf = (text: string) => Buffer.from(text);

/** What is read of a text that comes in pieces of so many bytes. */
function readInPieces(text: string, pieceBytes: number): string[] {
  const events = createEventData();
  const bytes = bytesOf(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return pieces.flatMap((piece) => events.push(piece));
}

test('the data of events is the same however the bytes are cut', () => {
  const stream =
    ': alive\r\n\r\nevent: a\nid: 1\ndata: {"é":"日本"}\n\ndata:{}\r\n\r\ndata: [DONE]\n\ndata: cut';
  for (const pieceBytes of [1, 2, 3, 7, 1_000])
    expect(readInPieces(stream, pieceBytes)).toEqual(['{"é":"日本"}', '{}', '[DONE]']);
});

test.for(['\n', '\r\n', '\r'])('lines may end with %j', (lineEnd) => {
  for (const pieceBytes of [1, 5, 1_000])
    expect(readInPieces(['data: a', '', 'data: b', '', ''].join(lineEnd), pieceBytes)).toEqual(['a', 'b']);
});

test('a byte order mark before the first event takes nothing away from it', () => {
  for (const pieceBytes of [1, 4, 1_000])
    expect(readInPieces('\ufeffdata: a\n\ndata: b\n\n', pieceBytes)).toEqual(['a', 'b']);
});

test('a line is refused when it is longer than 256 KiB, before its end has come', () => {
  const events = createEventData();
  const half = bytesOf('x'.repeat(128 * 1024));
  expect(events.push(half)).toEqual([]);
  expect(events.push(half)).toEqual([]);
  expect(() => events.push(bytesOf('x'))).toThrow('too long');
});

test('an answer is refused when it is longer than 4 MiB, whatever its lines', () => {
  const events = createEventData();
  const comment = bytesOf(`:${'x'.repeat(1022)}\n`);
  for (let count = 0; count < 4 * 1024; count += 1) expect(events.push(comment)).toEqual([]);
  expect(() => events.push(comment)).toThrow('too long');
});
