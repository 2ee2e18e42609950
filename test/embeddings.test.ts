import { createAdminClient } from '@teammemory/client/admin-client.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelScript, type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { item } from './support/api.ts';
import { serviceOptionsFor } from './support/engine-settings.ts';
import { exchange } from './support/exchange.ts';
import { keyHolder, newTeam, type TeamClients } from './support/key-holder.ts';
import { rpcCall } from './support/rpc-call.ts';
import { type RunningService, type ServiceOptions, startService } from './support/running-service.ts';

const timeoutMs = 90_000;
/** What the scripted model understands: words of a line mean the same. */
const concepts = [/ferry|boat/i, /train|rail/i, /lunch|meal/i];
const question = 'When does the boat cross?';

let model: ModelServer;
let service: RunningService | undefined;
beforeEach(async () => {
  model = await startModelServer(embed);
});
afterEach(async () => {
  await service?.remove();
  service = undefined;
  await model.stop();
});

/** Answers as a good server does. */
const embed: ModelScript = (reply, { body }) => {
  const texts: string[] = body.input;
  const data = texts.map((text, index) => {
    return { index, embedding: concepts.map((concept) => (concept.test(text) ? 1 : 0.01)) };
  });
  reply.status(200, {}, JSON.stringify({ data, usage: { prompt_tokens: 7 * texts.length } }));
};

/** Every text that was sent to the model so far. */
const sent = (): string[] => model.requests.flatMap(({ body }) => body.input);

