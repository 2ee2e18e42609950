import { createAdminClient } from '@teammemory/client/admin-client.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import type { Answer } from './support/api.ts';
import { describeEachService } from './support/describe-each-service.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from './support/key-holder.ts';
import { malformed } from './support/malformed-body.ts';
import { problem } from './support/problem.ts';
import type { RunningService } from './support/running-service.ts';
import { sharedService } from './support/shared-service.ts';
import { snapshot } from './support/snapshot.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const malformedBodies = 1_000;
const push = (client: KeyHolder, body: unknown = snapshot()) => client.call('/metrics', { body });
const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describeEachService(
  'pushing maturity snapshots',
  (service) => {
    test('a snapshot is placed from its signals, whatever the client claims, and answered with nothing else', async () => {
      const { team } = await newTeam(service());
      const { status, body } = await push(team);
      // Worked out by hand from decisions §9; services/analytics/domain/placement.test.ts has the sums.
      const axes = {
        verification: 2.9,
        context_hygiene: 2.96,
        autonomy: 2.86,
        learning: 3.27,
        cost_governance: 3.08,
      };
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'ok', snapshot_id: uuid, member_id: uuid, canonical: { spine: 'L4', axes } },
      });
    });

    test('the same day again is the same snapshot, placed anew; another day or member is another', async () => {
      const clients = await newTeam(service());
      await addMember(service(), clients, 'bob');
      const { team } = clients;
      const first = (await push(team)).body;
      const again = (await push(team, snapshot({ sessions: 0 }))).body;
      expect(again).toMatchObject({ snapshot_id: first.snapshot_id, canonical: { spine: 'L0' } });
      const bob = (await push(team, snapshot({ member: 'BOB' }))).body;
      const other = (await push(team, snapshot({ date: '2024-02-29' }))).body;
      expect(bob.member_id).not.toBe(first.member_id);
      expect((await push(team, snapshot({ member: 'ADA' }))).body.snapshot_id).toBe(first.snapshot_id);
      expect(new Set([first, bob, other].map(({ snapshot_id }) => snapshot_id)).size).toBe(3);
    });

    test('30 equal pushes at once get the same answer', async () => {
      const { team } = await newTeam(service());
      const answers = await Promise.all(Array.from({ length: 30 }, () => push(team)));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
    });

    test('a member who is not on the team is unknown, on another team or nowhere', async () => {
      const [{ team }, other] = [await newTeam(service()), await newTeam(service())];
      await addMember(service(), other, 'bob');
      for (const member of ['bob', 'nobody', '$ne', '__proto__', '../ada']) {
        const { status, body } = await push(team, snapshot({ member }));
        expect({ status, body }).toEqual({
          status: 422,
          body: {
            ...problem('unknown_member'),
            errors: [{ pointer: '/member', detail: expect.any(String) }],
          },
        });
      }
    });

    test('administrators see a team of three, and nothing but its number before', async () => {
      const clients = await newTeam(service());
      for (const handle of ['bob', 'cy']) await addMember(service(), clients, handle);
      await push(clients.team);
      await push(clients.team, snapshot({ member: 'bob', signals: {} }));
      const rollup = () => asAdmin(service(), (admin) => admin.getRollup({ team: clients.slug, weeks: 1 }));
      expect((await rollup()).current).toEqual({
        members: 2,
        withheld: true,
        spines: null,
        median_axes: null,
      });
      await push(clients.team, snapshot({ member: 'cy', signals: { tool_diversity: 3 } }));
      const placement = {
        members: 3,
        withheld: false,
        spines: { L0: 0, L1: 1, L2: 1, L3: 0, L4: 1, L5: 0 },
        median_axes: { verification: 0, context_hygiene: 0, autonomy: 0.4, learning: 0, cost_governance: 0 },
      };
      expect(await rollup()).toMatchObject({ rubric_version: 1, current: placement, trend: [placement] });
      const rescored = await asAdmin(service(), (admin) => admin.rescore({ team: clients.slug }));
      expect(rescored).toEqual({ teams: 1, scans: 0, snapshots: 0 });
    });
  },
  { environment: { SNAPSHOTS_PER_MINUTE: '100000' } },
);

