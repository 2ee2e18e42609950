import { describe, expect, test } from 'vitest';
import { scan, scanWith } from './support/analytics/valid-bodies.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { type RefusedBody, testRefusedBodies } from './support/http/refused-requests.ts';
import { describeEachService, sharedService } from './support/service/shared-service.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const push = (client: KeyHolder, body: unknown = scan()) => client.call('/codebases', { body });

describeEachService('pushing codebase scans', (service) => {
  test('a scan is answered with its ids, its counts and its score, and nothing else', async () => {
    const { team } = await newTeam(service());
    const { status, body } = await push(team);
    const counts = { contributions: 2, issues: 1 };
    const parts = [
      { name: 'instruction_files', points: 14, max_points: 20 },
      { name: 'skills', points: 5, max_points: 15 },
      { name: 'commands', points: 2, max_points: 5 },
      { name: 'readiness', points: 22.5, max_points: 45 },
      { name: 'level', points: 6, max_points: 15 },
    ];
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'ok',
        codebase_id: uuid,
        metrics_id: uuid,
        ...counts,
        agentic_score: 49.5,
        score_parts: parts,
      },
    });
  });

  test('contributions and issues may be left out; what else a client sends is ignored', async () => {
    const { team } = await newTeam(service());
    const { contributions, issues, ...bare } = scan();
    const { status, body } = await push(team, { ...bare, extra: { a: 1 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ contributions: 0, issues: 0 });
  });

  test('checks that failed are in lists, each once, and places in no other answer', async () => {
    const { team } = await newTeam(service());
    const failed = { check: 'owners', status: 'fail' };
    const findings = [
      failed,
      { ...failed, workspace: 'api' },
      { check: 'types', status: 'pass', path: 'a.ts', line: 3 },
    ];
    expect((await push(team, scanWith('metrics', { findings }))).status).toBe(200);
    const { codebases } = (await team.call('/codebases')).body;
    expect(codebases).toMatchObject([{ slug: 'api', newest_scan: { failed_checks: ['owners'] } }]);
    expect(JSON.stringify(codebases)).not.toContain('a.ts');
    await push(team);
    const { scans } = (await team.call('/codebases/api/scans')).body;
    expect(scans).toMatchObject([{ failed_checks: [] }]);
  });

  test('the same commit again keeps its ids and replaces its rows', async () => {
    const { team } = await newTeam(service());
    const first = await push(team);
    const again = await push(team, { ...scan(), contributions: [] });
    expect(again.body).toEqual({ ...first.body, contributions: 0 });
  });

  test('another commit is another scan of the same codebase, another slug or team another codebase', async () => {
    const [{ team }, other] = [await newTeam(service()), await newTeam(service())];
    const { codebase_id, metrics_id } = (await push(team)).body;
    const next = (await push(team, scanWith('metrics', { head_sha: 'ffff' }))).body;
    expect(next.codebase_id).toBe(codebase_id);
    expect(next.metrics_id).not.toBe(metrics_id);
    const slug = (await push(team, scanWith('codebase', { slug: 'web' }))).body;
    const foreign = (await push(other.team)).body;
    expect(new Set([codebase_id, slug.codebase_id, foreign.codebase_id]).size).toBe(3);
    expect(new Set([metrics_id, slug.metrics_id, foreign.metrics_id]).size).toBe(3);
  });

  test('30 equal pushes at once get the same two ids', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(Array.from({ length: 30 }, () => push(team)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });
});

// What a single field takes is in field-bounds.test.ts.
describe('what is refused', () => {
  const service = sharedService();
  const metrics = (changes: object) => scanWith('metrics', changes);
  const agents = (commits: number, agent_commits: number) => ({ member: 'ada', commits, agent_commits });

  const cases: RefusedBody[] = [
    ['no object', [], ''],
    ['nothing', {}, '/codebase', '/metrics'],
    ['no commit', metrics({ head_sha: undefined }), '/metrics/head_sha'],
    [
      'more passed than made',
      metrics({ readiness_pillars: { 'a/b~c': { passed: 3, total: 2 } } }),
      '/metrics/readiness_pillars/a~1b~0c/passed',
    ],
    [
      'more by agents than there are',
      { ...scan(), contributions: [agents(1, 1), agents(2, 3)] },
      '/contributions/1/agent_commits',
    ],
    [
      'findings with texts and odd statuses',
      metrics({
        findings: [
          { check: '', status: 'fail' },
          { check: 'a', status: 'secret' },
          { check: 'a', status: 'fail', path: 'x'.repeat(301) },
          { check: 'a', status: 'fail', path: 'a\nb', line: -1 },
        ],
      }),
      '/metrics/findings/1/status',
      '/metrics/findings/3/line',
    ],
    [
      'too many findings',
      metrics({ findings: Array(201).fill({ check: 'a', status: 'fail' }) }),
      '/metrics/findings',
    ],
    [
      'names and places of findings that the service checks',
      metrics({
        findings: [
          { check: '', status: 'fail' },
          { check: 'a', status: 'fail', path: 'a\nb' },
        ],
      }),
      '/metrics/findings/0/check',
      '/metrics/findings/1/path',
    ],
    [
      'two wrong places',
      metrics({ skills_count: -1, head_sha: 1 }),
      '/metrics/head_sha',
      '/metrics/skills_count',
    ],
  ];

  testRefusedBodies(service, '/codebases', cases);

  test('names that are properties of every object are names of pillars like others, or none', async () => {
    const { team } = await newTeam(service());
    const odd = '{"constructor":{"passed":0,"total":1},"__proto__":{"passed":9,"total":1}}';
    const body = JSON.stringify(scan()).replace('{"docs":{"passed":1,"total":2}}', odd);
    expect(body).toContain('__proto__');
    expect((await push(team, body)).status).toBe(200);
  });
});
