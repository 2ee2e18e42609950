import { describe, expect, test } from 'vitest';
import { snapshot } from './support/analytics/valid-bodies.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { type RefusedBody, testRefusedBodies } from './support/http/refused-requests.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import type { RunningService } from './support/service/running-service.ts';
import { describeEachService, sharedService } from './support/service/shared-service.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const push = (client: KeyHolder, body: unknown = snapshot()) => client.call('/metrics', { body });

describeEachService('pushing maturity snapshots', (service) => {
  test('a snapshot is placed from its signals, whatever the client claims, and answered with nothing else', async () => {
    const { team } = await newTeam(service());
    const { status, body } = await push(team);
    // Worked out by hand from docs/contract.md, "Metrics"; services/analytics/domain/placement.test.ts has the sums.
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
    const [bob, cy] = await Promise.all(['bob', 'cy'].map((handle) => memberOf(service(), clients, handle)));
    await push(clients.team);
    await push(bob as KeyHolder, snapshot({ signals: {} }));
    const rollup = () =>
      asAdministrator(service(), (admin) => admin.getRollup({ team: clients.slug, weeks: 1 }));
    expect((await rollup()).current).toEqual({
      members: 2,
      withheld: true,
      spines: null,
      median_axes: null,
    });
    await push(cy as KeyHolder, snapshot({ signals: { tool_diversity: 3 } }));
    // Levels L4, L1 and L2 as one group, and the means of three axes, in halves.
    const placement = {
      members: 3,
      withheld: false,
      spines: { L0: 0, L1: 0, L2: 3, L3: 0, L4: 0, L5: 0 },
      median_axes: { verification: 1, context_hygiene: 1, autonomy: 1, learning: 1, cost_governance: 1 },
    };
    expect(await rollup()).toMatchObject({ rubric_version: 1, current: placement, trend: [placement] });
    const rescored = await asAdministrator(service(), (admin) => admin.rescore({ team: clients.slug }));
    expect(rescored).toEqual({ teams: 1, scans: 0, snapshots: 0 });
  });
});

// What a single field takes is in field-bounds.test.ts.
describe('what is refused', () => {
  const service = sharedService();

  const cases: RefusedBody[] = [
    ['no object', 'null', ''],
    ['nothing', {}, ...['/metric', '/date', '/window_days', '/signals', '/sessions', '/tasks']],
    [
      'text instead of numbers',
      snapshot({ signals: { error_rate: 'ada said: no' }, provisional: { axes: { autonomy: 'x' } } }),
      '/signals/error_rate',
      '/provisional/axes/autonomy',
    ],
  ];

  testRefusedBodies(service, '/metrics', cases);

  test('no signals at all and unknown members of objects are accepted', async () => {
    const { team } = await newTeam(service());
    const said = 'a secret';
    const changes = [
      { signals: {}, provisional: undefined },
      { signals: { said, error_rate: 0 }, said, provisional: { axes: { said } } },
    ];
    for (const change of changes) {
      const { status, body } = await push(team, snapshot(change));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(said);
    }
  });
});

function addMember(service: RunningService, { slug }: TeamClients, handle: string) {
  return asAdministrator(service, (admin) => admin.addMember({ team: slug, handle, role: 'member' }));
}

/** A member of role member with a team-tier key. */
async function memberOf(service: RunningService, team: TeamClients, handle: string): Promise<KeyHolder> {
  await addMember(service, team, handle);
  const wanted = { team: team.slug, member: handle, tier: 'team' } as const;
  const { key } = await asAdministrator(service, (admin) => admin.createKey(wanted));
  return keyHolder(service, team, key);
}
