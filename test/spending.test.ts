import { createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type ModelReply, type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, apiWhenAvailable, item } from './support/http/api.ts';
import { readEvents } from './support/http/events.ts';
import { keyHolder } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { type StartedService, startService, type Team } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

const timeoutMs = 90_000;
const question = { body: { q: 'Where does Bartholomew sleep?' } };
/** Output alone has a price, a micro-dollar a token, so that every question can cost the same. */
const modelPrices = '{"scripted":{"input":0,"output":1}}';
/** Twenty questions at two attempts of 4,000 tokens each, and almost one more. */
const cap = 0.167999;
const spentPerCall = 0.0005;

let model: ModelServer;
let held: { reply: ModelReply; writing: NodeJS.Timeout }[] = [];
let service: StartedService | undefined;

beforeEach(async () => {
  held = [];
  model = await startModelServer(hold);
});
afterEach(async () => {
  await service?.remove();
  service = undefined;
  await model.stop();
});

/** Answers a word each second until it is let end, so that no question gives the model up while others are asked. */
async function hold(reply: ModelReply): Promise<void> {
  reply.text('It sleeps ');
  const writing = setInterval(() => reply.text('there '), 1_000);
  held.push({ reply, writing });
  await reply.closed;
  clearInterval(writing);
}

/** Lets every call to the model that is under way end well. */
function finishHeld(): void {
  for (const { reply, writing } of held.splice(0)) {
    clearInterval(writing);
    reply.text('In the harbour. [1]');
    reply.finish({ prompt_tokens: 100, completion_tokens: 500 });
  }
}

/** Whether the cap refused a question. One that has waited long is refused in its stream, which has begun by then. */
function isRefusedByCap({ status, body }: Answer): boolean {
  if (status !== 200) return body.code === 'daily_cap_exceeded';
  return readEvents(body).some(({ event, data }) => event === 'error' && data.code === 'daily_cap_exceeded');
}

/** Asks so many questions at once; once each is held or refused, returns how one more is refused. */
async function askAtOnce(running: StartedService, team: Team, count: number) {
  const { call } = keyHolder(running, team, team.teamKey);
  let refused = 0;
  // A busy machine says that it has no room for so many at once; who asks tries again.
  const ask = () => apiWhenAvailable(running, team, team.teamKey, '/api/v1/query', question);
  const answers = Array.from({ length: count }, async () => {
    if (isRefusedByCap(await ask())) refused += 1;
  });
  const settled = Promise.allSettled(answers);
  await eventually('every question to be held or refused', () => held.length + refused === count, {
    withinMs: 60_000,
  });
  return { refusal: await call('/query', question), settled };
}

describeEachEngine('what questions cost', (engine) => {
  async function start(environment: Record<string, string>): Promise<StartedService> {
    service = await startService(
      serviceOptionsFor(engine.storage(), {
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_MODEL: 'scripted',
        MODEL_PRICES: modelPrices,
        // The money is to be what refuses.
        QUESTIONS_PER_MINUTE: '1000',
        ...environment,
      }),
    );
    return service;
  }

  async function teamWithNote(running: StartedService): Promise<Team> {
    const team = await running.createTeam();
    const note = item('otter.md', 'The otter Bartholomew sleeps in the harbour at noon.');
    await keyHolder(running, team, team.teamKey).push(note);
    return team;
  }

  function refusalOf(scope: 'member' | 'team', capUsd: number, spentUsd: unknown) {
    const reset_at = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/);
    return { ...problem('daily_cap_exceeded'), scope, cap_usd: capUsd, spent_usd: spentUsd, reset_at };
  }

  test(
    'of 200 questions at once exactly those that the cap allows reach the model, and what they used is charged',
    async () => {
      const running = await start({ DAILY_TEAM_CAP_USD: String(cap) });
      const team = await teamWithNote(running);
      const { refusal, settled } = await askAtOnce(running, team, 200);
      const admitted = held.length;
      expect(admitted).toBeGreaterThan(1);
      expect(refusal).toMatchObject({ status: 429, body: refusalOf('team', cap, expect.any(Number)) });
      const seconds = (Date.parse(refusal.body.reset_at) - Date.now()) / 1000;
      expect(Math.abs(Number(refusal.headers.get('retry-after')) - seconds)).toBeLessThan(60);
      const worst = refusal.body.spent_usd / admitted;
      expect(admitted).toBe(Math.floor(cap / worst + 1e-9));

      finishHeld();
      const statuses = await settled;
      expect(statuses.filter(({ status }) => status === 'rejected')).toEqual([]);
      const admin = createAdminClient({ rpcUrl: running.rpcUrl, token: running.adminToken });
      const used = await eventually('all to be settled', async () => {
        const { usage } = await admin.getUsage({ team: team.slug });
        return usage[0]?.calls === admitted ? usage : undefined;
      });
      admin.close();
      const tokens = { input_tokens: 100 * admitted, output_tokens: 500 * admitted };
      expect(used).toMatchObject([
        { model: 'scripted', ...tokens, cost_usd: expect.closeTo(spentPerCall * admitted, 9) },
      ]);
      const again = keyHolder(running, team, team.teamKey).ask(question.body.q);
      await eventually('a question to fit again', () => held.length === 1);
      finishHeld();
      expect((await again).sources).toHaveLength(1);
    },
    timeoutMs,
  );

  test(
    'kill -9 while questions are answered gives nothing back that may have been spent',
    async () => {
      const settings = { DAILY_MEMBER_CAP_USD: String(cap) };
      const running = await start(settings);
      const team = await teamWithNote(running);
      const { refusal, settled } = await askAtOnce(running, team, 40);
      const spent = refusal.body.spent_usd;
      await running.end('SIGKILL');
      await settled;
      held = [];
      const again = await start(settings);
      const answer = await keyHolder(again, team, team.teamKey).call('/query', question);
      expect(answer.body).toEqual(refusalOf('member', cap, spent));
      expect(held).toEqual([]);
    },
    timeoutMs,
  );
});

test(
  'a cap of 0 allows quotes and free models, and nothing that costs',
  async () => {
    const noMoney = { DAILY_MEMBER_CAP_USD: '0', DAILY_TEAM_CAP_USD: '0' };
    const settings = { ...noMoney, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' };
    for (const [price, status] of [
      [1, 429],
      [0, 200],
    ]) {
      const environment = { ...settings, MODEL_PRICES: `{"scripted":{"input":0,"output":${price}}}` };
      service = await startService({ environment });
      const team = await service.createTeam();
      const { call, push } = keyHolder(service, team, team.teamKey);
      model.script = (reply) => {
        reply.text('In the harbour. [1]');
        reply.finish();
      };
      await push(item('otter.md', 'The otter Bartholomew sleeps in the harbour at noon.'));
      expect((await call('/query', { body: { q: 'zebra?' } })).status).toBe(200);
      expect((await call('/query', question)).status).toBe(status);
      await service.remove();
    }
  },
  timeoutMs,
);

test('a model without a price keeps the service from starting, with one sentence', async () => {
  const environment = { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'nobody-knows' };
  await expect(startService({ environment })).rejects.toThrow(
    'The price of the model nobody-knows is not known: set MODEL_PRICES',
  );
});