describe('what is refused', () => {
  const service = sharedService({ environment: { SNAPSHOTS_PER_MINUTE: '100000' } });
  const signal = (name: string, value: unknown) => snapshot({ signals: { [name]: value } });
  const json = (text: string, value: string) => JSON.stringify(snapshot()).replace(text, value);

  const cases: [name: string, body: unknown, ...pointers: string[]][] = [
    ['no object', 'null', ''],
    ['nothing', {}, ...['/metric', '/date', '/window_days', '/signals', '/sessions', '/tasks']],
    ['another metric', snapshot({ metric: 'aem-team' }), '/metric'],
    ['a day that does not exist', snapshot({ date: '2026-02-29' }), '/date'],
    ['a month that does not exist', snapshot({ date: '2026-13-01' }), '/date'],
    ['a time instead of a day', snapshot({ date: '2026-11-20T10:00:00Z' }), '/date'],
    ['a date that is a number', snapshot({ date: 20261120 }), '/date'],
    ['an empty window', snapshot({ window_days: 0 }), '/window_days'],
    ['a window of 367 days', snapshot({ window_days: 367 }), '/window_days'],
    ['a window of half days', snapshot({ window_days: 1.5 }), '/window_days'],
    ['sessions as text', snapshot({ sessions: '12' }), '/sessions'],
    ['negative tasks', snapshot({ tasks: -1 }), '/tasks'],
    ['tasks past the last', snapshot({ tasks: 2 ** 31 }), '/tasks'],
    ['an empty member', snapshot({ member: '' }), '/member'],
    ['a member that is too long', snapshot({ member: 'a'.repeat(65) }), '/member'],
    ['signals that are a list', snapshot({ signals: [] }), '/signals'],
    ['text instead of a number', signal('error_rate', 'ada said: no'), '/signals/error_rate'],
    ['null instead of a number', signal('tool_diversity', null), '/signals/tool_diversity'],
    ['a ratio above 1', signal('delegation_ratio', 1.01), '/signals/delegation_ratio'],
    ['a negative ratio', signal('cache_hit_rate', -0.01), '/signals/cache_hit_rate'],
    ['a negative amount', signal('cost_per_task', -1), '/signals/cost_per_task'],
    ['infinity', json('"tokens_per_task":56000', '"tokens_per_task":1e999'), '/signals/tokens_per_task'],
    ['a claim that is text', snapshot({ provisional: 'L5' }), '/provisional'],
    ['a level that is text', snapshot({ provisional: { spine: 'ada said: L5' } }), '/provisional/spine'],
    [
      'an axis that is text',
      snapshot({ provisional: { axes: { autonomy: 'x' } } }),
      '/provisional/axes/autonomy',
    ],
  ];

  test.for(cases)('%s is answered with its places', async ([, body, ...pointers]) => {
    const { team } = await newTeam(service());
    const answer = await push(team, body);
    const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
    expect(answer.body).toEqual({ ...problem('invalid_request'), errors });
    expect(answer.status).toBe(422);
  });

  test('the ends of every range, no signals at all and unknown members of objects are accepted', async () => {
    const { team } = await newTeam(service());
    const ends = [
      { window_days: 1, sessions: 0, tasks: 0 },
      { window_days: 366, sessions: 2 ** 31 - 1, tasks: 2 ** 31 - 1 },
      { signals: {}, provisional: undefined },
      { signals: { error_rate: 0, cache_hit_rate: 1, tokens_per_task: 1.7e308 }, provisional: {} },
      {
        signals: { said: 'a secret', error_rate: 0 },
        said: 'a secret',
        provisional: { axes: { said: 'a secret' } },
      },
    ];
    for (const changes of ends) {
      const { status, body } = await push(team, snapshot(changes));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('secret');
    }
  });

  test('no malformed snapshot is a fault of ours', { timeout: 60_000 }, async () => {
    const { team } = await newTeam(service());
    const random = seededRandom(20_261_121);
    for (let index = 0; index < malformedBodies; index += 1) {
      const { status, body } = await push(team, malformed(snapshot(), random));
      expect(status, `body ${index}`).toBeLessThan(500);
      if (status !== 200) expect(body, `body ${index}`).toMatchObject({ status, code: expect.any(String) });
    }
    expect(service().output().stderr).not.toContain('"level":"error"');
  });

  test('an external key is refused before its body is looked at', async () => {
    const { external } = await newTeam(service());
    for (const body of [snapshot(), '{', 'x'.repeat(9 * 1024 * 1024)]) {
      const { status, body: answer } = await push(external, body);
      expect({ status, answer }).toEqual({ status: 403, answer: problem('forbidden_tier') });
    }
    expect((await external.call('/metrics')).status).toBe(405);
  });

  test('a team key is told of the method, then the size, the media type, the JSON and the schema', async () => {
    const { team } = await newTeam(service());
    const get = await team.call('/metrics');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await push(team, 'x'.repeat(9 * 1024 * 1024))).status).toBe(413);
    const text = await team.call('/metrics', { body: '{', headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
    expect((await push(team, '{')).status).toBe(400);
    expect((await push(team, '{}')).status).toBe(422);
  });
});

describe('the limit of snapshots', () => {
  const service = sharedService({ environment: { SNAPSHOTS_PER_MINUTE: '' } });
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);

  test('of 100 snapshots at once on one key 60 are admitted, and the others are told which limit it was', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => push(team, snapshot({ date: day(n) }))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(refused).toHaveLength(40);
    for (const { headers, body } of refused) {
      expect(body).toEqual(problem('rate_limited'));
      expect(body.detail).toMatch(/60 snapshots/);
      expect(headers.get('retry-after')).toMatch(/^(5\d|60)$/);
    }
    expect((await push(team, snapshot({ date: '2026-02-30' }))).body.code).toBe('invalid_request');
    expect((await push(team, snapshot({ member: 'nobody' }))).body.code).toBe('unknown_member');
  });

  test('headers say where the key stands; a repeated snapshot takes a slot, a refused one gives it back', async () => {
    const { team, slug, newKey } = await newTeam(service());
    const first = await push(team);
    expect(first.headers.get('ratelimit-policy')).toBe('"snapshots";q=60;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"snapshots";r=59;t=(5\d|60)$/);
    expect(remaining(await push(team))).toBe(58);
    expect(remaining(await push(team, {}))).toBe(58);
    expect(remaining(await push(team, snapshot({ member: 'nobody' })))).toBe(58);
    expect(remaining(await push(keyHolder(service(), { slug }, await newKey('team'))))).toBe(59);
  });
});

async function asAdmin<Result>(
  { rpcUrl, adminToken }: RunningService,
  work: (admin: ReturnType<typeof createAdminClient>) => Promise<Result>,
): Promise<Result> {
  const admin = createAdminClient({ rpcUrl, token: adminToken });
  try {
    return await work(admin);
  } finally {
    admin.close();
  }
}

function addMember(service: RunningService, { slug }: TeamClients, handle: string) {
  return asAdmin(service, (admin) => admin.addMember({ team: slug, handle, role: 'member' }));
}
