import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { describe, expect, test } from 'vitest';
import type { Answer } from './support/api.ts';
import { describeEachService } from './support/describe-each-service.ts';
import { type KeyHolder, keyHolder, newTeam } from './support/key-holder.ts';
import { malformed } from './support/malformed-body.ts';
import { problem } from './support/problem.ts';
import { scan, scanWith } from './support/scan.ts';
import { sharedService } from './support/shared-service.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const malformedBodies = 1_000;
const push = (client: KeyHolder, body: unknown = scan()) => client.call('/codebases', { body });
const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describeEachService(
  'pushing codebase scans',
  (service) => {
    test('a scan is answered with its ids and counts, and nothing else', async () => {
      const { team } = await newTeam(service());
      const { status, body } = await push(team);
      const counts = { contributions: 2, issues: 1 };
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'ok', codebase_id: uuid, metrics_id: uuid, ...counts },
      });
    });

    test('contributions and issues may be left out; what else a client sends is ignored', async () => {
      const { team } = await newTeam(service());
      const { contributions, issues, ...bare } = scan();
      const { status, body } = await push(team, { ...bare, extra: { a: 1 } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ contributions: 0, issues: 0 });
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
  },
  { environment: { SCANS_PER_MINUTE: '100000' } },
);

describe('what is refused', () => {
  const service = sharedService({ environment: { SCANS_PER_MINUTE: '100000' } });
  const metrics = (changes: object) => scanWith('metrics', changes);
  const codebase = (changes: object) => scanWith('codebase', changes);
  const contribution = (changes: object) => ({
    ...scan(),
    contributions: [{ member: 'ada', commits: 2, agent_commits: 1, ...changes }],
  });
  const issue = (changes: object) => ({
    ...scan(),
    issues: [{ number: 1, title: 't', state: 'open', ...changes }],
  });
  const pillar = (passed: unknown, total: unknown) =>
    metrics({ readiness_pillars: { docs: { passed, total } } });
  const json = (text: string, value: string) => JSON.stringify(scan()).replace(text, value);

  const cases: [name: string, body: unknown, ...pointers: string[]][] = [
    ['no object', [], ''],
    ['nothing', {}, '/codebase', '/metrics'],
    ['an odd slug', codebase({ slug: 'A/b' }), '/codebase/slug'],
    ['a name too long', codebase({ full_name: 'x'.repeat(301) }), '/codebase/full_name'],
    ['a provider that is a number', codebase({ provider: 1 }), '/codebase/provider'],
    ['no commit', metrics({ head_sha: undefined }), '/metrics/head_sha'],
    ['an empty commit', metrics({ head_sha: '' }), '/metrics/head_sha'],
    ['half a character', metrics({ head_sha: 'a\ud800' }), '/metrics/head_sha'],
    ['a flag that is text', metrics({ has_agents_md: 'true' }), '/metrics/has_agents_md'],
    ['a flag that is a number', metrics({ has_assistant_md: 1 }), '/metrics/has_assistant_md'],
    ['a negative count', metrics({ skills_count: -1 }), '/metrics/skills_count'],
    ['half a skill', metrics({ skills_count: 0.5 }), '/metrics/skills_count'],
    ['a count past the last', metrics({ commands_count: 2 ** 31 }), '/metrics/commands_count'],
    ['an infinite count', json('"commands_count":2', '"commands_count":1e999'), '/metrics/commands_count'],
    ['an unknown level', metrics({ readiness_level: 'L6' }), '/metrics/readiness_level'],
    ['a level without its L', metrics({ readiness_level: 3 }), '/metrics/readiness_level'],
    ['a percentage above 100', metrics({ readiness_pct: 100.01 }), '/metrics/readiness_pct'],
    ['NaN as text', metrics({ readiness_pct: 'NaN' }), '/metrics/readiness_pct'],
    ['pillars that are a list', metrics({ readiness_pillars: [] }), '/metrics/readiness_pillars'],
    ['more passed than made', pillar(3, 2), '/metrics/readiness_pillars/docs/passed'],
    ['a negative total', pillar(0, -1), '/metrics/readiness_pillars/docs/total'],
    ['a pillar that is a number', metrics({ readiness_pillars: { a: 1 } }), '/metrics/readiness_pillars/a'],
    [
      'too many pillars',
      metrics({
        readiness_pillars: Object.fromEntries(
          Array.from({ length: 101 }, (_, n) => [`p${n}`, { passed: 0, total: 1 }]),
        ),
      }),
      '/metrics/readiness_pillars',
    ],
    ['contributions that are null', { ...scan(), contributions: null }, '/contributions'],
    ['more by agents than there are', contribution({ agent_commits: 3 }), '/contributions/0/agent_commits'],
    ['a contribution of nobody', contribution({ member: '' }), '/contributions/0/member'],
    ['too many issues', { ...scan(), issues: Array(10_001).fill(scan().issues[0]) }, '/issues'],
    ['an issue number that is text', issue({ number: '1' }), '/issues/0/number'],
    ['a title too long', issue({ title: 'x'.repeat(501) }), '/issues/0/title'],
    [
      'two wrong places',
      metrics({ skills_count: -1, head_sha: 1 }),
      '/metrics/head_sha',
      '/metrics/skills_count',
    ],
  ];

  test.for(cases)('%s is answered with its places', async ([, body, ...pointers]) => {
    const { team } = await newTeam(service());
    const answer = await push(team, body);
    const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
    expect(answer.body).toEqual({ ...problem('invalid_request'), errors });
    expect(answer.status).toBe(422);
  });

  test('names that are properties of every object are names of pillars like others, or none', async () => {
    const { team } = await newTeam(service());
    const odd = '{"constructor":{"passed":0,"total":1},"__proto__":{"passed":9,"total":1}}';
    const body = json('{"docs":{"passed":1,"total":2}}', odd);
    expect(body).toContain('__proto__');
    expect((await push(team, body)).status).toBe(200);
  });

  test('no malformed scan is a fault of ours', { timeout: 60_000 }, async () => {
    const { team } = await newTeam(service());
    const random = seededRandom(20_261_121);
    for (let index = 0; index < malformedBodies; index += 1) {
      const { status, body } = await push(team, malformed(scan(), random));
      expect(status, `body ${index}`).toBeLessThan(500);
      if (status !== 200) expect(body, `body ${index}`).toMatchObject({ status, code: expect.any(String) });
    }
    expect(service().output().stderr).not.toContain('"level":"error"');
  });

  test('an external key is refused before its body is looked at, unless the path or method is wrong', async () => {
    const { external, slug } = await newTeam(service());
    for (const body of [scan(), '{', 'x'.repeat(9 * 1024 * 1024)]) {
      const { status, body: answer } = await push(external, body);
      expect({ status, answer }).toEqual({ status: 403, answer: problem('forbidden_tier') });
    }
    const text = await external.call('/codebases', { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(text.body.code).toBe('forbidden_tier');
    expect((await external.call('/codebases')).status).toBe(405);
    const stranger = keyHolder(service(), { slug: `${slug}-not` }, external.key);
    expect((await push(stranger)).body.code).toBe('team_forbidden');
    expect((await push(keyHolder(service(), { slug }, 'tms_no'))).body.code).toBe('invalid_key');
  });

  test('a team key is told of the method, then the size, the media type, the JSON and the schema', async () => {
    const { team } = await newTeam(service());
    const get = await team.call('/codebases');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await push(team, 'x'.repeat(9 * 1024 * 1024))).status).toBe(413);
    const text = await team.call('/codebases', { body: '{', headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
    expect((await push(team, '{')).status).toBe(400);
    expect((await push(team, '{}')).status).toBe(422);
  });
});

describe('the limit of scans', () => {
  const service = sharedService({ environment: { SCANS_PER_MINUTE: '' } });

  test('of 100 scans at once on one key 60 are admitted, and the others are told which limit it was', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => push(team, scanWith('metrics', { head_sha: `c${n}` }))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(refused).toHaveLength(40);
    for (const { headers, body } of refused) {
      expect(body).toEqual(problem('rate_limited'));
      expect(body.detail).toMatch(/60 scans/);
      expect(headers.get('retry-after')).toMatch(/^(5\d|60)$/);
    }
    expect((await push(team, scanWith('metrics', { readiness_level: 'L9' }))).status).toBe(422);
    const passed = scanWith('metrics', { readiness_pillars: { docs: { passed: 2, total: 1 } } });
    expect((await push(team, passed)).status).toBe(422);
  });

  test('headers say where the key stands; a repeated scan takes a slot, a refused one gives it back', async () => {
    const { team, slug, newKey } = await newTeam(service());
    const first = await push(team);
    expect(first.headers.get('ratelimit-policy')).toBe('"scans";q=60;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"scans";r=59;t=(5\d|60)$/);
    expect(remaining(await push(team))).toBe(58);
    expect(remaining(await push(team, {}))).toBe(58);
    const passed = scanWith('metrics', { readiness_pillars: { docs: { passed: 2, total: 1 } } });
    expect(remaining(await push(team, passed))).toBe(58);
    expect(remaining(await push(keyHolder(service(), { slug }, await newKey('team'))))).toBe(59);
  });
});
