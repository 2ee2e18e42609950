import { describe, expect, it } from 'vitest';
import { parseEventStream, type ServerSentEvent } from './event-stream.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function parse(text: string, chunkSize = text.length): Promise<ServerSentEvent[]> {
  return Array.fromAsync(parseEventStream(chunksOf(new TextEncoder().encode(text), chunkSize)));
}

describe('parseEventStream', () => {
  const expected = [
    { event: 'delta', data: '{"text":"Grüße 🚀 "}' },
    { event: 'message', data: 'one\ntwo' },
    { event: 'done', data: '{}' },
  ];

  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`gives the same events wherever a stream with ${name} is cut, also within a character`, async () => {
      const lines = [
        'event: delta',
        `data: ${expected[0]?.data}`,
        '',
        ': heartbeat',
        '',
        'data:one',
        'data: two',
      ];
      const text = [...lines, '', 'id: 7', 'event: done', 'data: {}', '', ''].join(end);
      for (let size = 1; size <= 9; size++)
        expect(await parse(text, size), `chunks of ${size}`).toEqual(expected);
      expect(await parse(text)).toEqual(expected);
    });
  }

  it('drops an event that the end of the stream cuts off', async () => {
    expect(await parse('data: whole\n\ndata: half')).toEqual([{ event: 'message', data: 'whole' }]);
  });

  it('refuses an endless line', async () => {
    await expect(parse('x'.repeat(1_100_000), 65_536)).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('refuses an endless event', async () => {
    await expect(parse(`data: ${'x'.repeat(1000)}\n`.repeat(1_100))).rejects.toMatchObject({
      code: 'invalid_answer',
    });
  });
});
