import { inspect } from 'node:util';
import { type ModelScript, type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenaiEmbeddingModel } from './openai-embedding-model.ts';

const apiKey = 'sk-0123456789abcdef';
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer(() => undefined);
});
afterEach(() => server.stop());

const answerOf =
  (value: unknown): ModelScript =>
  (reply) =>
    reply.status(200, {}, JSON.stringify(value));
const vectors = (...numbers: number[][]) => ({
  data: numbers.map((embedding, index) => ({ index, embedding })),
  usage: { prompt_tokens: 5, total_tokens: 5 },
});

/** Embeds two texts. */
function embed(script: ModelScript, options: { signal?: AbortSignal; apiKey?: string | undefined } = {}) {
  server.script = script;
  const settings = { model: 'embedder', baseUrl: server.baseUrl, apiKey, ...options };
  const signal = options.signal ?? new AbortController().signal;
  return createOpenaiEmbeddingModel(settings).embed(['one', 'two'], signal);
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => error,
  );

describe('the request', () => {
  test('has the texts, and the key where there is one', async () => {
    await embed(answerOf(vectors([1], [1])));
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/embeddings');
    expect(request?.body).toEqual({ model: 'embedder', input: ['one', 'two'], encoding_format: 'float' });
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    await embed(answerOf(vectors([1], [1])), { apiKey: undefined });
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
  });

  test('goes to no other address, whatever the server says', async () => {
    const elsewhere = await startModelServer(answerOf(vectors([1], [1])));
    const location = `${elsewhere.baseUrl}/embeddings`;
    const failure = await failureOf(embed((reply) => reply.status(307, { location })));
    await elsewhere.stop();
    expect(failure).toMatchObject({ name: 'EmbeddingFailure', begun: false });
    expect(elsewhere.requests).toEqual([]);
  });
});

test('vectors come in the order of the texts, of unit length, with the count of tokens', async () => {
  const { data, usage } = vectors([3, 4], [0, -2]);
  expect(await embed(answerOf({ data: data.toReversed(), usage }))).toEqual({
    vectors: [Float32Array.of(0.6, 0.8), Float32Array.of(0, -1)],
    inputTokens: 5,
  });
});

describe('an answer that cannot be used is a failure that quotes nothing', () => {
  const many = (length: number) => Array.from({ length }, () => 1);
  test.for<[string, unknown]>([
    ['nothing', null],
    ['an error in a good status', { error: { message: `secret ${apiKey}` } }],
    ['too few', vectors([1])],
    ['too many', vectors([1], [1], [1])],
    ['one text twice', { data: [vectors([1]).data[0], vectors([1]).data[0]] }],
    ['a place that is none', { data: [{ index: 7, embedding: [1] }, ...vectors([1]).data] }],
    ['a place far away', { data: [{ index: 4_294_967_294, embedding: [1] }, ...vectors([1]).data] }],
    ['different dimensions', vectors([1], [1, 2])],
    ['no numbers', vectors([], [])],
    ['too many numbers', vectors(many(8_193), many(8_193))],
    ['text for numbers', { data: [{ embedding: 'AACAPw==' }, { embedding: 'AACAPw==' }] }],
    ['text among numbers', { data: [{ embedding: [1, 'x'] }, { embedding: [1, 2] }] }],
    ['null among numbers', { data: [{ embedding: [1, null] }, { embedding: [1, 2] }] }],
    ['numbers beyond all bounds', { data: [{ embedding: [1.7e308, 1.7e308] }, { embedding: [1, 2] }] }],
    ['no direction', vectors([0, 0], [1, 2])],
  ])('%s', async ([, value]) => {
    const failure = await failureOf(embed(answerOf(value)));
    expect(failure).toMatchObject({ name: 'EmbeddingFailure', begun: true, refused: false });
    expect(inspect(failure)).not.toMatch(/secret|sk-/);
  });

  test.for<[string, ModelScript]>([
    ['no JSON', (reply) => reply.status(200, {}, '{"data":')],
    ['NaN', (reply) => reply.status(200, {}, '{"data":[{"embedding":[NaN]},{"embedding":[1]}]}')],
    ['a connection that breaks', (reply) => reply.die()],
    [
      'a body without an end',
      async (reply) => {
        let open = true;
        reply.closed.then(() => {
          open = false;
        });
        while (open) await reply.raw(' '.repeat(256 * 1024));
      },
    ],
  ])('%s', async ([, script]) => {
    const failure = await failureOf(embed(script));
    expect(failure).toMatchObject({ name: 'EmbeddingFailure', begun: true });
  });

  test('a count of tokens that is none is left out', async () => {
    const answer = await embed(answerOf({ ...vectors([1], [1]), usage: { prompt_tokens: -1 } }));
    expect(answer.inputTokens).toBeUndefined();
  });
});

test.for<[number, Record<string, string>, boolean, number | undefined]>([
  [400, {}, true, undefined],
  [413, {}, true, undefined],
  [422, {}, true, undefined],
  [401, {}, false, undefined],
  [404, {}, false, undefined],
  [429, { 'retry-after': '7' }, false, 7_000],
  [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, false, undefined],
  [500, {}, false, undefined],
])(
  'status %i with %j costs nothing, refuses the texts: %s, wants %s ms',
  async ([code, headers, refused, wait]) => {
    const failure = await failureOf(embed((reply) => reply.status(code, headers, `{"error":"${apiKey}"}`)));
    expect(failure).toMatchObject({ begun: false, refused, retryAfterMs: wait });
    expect(inspect(failure)).not.toContain('sk-');
  },
);

test('as nobody listens a call costs nothing', async () => {
  const { baseUrl } = server;
  await server.stop();
  const model = createOpenaiEmbeddingModel({ model: 'embedder', baseUrl, apiKey });
  expect(await failureOf(model.embed(['a'], new AbortController().signal))).toMatchObject({ begun: false });
  server = await startModelServer(() => undefined);
});

test.for(['before an answer', 'in its middle'])('an abort %s breaks the call off at once', async (when) => {
  const leaving = new AbortController();
  const reason = new Error('gone');
  const closed = Promise.withResolvers<void>();
  const failure = await failureOf(
    embed(
      async (reply) => {
        if (when === 'in its middle') reply.raw('{"data":');
        setImmediate(() => leaving.abort(reason));
        await reply.closed;
        closed.resolve();
      },
      { signal: leaving.signal },
    ),
  );
  expect(failure).toBe(reason);
  await closed.promise;
});
