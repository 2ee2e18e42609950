import { createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import {
  crossingQuestion,
  embed,
  embeddingProgram,
  found,
  untilFoundByMeaning,
} from './support/models/embedding-program.ts';
import { readMetric } from './support/service/read-metric.ts';
import type { ServiceOptions } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

const timeoutMs = 90_000;
const program = embeddingProgram();

describeEachEngine('embeddings', (engine) => {
  /** Starts on the storage of the test, pushes, waits until the passages have vectors, and ends. */
  async function embedCrossings(options: ServiceOptions): Promise<TeamClients> {
    const { running, clients } = await program().startWithCrossings({}, options);
    expect((await found(running, clients.teamKey))[0]).toBe('a-rail.md');
    expect(await untilFoundByMeaning(running, clients.teamKey)).toContain('a-rail.md');
    await running.end();
    return clients;
  }
  const sentPassages = () =>
    program()
      .sent()
      .filter((text) => text !== crossingQuestion);

  test(
    'what is pushed is found by meaning soon after, and after a restart without being embedded again',
    async () => {
      const options = serviceOptionsFor(engine.storage());
      const { teamKey } = await embedCrossings(options);
      expect(sentPassages()).toHaveLength(3);
      await untilFoundByMeaning(await program().start({}, options), teamKey);
      expect(sentPassages()).toHaveLength(3);
    },
    timeoutMs,
  );

  test(
    'with another model everything is embedded again',
    async () => {
      const options = serviceOptionsFor(engine.storage());
      const { teamKey } = await embedCrossings(options);
      await untilFoundByMeaning(await program().start({ OPENAI_EMBEDDING_MODEL: 'newer' }, options), teamKey);
      expect(sentPassages()).toHaveLength(6);
      expect(program().model.requests.at(-1)?.body.model).toBe('newer');
    },
    timeoutMs,
  );
});

test(
  'by meaning too a key finds only what it may see',
  async () => {
    const { running, clients } = await program().startWithCrossings();
    await clients.team.push(item('d-rope.md', 'The rope is green.', { tier: 'external' }));
    const meal = 'Which meal?';
    await eventually('the soup to be found as a meal', async () => {
      return (await found(running, clients.externalKey, meal)).length > 0;
    });
    await eventually('the rope to be found by meaning', async () => {
      return (await found(running, clients.externalKey)).length > 0;
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

test(
  'passages are paid for by who pushed them, questions by who asks them',
  async () => {
    const { running, clients } = await program().startWithCrossings();
    const admin = createAdminClient({ rpcUrl: running.rpcUrl, token: running.adminToken });
    await admin.addMember({ team: clients.slug, handle: 'bob', role: 'member' });
    const { key } = await admin.createKey({ team: clients.slug, member: 'bob', tier: 'team' });
    await untilFoundByMeaning(running, key);
    const { usage } = await admin.getUsage({ team: clients.slug });
    admin.close();
    const byMember = Object.fromEntries(usage.map(({ member, ...used }) => [member, used]));
    expect(byMember.ada).toMatchObject({
      model: 'scripted',
      input_tokens: 21,
      output_tokens: 0,
      cost_usd: 0.000021,
    });
    const questions = program().sent().length - 3;
    expect(byMember.bob).toMatchObject({ input_tokens: 7 * questions, output_tokens: 0 });
    expect(Object.keys(byMember).toSorted()).toEqual(['ada', 'bob']);
  },
  timeoutMs,
);

test(
  'where nothing may be spent nothing is sent, and questions are answered by words',
  async () => {
    const { running, clients } = await program().startWithCrossings({ DAILY_TEAM_CAP_USD: '0' });
    const { sources } = await clients.team.ask('When does the train cross at ten?');
    expect(sources[0]?.row_key).toBe('a-rail.md');
    const metrics = await (await fetch(running.metricsUrl)).text();
    expect(metrics).toContain('teammemory_embedding_backlog_passages 3');
    expect(program().model.requests).toEqual([]);
  },
  timeoutMs,
);

test(
  'the metrics tell what is still to be embedded and what was',
  async () => {
    const { running, clients } = await program().startWithCrossings();
    await untilFoundByMeaning(running, clients.teamKey);
    const told = (name: string) => readMetric(running.metricsUrl, `teammemory_${name}`);
    expect(await told('embedding_backlog_passages')).toBe(0);
    expect(await told('embedded_texts_total')).toBeGreaterThanOrEqual(4);
    expect(await told('embedding_call_duration_seconds_count\\{outcome="ok"\\}')).toBeGreaterThanOrEqual(2);
  },
  timeoutMs,
);

test.for([
  [{ MODEL_PRICES: '' }, 'The price of the model scripted is not known: set MODEL_PRICES'],
  [{ OPENAI_EMBEDDING_BASE_URL: '' }, 'must be set where OPENAI_EMBEDDING_MODEL is'],
  [{ OPENAI_EMBEDDING_MODEL: '' }, 'OPENAI_EMBEDDING_MODEL must be set where'],
])('settings %j keep the service from starting, with one sentence', async ([environment, sentence]) => {
  await expect(program().start(environment as Record<string, string>)).rejects.toThrow(sentence as string);
});

test(
  'a model that writes is given what was found by meaning, also where no word is shared',
  async () => {
    const { running, clients } = await program().startWithCrossings({
      OPENAI_BASE_URL: program().model.baseUrl,
      OPENAI_MODEL: 'writer',
      MODEL_PRICES: '{"scripted":{"input":1},"writer":{"input":1,"output":1}}',
    });
    await untilFoundByMeaning(running, clients.teamKey);
    program().model.script = (reply, request) => {
      if (request.path === '/v1/embeddings') return embed(reply, request);
      reply.text('There is soup [1].');
      reply.finish({ prompt_tokens: 9, completion_tokens: 9 });
    };
    const { text, sources } = await clients.team.ask('Which meal?');
    expect(text).toBe('There is soup [1].');
    expect(sources).toMatchObject([{ row_key: 'c-lunch.md' }]);
    const prompt = JSON.stringify(program().model.requests.at(-1)?.body.messages);
    expect(prompt).toContain('soup for lunch');
  },
  timeoutMs,
);

test(
  'a key for embeddings alone leaves answers to quotes',
  async () => {
    const environment = {
      OPENAI_EMBEDDING_BASE_URL: '',
      OPENAI_BASE_URL: program().model.baseUrl,
      OPENAI_API_KEY: 'sk-both',
    };
    const { running, clients } = await program().startWithCrossings(environment);
    await untilFoundByMeaning(running, clients.teamKey);
    expect((await clients.team.ask('When does the train cross at ten?')).text).toContain(
      'crosses at ten. [1]',
    );
    expect(new Set(program().model.requests.map(({ path }) => path))).toEqual(new Set(['/v1/embeddings']));
    expect(program().model.requests[0]?.headers.authorization).toBe('Bearer sk-both');
  },
  timeoutMs,
);
