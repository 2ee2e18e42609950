import { inspect } from 'node:util';
import { type ModelScript, type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ModelChunk } from '../domain/answer/answer-model.ts';
import { createOpenaiAnswerModel } from './openai-answer-model.ts';

const apiKey = 'sk-0123456789abcdef';
const prompt = { system: 'Be brief.', user: 'Why?' };

let server: ModelServer;
/** Resolves when the first chunk of the present call has arrived. */
let heard: PromiseWithResolvers<void>;
beforeEach(async () => {
  server = await startModelServer((reply) => reply.finish());
});
afterEach(() => server.stop());

/** Asks once; the chunks, and the error that the stream ended with. */
async function ask(script: ModelScript, options: { apiKey?: string | undefined; signal?: AbortSignal } = {}) {
  server.script = script;
  heard = Promise.withResolvers();
  const settings = { model: 'writer', baseUrl: server.baseUrl, apiKey, ...options };
  const model = createOpenaiAnswerModel(settings);
  const signal = options.signal ?? new AbortController().signal;
  const chunks: ModelChunk[] = [];
  let error: unknown;
  const take = (chunk: ModelChunk) => {
    chunks.push(chunk);
    heard.resolve();
    return undefined;
  };
  await model.write(prompt, { maxOutputTokens: 7, take, signal }).catch((thrown) => {
    error = thrown;
  });
  return { chunks, text: chunks.map(({ text }) => text).join(''), error };
}