async function start(
  environment: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<RunningService> {
  service = await startService({
    ...options,
    environment: {
      OPENAI_EMBEDDING_MODEL: 'scripted',
      OPENAI_EMBEDDING_BASE_URL: model.baseUrl,
      MODEL_PRICES: '{"scripted":{"input":1},"newer":{"input":1}}',
      ...options.environment,
      ...environment,
    },
  });
  return service;
}

/** By words alone the train comes first: both cross, and equals are ordered by name. */
async function pushCrossings({ team }: Pick<TeamClients, 'team'>): Promise<void> {
  const { status } = await team.push(
    item('a-rail.md', 'The train crosses at ten.'),
    item('b-ferry.md', 'The ferry crosses at nine.'),
    item('c-lunch.md', 'There is soup for lunch.', { tier: 'external' }),
  );
  expect(status).toBe(200);
}

/** A token lives longer than a test, and exchanges of a key are limited. */
const tokens = new Map<string, Promise<string>>();

/** Row keys of the passages found, best first. */
async function found(running: RunningService, key: string, text = question): Promise<string[]> {
  const authorization = await tokens.getOrInsertComputed(running.rpcUrl + key, () =>
    exchange(running, key, 'query'),
  );
  const { code, message } = await rpcCall({
    rpcUrl: running.rpcUrl,
    protocol: 'connect',
    method: 'teammemory.query.v1.QueryService/Search',
    message: { question: text },
    authorization,
  });
  expect(code).toBe('ok');
  return (message.passages ?? []).map(({ rowKey }: { rowKey: string }) => rowKey);
}

/** Waits until a question is answered by meaning. */
function untilFoundByMeaning(running: RunningService, key: string): Promise<string[]> {
  return eventually(
    'the ferry to be found as a boat',
    async () => {
      const rowKeys = await found(running, key);
      return rowKeys[0] === 'b-ferry.md' && rowKeys;
    },
    { withinMs: 30_000, everyMs: 100 },
  );
}

describeEachEngine('embeddings', (engine) => {
  /** Starts on the storage of the test, pushes, waits until the passages have vectors, and ends. */
  async function embedCrossings(options: ServiceOptions): Promise<TeamClients> {
    const running = await start({}, options);
    const clients = await newTeam(running);
    await pushCrossings(clients);
    expect((await found(running, clients.teamKey))[0]).toBe('a-rail.md');
    expect(await untilFoundByMeaning(running, clients.teamKey)).toContain('a-rail.md');
    await running.end();
    return clients;
  }
  const sentPassages = () => sent().filter((text) => text !== question);

  test(
    'what is pushed is found by meaning soon after, and after a restart without being embedded again',
    async () => {
      const options = serviceOptionsFor(engine.storage());
      const { teamKey } = await embedCrossings(options);
      expect(sentPassages()).toHaveLength(3);
      await untilFoundByMeaning(await start({}, options), teamKey);
      expect(sentPassages()).toHaveLength(3);
    },
    timeoutMs,
  );

  test(
    'with another model everything is embedded again',
    async () => {
      const options = serviceOptionsFor(engine.storage());
      const { teamKey } = await embedCrossings(options);
      await untilFoundByMeaning(await start({ OPENAI_EMBEDDING_MODEL: 'newer' }, options), teamKey);
      expect(sentPassages()).toHaveLength(6);
      expect(model.requests.at(-1)?.body.model).toBe('newer');
    },
    timeoutMs,
  );
});

test(
  'by meaning too a key finds only what it may see',
  async () => {
    const running = await start();
    const clients = await newTeam(running);
    await pushCrossings(clients);
    await clients.team.push(item('d-rope.md', 'The rope is green.', { tier: 'external' }));
    const meal = 'Which meal?';
    await eventually('the soup to be found as a meal', async () => {
      return (await found(running, clients.externalKey, meal)).length > 0;
    });
    expect(await found(running, clients.externalKey, meal)).toEqual(['c-lunch.md']);
    expect(await found(running, clients.externalKey)).toEqual(['d-rope.md']);
    const other = await newTeam(running);
    expect(await found(running, other.teamKey)).toEqual([]);
    await clients.team.push(item('c-lunch.md', 'There is soup for lunch.'));
    expect(await found(running, clients.externalKey, meal)).toEqual([]);
  },
  timeoutMs,
);

describe('whatever the endpoint does, answers come', () => {
  const endless: ModelScript = async (reply) => {
    let open = true;
    reply.closed.then(() => {
      open = false;
    });
    while (open) await reply.raw(' '.repeat(64 * 1024));
  };
  const answerOf =
    (value: unknown): ModelScript =>
    (reply) =>
      reply.status(200, {}, JSON.stringify(value));
  const faults: [string, ModelScript][] = [
    ['it fails', (reply) => reply.status(500)],
    ['it is silent', (reply) => reply.closed],
    ['it breaks the connection', (reply) => reply.die()],
    ['it never ends', endless],
    ['it answers in another dimension', answerOf({ data: [{ embedding: [1, 2] }] })],
    ['it answers no numbers', answerOf({ data: [{ embedding: [null, null, null] }] })],
    ['it answers too much', answerOf({ data: Array(9).fill({ embedding: [1, 0, 0] }) })],
  ];

  test.for(faults)('while %s', { timeout: timeoutMs }, async ([, script]) => {
    const running = await start();
    const clients = await newTeam(running);
    await pushCrossings(clients);
    await untilFoundByMeaning(running, clients.teamKey);
    model.script = script;
    const asked = performance.now();
    const { text, sources } = await clients.team.ask('When does the train cross at ten?');
    expect(performance.now() - asked).toBeLessThan(8_000);
    expect(text).toContain('The train crosses at ten.');
    expect(sources[0]?.row_key).toBe('a-rail.md');
    await clients.team.push(item('d-new.md', 'The tram crosses at eleven.'));
    expect(await found(running, clients.teamKey, 'When does the tram cross?')).toContain('d-new.md');
    model.script = embed;
    const embedded = () =>
      model.requests.some(({ body }) => body.input.some((one: string) => /tram crosses/.test(one)));
    await eventually('the new passage to be sent', embedded, { withinMs: 30_000 });
    expect(await running.end()).toBe(0);
    const warnings = running
      .output()
      .stderr.split('\n')
      .filter((line) => line.includes('embedding went wrong'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toMatch(/crosses|train|tram/);
  });
});

test(
  'passages are paid for by the team, questions by who asks them',
  async () => {
    const running = await start();
    const clients = await newTeam(running);
    await pushCrossings(clients);
    await untilFoundByMeaning(running, clients.teamKey);
    const admin = createAdminClient({ rpcUrl: running.rpcUrl, token: running.adminToken });
    const { usage } = await admin.getUsage({ team: clients.slug });
    admin.close();
    const [byTeam, byMember] = usage.toSorted((left, right) => right.input_tokens - left.input_tokens);
    expect(byTeam).toMatchObject({
      model: 'scripted',
      input_tokens: 21,
      output_tokens: 0,
      cost_usd: 0.000021,
    });
    expect(byMember).toMatchObject({ model: 'scripted', output_tokens: 0 });
    expect(usage.map(({ member }) => member)).toEqual(expect.arrayContaining([null, 'ada']));
  },
  timeoutMs,
);

test(
  'where nothing may be spent nothing is sent, and questions are answered by words',
  async () => {
    const running = await start({ DAILY_TEAM_CAP_USD: '0' });
    const clients = await newTeam(running);
    await pushCrossings(clients);
    const { sources } = await clients.team.ask('When does the train cross at ten?');
    expect(sources[0]?.row_key).toBe('a-rail.md');
    const metrics = await (await fetch(running.metricsUrl)).text();
    expect(metrics).toContain('embedding_backlog_passages 3');
    expect(model.requests).toEqual([]);
  },
  timeoutMs,
);

test(
  'the metrics tell what is still to be embedded and what was',
  async () => {
    const running = await start();
    const clients = await newTeam(running);
    await pushCrossings(clients);
    await untilFoundByMeaning(running, clients.teamKey);
    const metrics = await (await fetch(running.metricsUrl)).text();
    expect(metrics).toContain('embedding_backlog_passages 0');
    expect(metrics).toMatch(/embedded_texts_total [4-9]/);
    expect(metrics).toMatch(/embedding_call_duration_seconds_count\{outcome="ok"\} [2-9]/);
  },
  timeoutMs,
);

test(
  'a shutdown does not wait for the model',
  async () => {
    const running = await start();
    const clients = await newTeam(running);
    const called = Promise.withResolvers<void>();
    model.script = (reply) => {
      called.resolve();
      return reply.closed;
    };
    await pushCrossings(clients);
    await found(running, clients.teamKey);
    await called.promise;
    const ended = performance.now();
    expect(await running.end()).toBe(0);
    expect(performance.now() - ended).toBeLessThan(15_000);
  },
  timeoutMs,
);

test.for([
  [{ MODEL_PRICES: '' }, 'The price of the model scripted is not known: set MODEL_PRICES'],
  [{ OPENAI_EMBEDDING_BASE_URL: '' }, 'must be set where OPENAI_EMBEDDING_MODEL is'],
  [{ OPENAI_EMBEDDING_MODEL: '' }, 'OPENAI_EMBEDDING_MODEL must be set where'],
])('settings %j keep the service from starting, with one sentence', async ([environment, sentence]) => {
  await expect(start(environment as Record<string, string>)).rejects.toThrow(sentence as string);
});

test(
  'a model that writes is given what was found by meaning, also where no word is shared',
  async () => {
    const running = await start({
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'writer',
      MODEL_PRICES: '{"scripted":{"input":1},"writer":{"input":1,"output":1}}',
    });
    const clients = await newTeam(running);
    await pushCrossings(clients);
    await untilFoundByMeaning(running, clients.teamKey);
    model.script = (reply, request) => {
      if (request.path === '/v1/embeddings') return embed(reply, request);
      reply.text('There is soup [1].');
      reply.finish({ prompt_tokens: 9, completion_tokens: 9 });
    };
    const { text, sources } = await clients.team.ask('Which meal?');
    expect(text).toBe('There is soup [1].');
    expect(sources).toMatchObject([{ row_key: 'c-lunch.md' }]);
    const prompt = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(prompt).toContain('soup for lunch');
  },
  timeoutMs,
);

test(
  'a key for embeddings alone leaves answers to quotes',
  async () => {
    const environment = {
      OPENAI_EMBEDDING_BASE_URL: '',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-both',
    };
    const running = await start(environment);
    const team = await running.createTeam();
    const clients = { team: keyHolder(running, team, team.teamKey) };
    await pushCrossings(clients);
    await untilFoundByMeaning(running, team.teamKey);
    expect((await clients.team.ask('When does the train cross at ten?')).text).toContain(
      'crosses at ten. [1]',
    );
    expect(new Set(model.requests.map(({ path }) => path))).toEqual(new Set(['/v1/embeddings']));
    expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-both');
  },
  timeoutMs,
);
