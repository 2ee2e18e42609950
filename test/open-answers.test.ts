import { eventually } from '@teammemory/testkit/eventually.ts';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { sharedService } from './support/service/shared-service.ts';

const question = 'Where does the otter sleep?';
/** It writes a word each second until its reader has gone, so that no answer ends because the model is silent. */
const model = await startModelServer(async (reply) => {
  reply.text('In the ');
  const writing = setInterval(() => reply.text('harbour '), 1_000);
  await reply.closed;
  clearInterval(writing);
});
afterAll(() => model.stop());
const service = sharedService({
  environment: {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
    OPEN_ANSWERS: '3',
  },
});

async function otterTeam(): Promise<TeamClients> {
  const clients = await newTeam(service());
  await clients.team.push(item('otter.md', 'The otter sleeps in the harbour.'));
  return clients;
}

/** Asks one gateway and leaves the answer open. */
async function open({ slug, teamKey }: TeamClients) {
  const leaving = new AbortController();
  const response = await fetch(`${service().url}/api/v1/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${teamKey}`,
      'x-svc-team': slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ q: question }),
    signal: leaving.signal,
  });
  // This also keeps the response: one that nothing refers to any more hangs up with the next collection of garbage.
  onTestFinished(() => {
    leaving.abort();
    return response.body?.cancel().catch(() => undefined);
  });
  return { response, hangUp: () => leaving.abort() };
}

const statusOf = async (team: TeamClients) => (await open(team)).response.status;

/** Asks the query service itself, as a member may with the token of a key. */
async function askOverRpc({ teamKey }: TeamClients): Promise<string> {
  const { code } = await rpcCall({
    rpcUrl: service().rpcUrl,
    protocol: 'connect',
    method: 'teammemory.query.v1.QueryService/Ask',
    streaming: true,
    message: { question },
    authorization: await exchange(service(), teamKey, 'query'),
  });
  return code;
}

test('all teams together get as many answers at once as the setting says, and one team half; one that ends makes room', async () => {
  const [wild, other] = [await otterTeam(), await otterTeam()];
  const first = await open(wild);
  expect(await statusOf(wild)).toBe(200);
  const { response: refused } = await open(wild);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });

  expect(await statusOf(other)).toBe(200);
  expect(await statusOf(other)).toBe(503);
  first.hangUp();
  await eventually('room for one more', async () => (await statusOf(other)) === 200);
  expect(await statusOf(wild)).toBe(503);
});

test('who asks the query service itself finds the same bound', async () => {
  const wild = await otterTeam();
  for (const which of ['one', 'two']) {
    await eventually(`answer ${which}`, async () => (await statusOf(wild)) === 200);
  }
  expect(await askOverRpc(wild)).toBe('unavailable');
});
