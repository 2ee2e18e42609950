import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelScript, startModelServer } from '@teammemory/testkit/model-server.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { readAnswer, readEvents } from './support/http/events.ts';
import { newTeam } from './support/http/key-holder.ts';
import { runProgram } from './support/service/run-program.ts';
import { startService } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

/** Items that name no day have that of their push. */
const aDay = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

const model = await startModelServer((reply) => reply.finish());
const settings = {
  OPENAI_API_KEY: 'sk-written-answers-0123456789',
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: 'writer',
  MODEL_PRICES: '{"writer":{"input":1,"output":2}}',
};
const service = sharedService({ environment: settings });
afterAll(() => model.stop());
beforeEach(() => {
  model.requests.length = 0;
});

const question = 'Where does the otter Bartholomew sleep?';
const apology =
  'The model that writes answers is not available, so this one is made of passages as they were written.\n\n';

/** A team whose memory answers the question in two items. */
async function otterTeam(running = service()) {
  const clients = await newTeam(running);
  await clients.team.push(
    item('otter.md', 'The otter Bartholomew sleeps in the harbour.', { frontmatter: { title: 'The otter' } }),
    item('noon.md', 'Bartholomew the otter sleeps at noon, says Ada.', { tier: 'external' }),
    item('secret.md', 'The lighthouse password is kestrel.'),
  );
  return clients;
}

/** Lets the model do this and asks; the events of the answer. */
async function ask(script: ModelScript) {
  const { team } = await otterTeam();
  model.script = script;
  const { status, body } = await team.call('/query', { body: { q: question } });
  expect(status).toBe(200);
  return readEvents(body);
}

const kinds = (events: readonly { event: string }[]) => events.map(({ event }) => event).join(' ');
const textOf = (events: readonly { data: { text?: string } }[]) =>
  events.map(({ data }) => data.text ?? '').join('');

describe('an answer that a model writes', () => {
  test('comes as the model writes it, then what it cited, then done', async () => {
    const events = await ask((reply) => {
      reply.text('In the harbour [', '2', '], ', 'at noon [1][9].');
      reply.finish({ prompt_tokens: 100, completion_tokens: 9 });
    });
    expect(kinds(events)).toMatch(/^(delta )+sources done$/);
    expect(textOf(events)).toBe('In the harbour [1], at noon [2].');
    expect(events.at(-2)?.data).toHaveLength(2);
    expect(events.at(-2)?.data).toContainEqual({
      row_key: 'otter.md',
      title: 'The otter',
      tier: 'team',
      kind: 'item',
      date: aDay,
    });
  });

  test('rests on the passages that were found and on nothing else; no tool is offered', async () => {
    await ask((reply) => reply.finish());
    const { body } = model.requests[0] ?? {};
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream', 'stream_options']);
    const sent = JSON.stringify(body.messages);
    for (const part of [question, 'sleeps in the harbour', 'sleeps at noon']) expect(sent).toContain(part);
    expect(sent).not.toMatch(/kestrel|lighthouse|otter\.md/);
  });

  test('is streamed: its beginning is there before the model has finished', async () => {
    const { slug, teamKey } = await otterTeam();
    const read = Promise.withResolvers<void>();
    model.script = async (reply) => {
      reply.text('In the harbour');
      await read.promise;
      reply.text(' [1].');
      reply.finish();
    };
    const response = await openQuery(slug, teamKey);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let body = '';
    while (!body.includes('In the harbour')) body += (await reader?.read())?.value;
    read.resolve();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      body += next.value;
    expect(readAnswer(body).text).toBe('In the harbour [1].');
  });

  test('ends with an error, without sources and done, when the model breaks off', async () => {
    const events = await ask(async (reply) => {
      await reply.raw(
        `data: {"choices":[{"delta":{"content":"In the harbour"}}]}\n\n${': '.padEnd(70_000)}\n\n`,
      );
      reply.die();
    });
    expect(kinds(events)).toBe('delta error');
    expect(events.at(-1)?.data).toEqual({ code: 'unavailable', detail: 'The model broke off its answer.' });
  });

  test('is not asked for where nothing is found', async () => {
    const { team } = await otterTeam();
    expect(await team.ask('Tungsten?')).toMatchObject({
      text: expect.stringMatching(/^No note answers this\./),
      sources: [],
    });
    expect(model.requests).toEqual([]);
  });

  test('sees with an external key what that key may see', async () => {
    const { external } = await otterTeam();
    model.script = (reply) => {
      reply.text('At noon [1], in the harbour [2].');
      reply.finish();
    };
    expect(await external.ask(question)).toEqual({
      text: 'At noon [1], in the harbour.',
      sources: [{ row_key: 'noon.md', title: 'noon', tier: 'external', kind: 'item', date: aDay }],
    });
    expect(JSON.stringify(model.requests)).not.toMatch(/harbour|kestrel/);
  });
});

