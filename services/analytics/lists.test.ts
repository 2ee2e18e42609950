import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { inTeam, teamForEachTest } from './team.fixture.ts';
import { testClient } from './test-client.fixture.ts';

describeEachEngine('lists of codebases, scans and snapshots', (engine) => {
  const team = teamForEachTest(engine);
  /** Scans come in the order of the milliseconds in which their commits came first, so each gets one of its own. */
  async function pushScan(slug: string, headSha: string, readinessLevel = 'L2') {
    await team.as('ada').pushScan({
      codebase: { slug, fullName: `acme/${slug}`, provider: 'github' },
      metrics: {
        headSha,
        readinessLevel,
        readinessPillars: { docs: { passed: 1, total: 2 } },
        readinessRubricVersion: '2',
      },
    });
    const pushedAt = Date.now();
    while (Date.now() === pushedAt) await nextTurn();
  }
  const pushSnapshot = (member: 'ada' | 'bob', date: string) =>
    team
      .as(member)
      .pushSnapshot({ metric: 'aem-individual', date, windowDays: 7, sessions: 3, tasks: 9, signals: {} });

  test('a codebase comes with where its newest scan stands, page by page', async () => {
    await pushScan('web', 'a1');
    await pushScan('api', 'b1', 'L1');
    await pushScan('api', 'b2', 'L3');
    const first = await team.as('bob').listCodebases({ pageSize: 1 });
    expect(first.codebases).toMatchObject([
      {
        codebase: { slug: 'api', fullName: 'acme/api', provider: 'github' },
        newestScan: {
          headSha: 'b2',
          readinessLevel: 'L3',
          readinessPillars: { docs: { passed: 1, total: 2 } },
        },
      },
    ]);
    const second = await team.as('bob').listCodebases({ pageSize: 1, pageToken: first.nextPageToken });
    expect(second).toMatchObject({ codebases: [{ codebase: { slug: 'web' } }], nextPageToken: '' });
  });

  test('scans of a codebase come newest first, for members and administrators', async () => {
    for (const sha of ['c1', 'c2', 'c3']) await pushScan('api', sha);
    const first = await team.as('bob').listScans({ codebaseSlug: 'api', pageSize: 2 });
    expect(first.scans.map(({ headSha }) => headSha)).toEqual(['c3', 'c2']);
    const request = { codebaseSlug: 'api', pageSize: 2, pageToken: first.nextPageToken, teamId: team.teamId };
    const second = await team.asAdministrator().listScans(request);
    expect(second.scans.map(({ headSha }) => headSha)).toEqual(['c1']);
    expect(await codeOf(team.as('bob').listScans({ codebaseSlug: 'none' }))).toBe('not_found');
  });

  test('members list their own snapshots and nobody else theirs', async () => {
    await pushSnapshot('ada', '2026-11-19');
    await pushSnapshot('ada', '2026-11-20');
    await pushSnapshot('bob', '2026-11-21');
    const first = await team.as('ada').listSnapshots({ pageSize: 1 });
    expect(first.snapshots).toMatchObject([{ date: '2026-11-20', metric: 'aem-individual' }]);
    const second = await team.as('ada').listSnapshots({ pageSize: 1, pageToken: first.nextPageToken });
    expect(second).toMatchObject({ snapshots: [{ date: '2026-11-19' }], nextPageToken: '' });
    expect(await codeOf(team.asAdministrator().listSnapshots({}))).toBe('permission_denied');
  });

  test('guests, other teams and made-up page tokens get nothing', async () => {
    await pushScan('api', 'a1');
    const guest = testClient(team.service, {
      kind: 'member',
      caller: { ...team.members.ada.caller, tier: 'external' },
    });
    for (const call of [
      guest.listCodebases({}),
      guest.listScans({ codebaseSlug: 'api' }),
      guest.listSnapshots({}),
    ]) {
      expect(await codeOf(call)).toBe('forbidden_tier');
    }
    const other = testClient(team.service, inTeam(team.members.ada, '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11'));
    expect((await other.listCodebases({})).codebases).toEqual([]);
    expect(await codeOf(other.listScans({ codebaseSlug: 'api' }))).toBe('not_found');
    for (const pageToken of ['x', 'JG5l', 'x'.repeat(10_000), Buffer.from('API').toString('base64url')]) {
      expect(await codeOf(team.as('ada').listCodebases({ pageToken }))).toBe('invalid_cursor');
      expect(await codeOf(team.as('ada').listScans({ codebaseSlug: 'api', pageToken }))).toBe(
        'invalid_cursor',
      );
      expect(await codeOf(team.as('ada').listSnapshots({ pageToken }))).toBe('invalid_cursor');
    }
  });
});
