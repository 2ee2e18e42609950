import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from './ask.ts';
import { createTeamMemoryClient } from './team-memory-client.ts';
import { readJson, sendJson, serve, type TestServer } from './testing/serve.fixture.ts';

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Asks a service that answers so, within the limits of a client unless told. */
async function asking(
  answer: (response: ServerResponse) => void,
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number } = {},
) {
  server = await serve(async (request, response) => {
    expect(await readJson(request)).toEqual({ q: 'why?' });
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    answer(response);
  });
  const client = createTeamMemoryClient({ url: server.url, key: 'tms_a_b', team: 'demo', timeoutMs });
  return client.ask('why?', { signal });
}

async function collect(...asked: Parameters<typeof asking>): Promise<AnswerEvent[]> {
  return Array.fromAsync(await asking(...asked));
}

const delta = 'event: delta\ndata: {"text":"Grün 🚀"}\n\n';
const sources = 'event: sources\ndata: [{"row_key":"a.md","title":"A","tier":"team","later":1}]\n\n';
const done = 'event: done\ndata: {}\n\n';

describe('ask', () => {
  it('yields text and sources of a stream that arrives byte by byte, with comments and unknown events', async () => {
    const bytes = Buffer.from(`: hello\n\n${delta}event: later\ndata: x\n\n${sources}${done}`);
    const pieces = await collect(async (response) => {
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect(pieces).toMatchObject([
      { type: 'delta', text: 'Grün 🚀' },
      { type: 'sources', sources: [{ row_key: 'a.md', title: 'A', tier: 'team' }] },
    ]);
  });

  it('ends with done even when the connection stays open', async () => {
    expect(await collect((response) => response.write(delta + sources + done))).toHaveLength(2);
  });

  it('fails when the stream ends without done', async () => {
    await expect(collect((response) => response.end(delta + sources))).rejects.toMatchObject({
      code: 'invalid_answer',
    });
  });

  it('fails with the code of an error event', async () => {
    const error = 'event: error\ndata: {"code":"unavailable","detail":"The model went away."}\n\n';
    await expect(collect((response) => response.end(delta + error))).rejects.toMatchObject({
      name: 'ProblemError',
      code: 'unavailable',
      detail: 'The model went away.',
      status: undefined,
    });
  });

  it('fails when the connection breaks', async () => {
    const broken = collect((response) => {
      response.write(delta, () => response.destroy());
    });
    await expect(broken).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('fails when the stream stalls', async () => {
    const stalled = collect((response) => response.write(delta), { timeoutMs: 200 });
    await expect(stalled).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('fails when a payload has another shape', async () => {
    await expect(
      collect((response) => response.end('event: delta\ndata: {"text":1}\n\n')),
    ).rejects.toMatchObject({
      code: 'invalid_answer',
    });
  });

  it('throws an ordinary problem when the service refuses the question', async () => {
    server = await serve((_, response) =>
      sendJson(response, 429, { code: 'daily_cap_exceeded', detail: 'Used up.' }),
    );
    const client = createTeamMemoryClient({ url: server.url, key: 'tms_a_b', team: 'demo' });
    await expect(client.ask('why?').next()).rejects.toMatchObject({
      status: 429,
      code: 'daily_cap_exceeded',
    });
  });

  it('is cancelled by its signal', async () => {
    const stop = new AbortController();
    const answer = await asking((response) => response.write(delta), { signal: stop.signal });
    await answer.next();
    stop.abort();
    await expect(answer.next()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('closes the connection when its reader stops early', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const answer = await asking((response) => {
      response.on('close', resolve);
      response.write(delta);
    });
    await answer.next();
    await answer.return(undefined);
    await closed;
  });
});
