import { randomUUID } from 'node:crypto';
import { silentLog } from '@teammemory/log/log.ts';
import type { AskResponse } from '@teammemory/proto/query/v1/query_pb.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelScript, type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentInMemory, contentInMemory } from './content.fixture.ts';
import { type AnswerTimeLimits, answerTimeLimits } from './domain/answer/answer-model-call.ts';
import { feedItem } from './domain/passages/passages.fixture.ts';
import { createQueryService } from './service.ts';
import { member, testClient } from './test-client.fixture.ts';

/** A limit that a test waits for; the others stay as they are, so that no stall of this process is taken for it. */
const soonMs = 500;
const never = new Promise<void>(() => undefined);

const teamId = randomUUID();

describeEachEngine('the query service with a model behind HTTP', (engine) => {
  let server: ModelServer;
  let content: ContentInMemory;
  let service: ServiceInstance;

  function open(timeLimits = answerTimeLimits): Promise<ServiceInstance> {
    const { transport: contentTransport } = content;
    return createQueryService({
      storage: engine.storage(),
      contentTransport,
      serviceToken: async () => 'token',
      indexDiskMb: 64,
      maxOpenAnswers: { maxInAll: 10, maxPerTeam: 10 },
      indexRefreshSeconds: 0,
      clock: Date.now,
      spending: {
        dailyMemberCapUsd: '5',
        dailyTeamCapUsd: '50',
        modelPrices: '{"writer":{"input":1,"output":1}}',
      },
      model: { apiKey: undefined, baseUrl: server.baseUrl, model: 'writer', timeLimits },
      log: silentLog(),
      metrics: createMetrics(),
    });
  }

  beforeEach(async () => {
    server = await startModelServer((reply) => reply.finish());
    content = contentInMemory('token');
    content.push(teamId, feedItem(0, 'The ferry leaves at nine.', { rowKey: 'ferry.md' }));
    service = await open();
  });
  afterEach(async () => {
    await service.close();
    await server.stop();
  });

  async function limit(limits: Partial<AnswerTimeLimits>): Promise<void> {
    await service.close();
    service = await open({ ...answerTimeLimits, ...limits });
  }

  /** Asks when the ferry leaves; the text of the answer, and the code and message of its error. */
  async function ask(script: ModelScript, signal?: AbortSignal) {
    server.script = script;
    const client = testClient(service, member(teamId, 'team'));
    const options = signal === undefined ? {} : { signal };
    const parts: AskResponse['part'][] = [];
    let error: string | undefined;
    try {
      for await (const { part } of client.ask({ question: 'When does the ferry leave?' }, options))
        parts.push(part);
    } catch (thrown) {
      const { code, message } = appErrorFromRpc(thrown);
      error = `${code}: ${message}`;
    }
    return {
      text: parts.map(({ case: kind, value }) => (kind === 'delta' ? value.text : '')).join(''),
      error,
    };
  }

  /** What the team has used today, reservations that are open not counted. */
  async function usage() {
    const client = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    const { rows } = await client.getUsage({ teamId });
    return rows.map(({ calls, inputTokens, outputTokens }) => [calls, inputTokens, outputTokens].map(Number));
  }

  test('a server that takes the call and is silent is given up and replaced by passages', async () => {
    await limit({ firstTokenMs: soonMs });
    const { text, error } = await ask(() => never);
    expect(error).toBeUndefined();
    expect(text).toMatch(/^The model .* as they were written\.\n\n.*The ferry leaves at nine\. \[1\]$/s);
    // None where this process stood still for as long: it is then given up before it is asked.
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  test('a server that sends only signs of life is given up like a silent one', async () => {
    await limit({ firstTokenMs: soonMs });
    const { text } = await ask(async (reply) => {
      let open = true;
      reply.closed.then(() => {
        open = false;
      });
      while (open) {
        await reply.raw(': alive\n\ndata: {"choices":[{"delta":{"content":""}}]}\n\n');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    expect(text).toMatch(/^The model .* as they were written\.\n\n.*The ferry/s);
  });

  test('a stream that stalls is an error that says so, and its connection is closed', async () => {
    await limit({ idleMs: soonMs });
    const closed = Promise.withResolvers<void>();
    const stalled = await ask(async (reply) => {
      reply.text('At');
      await reply.closed;
      closed.resolve();
    });
    expect(stalled).toEqual({ text: 'At', error: 'unavailable: The model fell silent in its answer.' });
    await closed.promise;
  });

  test('a stream without an end is cut when its time is over', async () => {
    await limit({ totalMs: 2 * soonMs });
    const endless: ModelScript = async (reply) => {
      let open = true;
      reply.closed.then(() => {
        open = false;
      });
      while (open) {
        reply.text('x');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    // Where this process stood still until the time was over, nothing had begun that could be cut: then once more.
    const error = await eventually('an answer that is cut', async () => (await ask(endless)).error);
    expect(error).toBe('unavailable: The model took too long for its answer.');
  });

  test('what the provider counts is charged, and without its count what was sent and written', async () => {
    await ask((reply) => {
      reply.text('At nine [1].');
      reply.finish({ prompt_tokens: 120, completion_tokens: 5 });
    });
    expect(await usage()).toEqual([[1, 120, 5]]);
    await ask((reply) => {
      reply.text('At nine [1].');
      reply.finish();
    });
    expect(await usage()).toEqual([[2, 120 + worstInput(server), 5 + 12]]);
  });

  test('who goes away pays for what came until then; who was refused by the server pays nothing', async () => {
    await ask((reply) => reply.status(500));
    expect(await usage()).toEqual([]);
    const leaving = new AbortController();
    await ask(async (reply) => {
      reply.text('At');
      leaving.abort();
      await reply.closed;
    }, leaving.signal);
    const charged = await eventually('the charge', async () => (await usage())[0]);
    expect(charged).toEqual([1, worstInput(server), expect.any(Number)]);
  });

  test('who takes nothing keeps a model that writes fast waiting, and pays for what was taken when dropped', async () => {
    const kibibyte = 'x'.repeat(1_024);
    let written = 0;
    let isOpen = true;
    server.script = async (reply) => {
      reply.closed.then(() => {
        isOpen = false;
      });
      // Were it read on for nobody, the limit of an answer would soon break it off.
      while (isOpen) {
        await reply.raw(`data: {"choices":[{"delta":{"content":"${kibibyte}"}}]}\n\n`);
        written += 1;
      }
    };
    const dropped = new AbortController();
    const client = testClient(service, member(teamId, 'team'));
    const question = 'When does the ferry leave?';
    const parts = client.ask({ question }, { signal: dropped.signal })[Symbol.asyncIterator]();
    expect((await parts.next()).value?.part.value).toMatchObject({ text: kibibyte });
    // Server and service share this event loop: where nothing moves for some turns, nothing will.
    for (let still = 0, before = -1; still < 50; before = written) {
      await new Promise((resolve) => setImmediate(resolve));
      still = written === before ? still + 1 : 0;
    }
    expect(isOpen).toBe(true);
    const next = parts.next();
    dropped.abort();
    await expect(next).rejects.toThrow();
    await eventually('the end of the call', () => !isOpen);
    const charged = await eventually('the charge', async () => (await usage())[0]);
    expect(charged).toEqual([1, worstInput(server), expect.any(Number)]);
    expect(charged[2]).toBeLessThan(4_000);
  });
});

/** The tokens that the last prompt is counted as. */
function worstInput({ requests }: ModelServer): number {
  const [{ content: system }, { content: user }] = requests.at(-1)?.body.messages ?? [];
  return Buffer.byteLength(system + user) + 64;
}
