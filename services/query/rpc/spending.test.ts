import { createClient } from '@connectrpc/connect';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf, transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { beforeEach, expect, test } from 'vitest';
import { noon, usageStoreInMemory } from '../domain/spending/spending.fixture.ts';
import { createSweep } from '../domain/spending/spending.ts';
import type { Reservation, UsageStore } from '../domain/spending/usage-store.ts';
import { getSpendingHandler, getUsageHandler } from './administration.ts';

const caps = { member: 500, team: 2_000 };
const wide = { member: 1e9, team: 1e9, open: 100 };
let usage: UsageStore;

/** A client that calls with the token of a member of a team. */
function clientOf(memberId: string, more: Partial<Caller> = {}) {
  const names = { teamId: 'rivers', teamSlug: 'rivers', memberId, memberHandle: memberId, keyId: 'k' };
  const caller: Caller = { ...names, tier: 'team', access: 'write', ...more };
  return client({ kind: 'member', caller, direct: true });
}

function client(principal: Principal | undefined) {
  const dependencies = { usage, sweep: createSweep(usage), caps, clock: () => noon };
  const service = rpcService(QueryService, {
    getUsage: getUsageHandler(dependencies),
    getSpending: getSpendingHandler(dependencies),
  });
  return createClient(QueryService, transportAs(service, principal));
}

/** A call that has ended, or with `cost` undefined one that is in progress. */
async function call(teamId: string, memberId: string, amount: number, cost?: number, model = 'writer') {
  const reservation: Reservation = {
    id: `${teamId} ${memberId} ${amount} ${model}`,
    day: '2026-11-21',
    memberId,
    model,
    amount,
    worstCase: { inputTokens: 60, outputTokens: 40 },
    expiresAt: noon + 60_000,
  };
  await usage.reserve(teamId, reservation, wide);
  if (cost !== undefined) await usage.settle(teamId, reservation, { inputTokens: 30, outputTokens: 7 }, cost);
}

beforeEach(async () => {
  usage = usageStoreInMemory();
  await call('rivers', 'ada', 100, 40);
  await call('rivers', 'ada', 60);
  await call('rivers', 'bob', 90, 70);
  await call('rivers', '', 10, 5, 'embedder');
  await call('other', 'ada', 400, 400);
});

test("a member sees today's spending of the team and of themselves, with what is reserved now", async () => {
  expect(await clientOf('ada').getSpending({})).toMatchObject({
    day: '2026-11-21',
    team: { capMicroDollars: 2_000n, spentMicroDollars: 115n, reservedMicroDollars: 60n },
    member: { capMicroDollars: 500n, spentMicroDollars: 40n, reservedMicroDollars: 60n },
    resetAt: { seconds: BigInt(Date.parse('2026-11-22T00:00:00Z') / 1000) },
  });
});

test('a call that nobody settled is charged in full before anything is reported', async () => {
  const reservation = { id: 'lost', day: '2026-11-21', memberId: 'bob', model: 'writer', amount: 30 };
  const worstCase = { inputTokens: 20, outputTokens: 10 };
  await usage.reserve('rivers', { ...reservation, worstCase, expiresAt: noon - 1 }, wide);
  expect(await clientOf('bob').getSpending({})).toMatchObject({
    member: { spentMicroDollars: 100n, reservedMicroDollars: 0n },
  });
});

test("a member's usage is the member's own, whatever team the call names", async () => {
  const { rows } = await clientOf('ada').getUsage({ teamId: 'other' });
  expect(rows.map(({ memberId, costMicroDollars }) => [memberId, costMicroDollars])).toEqual([['ada', 40n]]);
});

test('an administrator of the team sees the usage of all its members, and of no other team', async () => {
  const { rows } = await clientOf('bob', { isTeamAdministrator: true }).getUsage({ teamId: 'other' });
  expect(rows.map(({ memberId, costMicroDollars }) => [memberId, costMicroDollars])).toEqual([
    ['', 5n],
    ['ada', 40n],
    ['bob', 70n],
  ]);
});

test('guests and services see nothing of it, and nobody without a token', async () => {
  for (const [stranger, code] of [
    [clientOf('ada', { tier: 'external' }), 'permission_denied'],
    [client({ kind: 'service', name: 'x', scopes: ['search:read'] }), 'permission_denied'],
    [client(undefined), 'unauthenticated'],
  ] as const) {
    expect(await codeOf(stranger.getUsage({ teamId: 'rivers' }))).toBe(code);
    expect(await codeOf(stranger.getSpending({}))).toBe(code);
  }
});