describe('a model that fails before its first word is replaced by quotes, which say so', () => {
  test.for<[string, number, ModelScript]>([
    ['refuses the key', 1, (reply) => reply.status(401)],
    ['is overloaded for long', 1, (reply) => reply.status(429, { 'retry-after': '3600' })],
    ['is overloaded twice', 2, (reply) => reply.status(503, { 'retry-after': '0' })],
    ['hangs up', 2, (reply) => reply.die()],
    [
      'answers with a page',
      1,
      (reply) => reply.status(200, { 'content-type': 'text/html' }, '<html>[1]</html>'),
    ],
    ['answers with JSON that is none', 1, (reply) => reply.raw('data: {"choices":[[\n\n').then(reply.end)],
    [
      'only calls tools',
      1,
      (reply) => {
        reply.event({
          choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'read', arguments: '{}' } }] } }],
        });
        reply.event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
        reply.end();
      },
    ],
  ])('one that %s is asked %i times', async ([, times, script]) => {
    const events = await ask(script);
    expect(kinds(events)).toMatch(/^(delta )+sources done$/);
    expect(textOf(events).startsWith(apology)).toBe(true);
    expect(textOf(events)).toContain('sleeps in the harbour');
    expect(events.at(-2)?.data.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(times);
  });

  test('a second try that succeeds is all that is seen', async () => {
    const events = await ask((reply) => {
      if (model.requests.length === 1) return reply.status(429, { 'retry-after': '0' });
      reply.text('In the harbour [1].');
      return reply.finish();
    });
    expect(textOf(events)).toBe('In the harbour [1].');
  });
});

test('when the reader goes away the call to the model ends within half a second', async () => {
  const { slug, teamKey } = await otterTeam();
  // Three processes have to get their turn for it: on a busy machine perhaps not the first time.
  await eventually('an end in time', async () => (await endAfterLeaving(slug, teamKey)) < 500);
});

/** How many milliseconds the call to the model goes on after the reader of an answer has left. */
async function endAfterLeaving(slug: string, teamKey: string): Promise<number> {
  const closedAt = Promise.withResolvers<number>();
  const begun = Promise.withResolvers<void>();
  model.script = async (reply) => {
    reply.text('In the harbour');
    begun.resolve();
    await reply.closed;
    closedAt.resolve(performance.now());
  };
  const leaving = new AbortController();
  const response = await openQuery(slug, teamKey, leaving.signal);
  await begun.promise;
  await response.body?.getReader().read();
  const leftAt = performance.now();
  leaving.abort();
  return (await closedAt.promise) - leftAt;
}

test('log and metrics tell neither what was asked and answered nor the key', async () => {
  await ask((reply) =>
    reply.status(401, {}, `{"error":{"message":"${settings.OPENAI_API_KEY} Bartholomew"}}`),
  );
  await eventually('the fault in the log', () =>
    service().output().stderr.includes('The model server answered 401.'),
  );
  const { stdout, stderr } = service().output();
  const metrics = await service().metrics();
  expect(`${stdout}${stderr}${metrics}`).not.toMatch(/Bartholomew|harbour|sk-written/);
});

test('without money left the question is refused before the first byte and the model is not asked', async () => {
  const poor = await startService({ environment: { ...settings, DAILY_MEMBER_CAP_USD: '0' } });
  try {
    const { team } = await otterTeam(poor);
    const { status, body } = await team.call('/query', { body: { q: question } });
    expect([status, body.code, body.scope]).toEqual([429, 'daily_cap_exceeded', 'member']);
    expect((await team.ask('Which tungsten alloy melts first?')).sources).toEqual([]);
  } finally {
    await poor.remove();
  }
  expect(model.requests).toEqual([]);
});

test.for([
  ['no model is named', { OPENAI_MODEL: '' }, 'OPENAI_MODEL must be set'],
  ['the model has no price', { MODEL_PRICES: '' }, 'writer'],
  ['the address is none', { OPENAI_BASE_URL: 'model.test' }, 'OPENAI_BASE_URL must be'],
] as const)(
  'the service does not start, and says why in one sentence, when %s',
  async ([, changed, sentence]) => {
    const directory = await temporaryDirectory();
    const { code, stderr } = await runProgram(directory.path, { ...settings, ...changed });
    await directory.remove();
    expect(stderr).toContain(sentence);
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).not.toContain(settings.OPENAI_API_KEY);
  },
);

function openQuery(slug: string, key: string, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${service().url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-svc-team': slug, 'content-type': 'application/json' },
    body: JSON.stringify({ q: question }),
    signal,
  });
}