describe('the request', () => {
  test('has the prompt, the limit and nothing else: no tools, and no header but those that are needed', async () => {
    await ask((reply) => reply.finish());
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.body).toEqual({
      model: 'writer',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 7,
    });
    const added = [
      'accept-encoding',
      'accept-language',
      'connection',
      'content-length',
      'host',
      'sec-fetch-mode',
    ];
    const own = Object.keys(request?.headers ?? {}).filter((name) => !added.includes(name));
    expect(own.sort()).toEqual(['accept', 'authorization', 'content-type', 'user-agent']);
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  test('takes nothing from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org-environment');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-environment: 1');
    try {
      await ask((reply) => reply.finish(), { apiKey: undefined });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(JSON.stringify(server.requests)).not.toContain('environment');
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('goes to no other address, whatever the server says', async () => {
    const elsewhere = await startModelServer((reply) => reply.finish());
    const location = `${elsewhere.baseUrl}/chat/completions`;
    const { error } = await ask((reply) => reply.status(307, { location }));
    await elsewhere.stop();
    expect(error).toMatchObject({ name: 'AnswerModelFailure' });
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('a stream', () => {
  test('is given as it comes, with what was written and used', async () => {
    const { chunks, error } = await ask((reply) => {
      reply.event({ choices: [{ delta: { role: 'assistant', content: '' } }] });
      reply.event({ choices: [{ delta: { reasoning_content: 'Hm.' } }] });
      reply.text('Because ', 'é.');
      reply.finish({ prompt_tokens: 11, completion_tokens: 3 });
    });
    expect(error).toBeUndefined();
    expect(chunks).toEqual([
      { text: '', writtenBytes: 3 },
      { text: 'Because ', writtenBytes: 8 },
      { text: 'é.', writtenBytes: 3 },
      { text: '', writtenBytes: 0, usage: { inputTokens: 11, outputTokens: 3 } },
      { text: '', writtenBytes: 0 },
    ]);
  });

  test.for([
    [-1, 3],
    [1e300, 3],
    ['11', 3],
    [11, null],
    [1.5, 3],
  ])('a count of tokens that is none is not believed: %j', async ([prompt_tokens, completion_tokens]) => {
    const { chunks } = await ask((reply) => {
      reply.text('So.');
      reply.finish({ prompt_tokens, completion_tokens });
    });
    expect(chunks.filter(({ usage }) => usage !== undefined)).toEqual([]);
  });

  test.for<[string, ModelScript]>([
    ['the connection breaks', (reply) => reply.die()],
    ['it ends without saying so', (reply) => reply.end()],
    ['it sends what is no JSON', (reply) => reply.raw('data: {"choices":\n\n')],
    ['it sends an error', (reply) => reply.event({ error: { message: `secret ${apiKey}` } })],
    [
      'a line has no end',
      async (reply) => {
        let open = true;
        reply.closed.then(() => {
          open = false;
        });
        while (open) await reply.raw('x'.repeat(64 * 1024));
      },
    ],
    [
      'it never ends',
      async (reply) => {
        let open = true;
        reply.closed.then(() => {
          open = false;
        });
        while (open) await reply.raw(`: ${'x'.repeat(16 * 1024)}\n\n`);
      },
    ],
  ])('is an error, without the words of the server, when %s after some text', async ([, script]) => {
    const { text, error } = await ask(async (reply, request) => {
      reply.text('Because ');
      await heard.promise;
      await script(reply, request);
    });
    expect(text).toBe('Because ');
    expect(error).toMatchObject({ code: 'unavailable', message: 'The model broke off its answer.' });
    expect(inspect(error)).not.toMatch(/secret|sk-/);
  });

  test('that ends with [DONE] alone is complete', async () => {
    const { text, error } = await ask((reply) => {
      reply.text('So.');
      reply.raw('data: [DONE]\n\n');
      reply.end();
    });
    expect({ text, error }).toEqual({ text: 'So.', error: undefined });
  });

  test('of another shape gives nothing rather than nonsense', async () => {
    const shapes = [
      null,
      1,
      'text',
      [],
      {},
      { choices: null },
      { choices: ['x'] },
      { choices: [{ delta: 7 }] },
    ];
    const { chunks } = await ask((reply) => {
      for (const shape of shapes) reply.event(shape);
      reply.event({
        choices: [{ delta: { tool_calls: [{ function: { name: 'read', arguments: '{}' } }] } }],
      });
      reply.event({ choices: [{ delta: { content: ['a'] } }] });
      reply.finish();
    });
    expect(chunks).toEqual([{ text: '', writtenBytes: 0 }]);
  });

  test('has the text of the first choice alone, where a server sends more of them', async () => {
    const { text } = await ask((reply) => {
      reply.event({ choices: [{ index: 1, delta: { content: 'Nobody asked.' } }] });
      reply.event({
        choices: [
          { index: 1, delta: { content: 'Nobody.' } },
          { index: 0, delta: { content: 'So' } },
        ],
      });
      reply.event({ choices: [{ delta: { content: '.' } }] });
      reply.event({ choices: [{ index: 1, delta: {}, finish_reason: 'length' }] });
      reply.finish();
    });
    expect(text).toBe('So.');
  });

  test.for([
    ['stop', ['All of it.'], 'All of it.'],
    ['length', ['Half of'], 'Half of …'],
    ['content_filter', ['Half of'], 'Half of …'],
    ['length', [], ''],
  ] as const)('that ended for the reason %s after %j reads %j', async ([reason, texts, expected]) => {
    const { text } = await ask((reply) => {
      reply.text(...texts);
      reply.finish(undefined, reason);
    });
    expect(text).toBe(expected);
  });

  test('never has the key in it, also when it comes in pieces', async () => {
    const { text } = await ask((reply) => {
      reply.text('It is ', apiKey, ' or s', 'k-01', '23456789ab', 'cdef', ', sk-', 'x sk-0');
      reply.finish();
    });
    expect(text).toBe('It is … or …, sk-x sk-0');
  });
});

describe('a call that gets no answer', () => {
  test.for<[number, Record<string, string>, number | undefined]>([
    [500, {}, 300],
    [503, { 'retry-after': '1' }, 1_000],
    [429, {}, 300],
    [429, { 'retry-after': '2' }, 2_000],
    [429, { 'retry-after': '60' }, undefined],
    [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
    [400, {}, undefined],
    [401, {}, undefined],
    [404, {}, undefined],
  ])(
    'with status %i and %j costs nothing and may be tried again after %s ms',
    async ([code, headers, wait]) => {
      const { error } = await ask((reply) =>
        reply.status(code, headers, `{"error":{"message":"${apiKey}"}}`),
      );
      expect(error).toMatchObject({ name: 'AnswerModelFailure', begun: false, retryAfterMs: wait });
      expect((error as Error).message).toBe(`The model server answered ${code}.`);
      expect(String((error as Error).cause)).not.toContain('sk-');
    },
  );

  test('as nobody listens costs nothing; one that was cut may have cost something', async () => {
    const cut = await ask((reply) => reply.die());
    expect(cut.error).toMatchObject({ name: 'AnswerModelFailure', begun: true, retryAfterMs: 300 });
    await server.stop();
    const refused = await ask((reply) => reply.finish());
    expect(refused.error).toMatchObject({ name: 'AnswerModelFailure', begun: false, retryAfterMs: 300 });
    server = await startModelServer((reply) => reply.finish());
  });
});

test.for([true, false])('an abort closes the connection at once, answer begun: %s', async (begun) => {
  const closed = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const reason = new Error('gone');
  let abortedAt = 0;
  const { error } = await ask(
    async (reply) => {
      if (begun) {
        reply.text('Because ');
        await heard.promise;
      }
      abortedAt = performance.now();
      leaving.abort(reason);
      await reply.closed;
      closed.resolve(performance.now());
    },
    { signal: leaving.signal },
  );
  expect(error).toBe(reason);
  expect((await closed.promise) - abortedAt).toBeLessThan(5_000);
});
