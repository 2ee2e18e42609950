import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelScript, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, expect, test } from 'vitest';
import { partProcess } from '../support/deployment/part-process.ts';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam } from '../support/http/key-holder.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { rpcCall, rpcProtocols } from '../support/rpc/rpc-call.ts';
import { totalOfMetric } from '../support/service/read-metric.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** Streams that are opened and dropped: so many on one connection once broke the calls of others. */
const streams = 4_000;
/** Open at once over both gateways, and dropped in one moment: opening them must not take as long as a process may hang. */
const streamsAtOnce = 250;
const timeoutMs = 180_000;
/** Time for a question to reach the model on a busy machine; and far less than the 90 s that a model is given. */
const deadline = { afterMs: 4_000, mostMs: 30_000 };
const question = 'Where does the otter sleep?';

let opened = 0;
let closed = 0;
/** Begins an answer and never ends it, nor falls silent. */
const endless: ModelScript = async (reply) => {
  opened += 1;
  reply.text('In the harbour');
  const writing = setInterval(() => reply.text(' and'), 1_000);
  await reply.closed;
  clearInterval(writing);
  closed += 1;
};
const model = await startModelServer((reply, call) => {
  if (!JSON.stringify(call.body.messages).includes('bystander')) return endless(reply, call);
  reply.text('In the harbour [1].');
  reply.finish({ prompt_tokens: 1, completion_tokens: 1 });
});
const service = sharedService({
  environment: {
    ITEM_WRITES_PER_MINUTE: '60',
    OPENAI_API_KEY: 'sk-between-processes-0123456789',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":0.000001,"output":0.000001}}',
  },
});
afterAll(() => model.stop());

/** The clients of one new key, one for each gateway. */
async function clients(): Promise<(KeyHolder & { url: string; slug: string })[]> {
  const { slug, team } = await newTeam(service());
  return service().urls.map((url) => ({ ...keyHolder({ url }, { slug }, team.key), url, slug }));
}

test('500 writes at once on one key over two gateways admit exactly 60', { timeout: timeoutMs }, async () => {
  const told = (name: string) => totalOfMetric(service(), `teammemory_rate_limiter_redis_${name}`);
  const { statuses, gateways } = await eventually(
    'writes while the machine has time for them',
    async () => {
      const before = await told('losses_total');
      if ((await told('up')) < service().urls.length) return false;
      const gateways = await clients();
      const answers = await Promise.all(
        Array.from({ length: 500 }, (_, index) => gateways[index % 2]?.push(item(`${randomUUID()}.md`))),
      );
      const statuses = answers.map((answer) => answer?.status);
      // On a busy machine a gateway that has waited a second for Redis counts by itself, and rows that are admitted are
      // not stored in time.
      const isBusy = statuses.includes(503) || (await told('losses_total')) > before;
      return !isBusy && { statuses, gateways };
    },
    { withinMs: timeoutMs / 2 },
  );
  expect(gateways).toHaveLength(2);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(await gateways[1]?.rows('?limit=200')).toHaveLength(60);
});

test.for(rpcProtocols)('a deadline of a %s call cancels the work two processes behind', async (protocol) => {
  const { team, teamKey } = await newTeam(service());
  await team.push(item('otter.md', 'The otter sleeps in the harbour.'));
  // The first question waits until the team's index is made.
  await team.ask(`${question} asks a bystander`);
  const authorization = await exchange(service(), teamKey, 'query');
  const before = { opened, closed };
  const startedMs = performance.now();
  const { code } = await rpcCall({
    rpcUrl: service().rpcUrl,
    protocol,
    method: 'teammemory.query.v1.QueryService/Ask',
    streaming: true,
    message: { question },
    authorization,
    timeoutMs: deadline.afterMs,
  });
  expect(code).toBe('deadline_exceeded');
  expect(performance.now() - startedMs).toBeLessThan(deadline.mostMs);
  expect(opened).toBe(before.opened + 1);
  await eventually('the call of the model to be cancelled', () => closed === before.closed + 1);
});

test(`${streams} questions that are dropped cancel their own work and hurt nobody else`, {
  timeout: timeoutMs,
}, async () => {
  const gateways = await clients();
  await gateways[0]?.push(item('otter.md', 'The otter sleeps in the harbour.'));
  const ask = (client: KeyHolder) => client.ask(`${question} asks a bystander`);
  // From here on each gateway has its connection to the service, also while that is held.
  await Promise.all(gateways.map(ask));
  let finished = false;
  const bystanding = Promise.all(gateways.map(bystander));
  // Looked at when the streams are through.
  bystanding.catch(() => undefined);
  async function bystander(client: KeyHolder): Promise<number> {
    let answers = 0;
    for (; !finished; answers += 1) {
      expect((await client.pull()).status).toBe(200);
      expect((await ask(client)).text).toBe('In the harbour [1].');
    }
    return answers;
  }
  const pulled = () => Promise.all(gateways.map((client) => client.pull()));
  const { pid } = partProcess(service(), 'query-1');
  try {
    for (let sent = 0; sent < streams; sent += streamsAtOnce) {
      // Held, the service has all of them before it when it goes on, and behind them that they are not wanted any more.
      process.kill(pid, 'SIGSTOP');
      const half = Array.from({ length: streamsAtOnce / gateways.length });
      const wave = await Promise.all(gateways.flatMap((client) => half.map(() => sentQuestion(client))));
      await pulled();
      for (const stream of wave) stream.destroy();
      await pulled();
      process.kill(pid, 'SIGCONT');
      // Held again without having gone on, it would be taken for one that hangs.
      await Promise.all(gateways.map(ask));
    }
  } finally {
    process.kill(pid, 'SIGCONT');
    finished = true;
  }
  for (const answers of await bystanding) expect(answers).toBeGreaterThan(0);
  await eventually('all calls of the model to be cancelled', () => closed === opened);
});

/** Asks on a connection of its own; resolves when the question is sent. */
async function sentQuestion(client: { url: string; slug: string; key: string }): Promise<ClientRequest> {
  const { url, slug, key } = client;
  const sent = request(`${url}/api/v1/query`, {
    agent: false,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-svc-team': slug, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ q: question }));
  await once(sent, 'finish');
  // That it is dropped is wanted.
  sent.on('error', () => undefined);
  return sent;
}
