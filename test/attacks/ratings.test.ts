import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { openSession } from '../support/http/browser-session.ts';
import { exchange } from '../support/rpc/caller-tokens.ts';
import { type RpcAnswer, rpcCall } from '../support/rpc/rpc-call.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';

const attacked = attackedService({});
/** A page of a browser stands on what the gateway knows of a key for at most 5 s; the rest is for a loaded machine. */
const takesEffectMs = 5_000 + 10_000;
const secret = 'Where is the marmalade?';
const notHelped = { question: secret, verdict: 'RATING_VERDICT_NOT_HELPED', note: 'It was in the cellar.' };

const path = (method: string) => `teammemory.query.v1.QueryService/${method}`;

/** Calls with a key that was exchanged at the RPC port. */
async function caller(key: string) {
  const { service } = attacked();
  const authorization = await exchange(service, key, 'query');
  return (method: string, message: object = {}): Promise<RpcAnswer> =>
    rpcCall({ rpcUrl: service.rpcUrl, protocol: 'connect', method: path(method), message, authorization });
}

/** What the administrator of the team sees. */
async function questionsOf(teamKey: string): Promise<string[]> {
  const { message } = await (await caller(teamKey))('ListRatings');
  return (message.ratings ?? []).map(({ question }: { question: string }) => question);
}

test('a rating is seen and removed by administrators of its team alone: by no other member, guest, team or stranger', async () => {
  const { service, other } = attacked();
  const team = await service.createTeam();
  const bo = await team.newKey('team', { member: 'bo' });
  await besideBystanders({ ...attacked(), name: 'readers of ratings', boundMegabytes: 50 }, async () => {
    for (const key of [bo, team.externalKey, team.readKey]) {
      expect(await (await caller(key))('RateAnswer', notHelped)).toEqual({ code: 'ok', message: {} });
    }
    const { message } = await (await caller(team.teamKey))('ListRatings');
    const [{ ratingId }] = message.ratings;
    for (const key of [bo, team.externalKey, team.readKey]) {
      const call = await caller(key);
      for (const more of [{}, { teamId: '0'.repeat(8) }]) {
        expect((await call('ListRatings', more)).code).toBe('permission_denied');
        expect((await call('RemoveRatings', { ...more, ratingIds: [ratingId] })).code).toBe(
          'permission_denied',
        );
      }
      expect((await call('EraseMemberRatings', { handle: 'bo' })).code).toBe('permission_denied');
    }
    // Another team's administrator reaches nothing but the own team, whatever the call names.
    const stranger = await caller(other.teamKey);
    expect(await stranger('ListRatings')).toEqual({ code: 'ok', message: {} });
    expect(await stranger('RemoveRatings', { ratingIds: [ratingId] })).toEqual({ code: 'ok', message: {} });
    expect(await stranger('RateAnswer', { question: secret })).toEqual({ code: 'ok', message: {} });
    expect((await stranger('EraseMemberRatings', { handle: 'bo' })).code).toBe('permission_denied');
    for (const method of ['RateAnswer', 'ListRatings', 'RemoveRatings', 'EraseMemberRatings']) {
      const call = { rpcUrl: service.rpcUrl, protocol: 'connect', method: path(method) } as const;
      expect((await rpcCall(call)).code).toBe('unauthenticated');
    }
    expect(await questionsOf(team.teamKey)).toEqual(Array(message.ratings.length).fill(secret));
  });
});

test('nobody takes back the rating of somebody else, and an answer tells nobody whether there was one', async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const bo = await caller(await team.newKey('team', { member: 'bo' }));
  const guest = await caller(await team.newKey('external', { member: 'eve' }));
  await bo('RateAnswer', notHelped);
  for (const question of [secret, 'Nobody asked this']) {
    expect(await guest('RateAnswer', { question })).toEqual({ code: 'ok', message: {} });
  }
  expect(await questionsOf(team.teamKey)).toEqual([secret]);
  expect(await bo('RateAnswer', { question: secret })).toEqual({ code: 'ok', message: {} });
  expect(await questionsOf(team.teamKey)).toEqual([]);
});

test('whoever is no administrator any more, or whose key was revoked, sees no ratings', {
  timeout: 60_000,
}, async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const bo = await team.newKey('team', { member: 'bo' });
  await (await caller(bo))('RateAnswer', notHelped);
  const page = await openSession(service, { key: team.teamKey });
  const list = () => page.rpc(path('ListRatings'));
  expect((await list()).body.ratings).toHaveLength(1);
  const setRole = (handle: string, role: 'admin' | 'member') =>
    asAdministrator(service, (admin) => admin.setMemberRole({ team: team.slug, handle, role }));
  // A key may list 60 times a minute.
  const within = { withinMs: takesEffectMs, everyMs: 1_000 };
  await setRole('bo', 'admin');
  await setRole('ada', 'member');
  await eventually('the former administrator is refused', async () => (await list()).status === 403, within);
  await setRole('ada', 'admin');
  await eventually('an administrator again', async () => (await list()).status === 200, within);
  await asAdministrator(service, (admin) => admin.revokeKey(team.teamKey.split('_')[1] ?? ''));
  await eventually('the revoked key is refused', async () => (await list()).status === 401, within);
});

test('a guest who rates without end is stopped, pushes out nothing of others, and holds nobody up', {
  timeout: 60_000,
}, async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  await (await caller(await team.newKey('team', { member: 'bo' })))('RateAnswer', notHelped);
  const guest = await caller(team.externalKey);
  await besideBystanders({ ...attacked(), name: 'a flood of ratings', boundMegabytes: 50 }, async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, number) =>
        guest('RateAnswer', { ...notHelped, question: `${number} ${'🦦'.repeat(3_990)}` }),
      ),
    );
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(20);
    expect(codes.filter((code) => code === 'resource_exhausted')).toHaveLength(60);
  });
  const questions = await questionsOf(team.teamKey);
  expect(questions).toHaveLength(21);
  expect(questions).toContain(secret);
});

test('what is too long, or none of our names, is refused and changes nothing', async () => {
  const { service } = attacked();
  const team = await service.createTeam();
  const call = await caller(team.teamKey);
  const hostile: [string, object][] = [
    ['RateAnswer', { ...notHelped, question: '' }],
    ['RateAnswer', { ...notHelped, question: 'x'.repeat(4_001) }],
    ['RateAnswer', { ...notHelped, note: 'x'.repeat(501) }],
    ['RateAnswer', { ...notHelped, verdict: 7 }],
    ['RemoveRatings', { ratingIds: [] }],
    ['RemoveRatings', { ratingIds: ['$ne'] }],
    ['RemoveRatings', { ratingIds: Array(101).fill('0'.repeat(32)) }],
    ['ListRatings', { pageSize: 101 }],
    ['ListRatings', { pageToken: "1.' OR 1=1" }],
  ];
  for (const [method, message] of hostile) {
    expect({ method, message, code: (await call(method, message)).code }).toEqual({
      method,
      message,
      code: 'invalid_argument',
    });
  }
  expect(await questionsOf(team.teamKey)).toEqual([]);
});
