import { randomUUID } from 'node:crypto';
import { MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { keptSnapshot } from './domain/domain.fixture.ts';
import { inTeam, teamForEachTest, uuid } from './team.fixture.ts';
import { testClient } from './test-client.fixture.ts';

describeEachEngine('snapshots', (engine) => {
  const team = teamForEachTest(engine);
  const snapshot = <Changes extends object>(changes?: Changes) => ({
    metric: 'aem-individual',
    date: '2026-11-20',
    windowDays: 7,
    signals: { toolDiversity: 7, errorRate: 0.02 },
    sessions: 12,
    tasks: 30,
    ...changes,
  });
  const day = { metric: 'aem-individual', date: '2026-11-20' };
  /** verification and learning by errors alone, autonomy by 4*(7 - 2)/10. */
  const canonical = {
    spine: 'L2',
    axes: { verification: 4, context_hygiene: 0, autonomy: 2, learning: 4, cost_governance: 0 },
  };

  test("a snapshot is the caller's, and placed from what was measured, not from what the client claims", async () => {
    const provisional = { spine: 'L5', axes: { autonomy: 3.5, hearsay: 4 } };
    const answer = await team.as('ada').pushSnapshot(snapshot({ provisional }));
    const { memberId } = team.members.ada.caller;
    expect(answer).toMatchObject({ snapshotId: expect.stringMatching(uuid), memberId, canonical });
    const explained = await team.as('ada').explainSnapshot(day);
    expect(explained).toMatchObject({
      snapshotId: answer.snapshotId,
      memberId,
      windowDays: 7,
      sessions: 12,
      tasks: 30,
      signals: { toolDiversity: 7, errorRate: 0.02 },
      canonical,
      rubricVersion: 1,
    });
    expect(explained.signals?.cacheHitRate).toBeUndefined();
    expect(explained.provisional).toMatchObject({ spine: 'L5', axes: { autonomy: 3.5 } });
    expect(explained.provisional?.axes).not.toHaveProperty('hearsay');
    expect(explained.axes.find(({ axis }) => axis === 'verification')).toMatchObject({
      value: 4,
      parts: [
        { signal: 'verify_tool_rate', weight: 0.8, points: 0 },
        { signal: 'error_rate', value: 0.02, weight: 0.2, rating: 1, points: 4 },
      ],
    });
    expect(explained.conditions.find(({ met }) => !met)).toMatchObject({
      level: 'L3',
      atLeast: 2,
      value: 0,
    });
  });

  test('a member is named by handle in any case; one who is not on the team is unknown', async () => {
    const { memberId } = team.members.bob.caller;
    expect(await team.as('ada').pushSnapshot(snapshot({ member: 'BoB' }))).toMatchObject({ memberId });
    for (const member of ['nobody', '$ne', '__proto__']) {
      expect(await codeOf(team.as('ada').pushSnapshot(snapshot({ member }))), member).toBe('unknown_member');
    }
    const stranger = testClient(team.service, inTeam(team.members.ada, 'other'));
    expect(await codeOf(stranger.pushSnapshot(snapshot({ member: 'bob' })))).toBe('unknown_member');
  });

  test('the same day again takes the place of the first under the same id', async () => {
    const first = await team.as('ada').pushSnapshot(snapshot());
    const again = await team.as('bob').pushSnapshot(snapshot({ member: 'ada', sessions: 0 }));
    expect(again).toMatchObject({ snapshotId: first.snapshotId, canonical: { spine: 'L0' } });
    const next = await team.as('ada').pushSnapshot(snapshot({ date: '2026-11-21' }));
    expect(next.snapshotId).not.toBe(first.snapshotId);
  });

  test('equal pushes at the same time get the same id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => team.as('ada').pushSnapshot(snapshot())),
    );
    expect(new Set(answers.map(({ snapshotId }) => snapshotId)).size).toBe(1);
  });

  test('a snapshot that is only checked, or is refused, leaves nothing behind', async () => {
    const checked = await team.as('ada').pushSnapshot(snapshot({ validateOnly: true }));
    expect(checked).toMatchObject({ snapshotId: '', canonical });
    expect(await codeOf(team.as('ada').pushSnapshot(snapshot({ date: '2026-02-30' })))).toBe(
      'invalid_request',
    );
    expect(await codeOf(team.as('ada').pushSnapshot({}))).toBe('invalid_request');
    expect(await codeOf(team.as('ada').explainSnapshot(day))).toBe('not_found');
  });

  test('members see their own snapshots only, administrators all', async () => {
    const { teamId } = team;
    await team.as('ada').pushSnapshot(snapshot());
    expect(await codeOf(team.as('ada').explainSnapshot({ ...day, member: 'ADA' }))).toBe('ok');
    expect(await codeOf(team.as('bob').explainSnapshot({ ...day, member: 'ada' }))).toBe('permission_denied');
    expect(await codeOf(team.as('bob').explainSnapshot({ ...day, teamId }))).toBe('permission_denied');
    expect(await codeOf(team.asAdministrator().explainSnapshot({ ...day, teamId, member: 'ada' }))).toBe(
      'ok',
    );
    expect(await codeOf(team.asAdministrator().explainSnapshot({ ...day, teamId, member: 'x' }))).toBe(
      'unknown_member',
    );
  });

  test('snapshots of an older rubric are placed again, and then explained by the present one', async () => {
    const { teamId } = team;
    const { memberId } = team.members.ada.caller;
    const old = { memberId, version: 0, canonical: { ...keptSnapshot().canonical, spine: 'L5' } } as const;
    await team.whileDown(({ snapshots }) =>
      snapshots.put(teamId, keptSnapshot(old), { at: 1, counts: true, maxOfMember: 9 }),
    );
    expect(await codeOf(team.as('ada').explainSnapshot(day))).toBe('unavailable');
    expect(await team.asAdministrator().rescoreSnapshots({ teamId })).toMatchObject({
      rescored: 1,
      nextPageToken: '',
    });
    expect(await team.asAdministrator().rescoreSnapshots({ teamId })).toMatchObject({ rescored: 0 });
    expect(await team.as('ada').explainSnapshot(day)).toMatchObject({ canonical, rubricVersion: 1 });
    const forged = team.asAdministrator().rescoreSnapshots({ teamId, pageToken: '1.x' });
    expect(await codeOf(forged)).toBe('invalid_cursor');
  });

  test('a rollup shows a team of three, and nothing but its number before', async () => {
    const { teamId } = team;
    const claim = { spine: 'L5', axes: { autonomy: 4 } };
    await team.as('ada').pushSnapshot(snapshot({ provisional: claim }));
    await team.as('bob').pushSnapshot(snapshot({ signals: {} }));
    expect(await team.as('ada').getRollup({ weeks: 1 })).toMatchObject({
      from: '2026-11-16',
      to: '2026-11-22',
      rubricVersion: 1,
      current: { members: 2, withheld: true, spines: {}, medianAxes: {} },
      trend: [{ week: '2026-11-16', placement: { members: 2, withheld: true } }],
    });
    await team.as('cy').pushSnapshot(snapshot({ signals: { toolDiversity: 12 } }));
    const { current } = await team.as('ada').getRollup({});
    expect(current).toMatchObject({
      members: 3,
      withheld: false,
      spines: { L0: 0, L1: 0, L2: 3, L3: 0, L4: 0, L5: 0 },
      medianAxes: { verification: 1.5, context_hygiene: 0, autonomy: 2, learning: 1.5, cost_governance: 0 },
    });
    expect((await team.asAdministrator().getRollup({ teamId })).current).toEqual(current);
    expect((await team.asAdministrator().getRollup({ teamId: randomUUID() })).current?.members).toBe(0);
    expect(await codeOf(team.as('ada').getRollup({ weeks: 54 }))).toBe('invalid_request');
  });

  test('what others push of a member is stored and answered, and enters no rollup', async () => {
    await team.as('ada').pushSnapshot(snapshot());
    await team.as('bob').pushSnapshot(snapshot());
    const pushed = await team.as('ada').pushSnapshot(snapshot({ member: 'cy' }));
    expect(pushed).toMatchObject({ memberId: team.members.cy.caller.memberId, canonical });
    expect((await team.as('ada').getRollup({})).current).toMatchObject({ members: 2, withheld: true });
    expect(await codeOf(team.as('cy').explainSnapshot(day))).toBe('ok');
  });

  test("what others push over a member's own leaves that in the rollup", async () => {
    for (const handle of ['ada', 'bob', 'cy'] as const) await team.as(handle).pushSnapshot(snapshot());
    for (const handle of ['bob', 'cy'])
      await team.as('ada').pushSnapshot(snapshot({ member: handle, sessions: 0 }));
    expect((await team.as('ada').getRollup({})).current).toMatchObject({
      members: 3,
      spines: { L0: 0, L2: 3 },
    });
    expect(await team.as('cy').explainSnapshot(day)).toMatchObject({
      sessions: 0,
      canonical: { spine: 'L0' },
    });
  });

  test('what an administrator of the team pushes of others enters rollups', async () => {
    const root = await team.newMember('root', MemberRole.ADMIN);
    for (const handle of ['ada', 'bob', 'cy']) await root.pushSnapshot(snapshot({ member: handle }));
    expect((await root.getRollup({})).current).toMatchObject({ members: 3, spines: { L2: 3 } });
  });

  test('rows of which nobody knows who pushed them are read, and enter no rollup', async () => {
    const { teamId } = team;
    await team.whileDown(async ({ snapshots }) => {
      for (const { caller } of Object.values(team.members)) {
        const row = keptSnapshot({ id: caller.memberId, memberId: caller.memberId });
        // What an earlier version stored has nothing that counts beside it, as what does not count.
        await snapshots.put(teamId, row, { at: 1, counts: false, maxOfMember: 9 });
      }
    });
    expect((await team.as('ada').getRollup({})).current).toMatchObject({ members: 0, withheld: true });
    expect(await codeOf(team.as('ada').explainSnapshot(day))).toBe('ok');
    await team.as('ada').pushSnapshot(snapshot());
    expect((await team.as('ada').getRollup({})).current).toMatchObject({ members: 1 });
  });
});
