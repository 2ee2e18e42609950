import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { scanMetrics } from './domain/domain.fixture.ts';
import { inTeam, teamForEachTest, uuid } from './team.fixture.ts';
import { testClient } from './test-client.fixture.ts';

describeEachEngine('scans', (engine) => {
  const team = teamForEachTest(engine);
  const scan = <Changes extends object>(changes?: Changes) => ({
    codebase: { slug: 'api', fullName: 'acme/api', provider: 'github' },
    metrics: {
      headSha: 'a1b2c3',
      hasAssistantMd: true,
      skillsCount: 1,
      readinessLevel: 'L2',
      readinessPillars: { docs: { passed: 1, total: 2 } },
      readinessRubricVersion: '2.1',
    },
    contributions: [
      { member: 'ada', commits: 7, agentCommits: 3 },
      { member: 'bob', commits: 1, agentCommits: 0 },
    ],
    issues: [{ number: 12n, title: 'It is slow', state: 'open' }],
    ...changes,
  });
  const explain = (headSha = 'a1b2c3') => team.as('bob').explainScan({ codebaseSlug: 'api', headSha });

  test('a scan is stored and rated: 14 + 5 + 45*1/2 + 6', async () => {
    const answer = await team.as('ada').pushScan(scan());
    expect(answer).toMatchObject({
      codebaseId: expect.stringMatching(uuid),
      metricsId: expect.stringMatching(uuid),
      contributions: 2,
      issues: 1,
      agenticScore: 47.5,
    });
    expect(await explain()).toMatchObject({
      metricsId: answer.metricsId,
      ...scan(),
      agenticScore: 47.5,
      scoreVersion: 1,
      maxScore: 100,
      parts: [
        { name: 'instruction_files', points: 14, maxPoints: 20 },
        { name: 'skills', points: 5, maxPoints: 15 },
        { name: 'commands', points: 0, maxPoints: 5 },
        { name: 'readiness', points: 22.5, maxPoints: 45 },
        { name: 'level', points: 6, maxPoints: 15 },
      ],
    });
  });

  test('the same commit again takes the place of the first, its rows too, under the same ids', async () => {
    const first = await team.as('ada').pushScan(scan());
    const again = await team.as('bob').pushScan(scan({ contributions: [], issues: [] }));
    expect(again).toMatchObject({ ...ids(first), contributions: 0, issues: 0 });
    expect(await explain()).toMatchObject({ contributions: [], issues: [] });
    const other = await team.as('ada').pushScan(scan({ metrics: { ...scan().metrics, headSha: 'd4' } }));
    expect(other.codebaseId).toBe(first.codebaseId);
    expect(other.metricsId).not.toBe(first.metricsId);
  });

  test('equal pushes at the same time get the same ids', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => team.as('ada').pushScan(scan())));
    expect(new Set(answers.map(({ codebaseId }) => codebaseId)).size).toBe(1);
    expect(new Set(answers.map(({ metricsId }) => metricsId)).size).toBe(1);
  });

  test('a scan that is only checked, or is refused, leaves nothing behind', async () => {
    const bad = scan({ metrics: { ...scan().metrics, readinessLevel: 'L9' } });
    expect(await team.as('ada').pushScan({ ...scan(), validateOnly: true })).toMatchObject({ metricsId: '' });
    expect(await codeOf(team.as('ada').pushScan({ ...bad, validateOnly: true }))).toBe('invalid_request');
    expect(await codeOf(team.as('ada').pushScan(bad))).toBe('invalid_request');
    expect(await codeOf(team.as('ada').pushScan({}))).toBe('invalid_request');
    expect(await codeOf(explain())).toBe('not_found');
  });

  test('a scan is found by its own team and by administrators', async () => {
    const { teamId } = team;
    await team.as('ada').pushScan(scan());
    const request = { codebaseSlug: 'api', headSha: 'a1b2c3' };
    const stranger = testClient(team.service, inTeam(team.members.ada, 'other'));
    expect(await codeOf(stranger.explainScan(request))).toBe('not_found');
    expect(await codeOf(stranger.explainScan({ ...request, teamId }))).toBe('permission_denied');
    expect(await codeOf(team.asAdministrator().explainScan({ ...request, teamId }))).toBe('ok');
    expect(await codeOf(team.asAdministrator().explainScan(request))).toBe('permission_denied');
  });

  test('scans of an older score are scored again, page by page', async () => {
    const { teamId } = team;
    await team.whileDown(async ({ scans }) => {
      for (const n of [1, 2, 3]) {
        const metrics = scanMetrics({ headSha: `c${n}`, hasAgentsMd: true });
        const rated = { id: `01890000-0000-7000-8000-00000000000${n}`, agenticScore: 1, version: 0 };
        await scans.put(teamId, { ...rated, codebaseId: 'c', metrics, contributions: [], issues: [] }, 1);
      }
    });
    const rescored: number[] = [];
    let pageToken = '';
    do {
      const page = await team.asAdministrator().rescoreScans({ teamId, pageSize: 2, pageToken });
      rescored.push(page.rescored);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(rescored).toEqual([2, 1]);
    expect(await team.asAdministrator().rescoreScans({ teamId })).toMatchObject({
      rescored: 0,
      nextPageToken: '',
    });
  });
});

function ids({ codebaseId, metricsId }: { codebaseId: string; metricsId: string }) {
  return { codebaseId, metricsId };
}
