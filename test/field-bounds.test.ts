import { beforeAll, describe, expect, test } from 'vitest';
import { type StoredScores, storedScores } from './support/analytics/stored-scores.ts';
import { scan, snapshot } from './support/analytics/valid-bodies.ts';
import {
  amount,
  count,
  type FieldValues,
  flag,
  freeText,
  level,
  maxCount,
  measure,
  name,
  notObjects,
  notTexts,
  slug,
  text,
  windowDays,
} from './support/http/field-values.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();

/** A day as JSON; a run around midnight has one more or less. */
function dayFromNow(days: number): string {
  return JSON.stringify(new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10));
}
let clients: TeamClients;
let stored: StoredScores;
beforeAll(async () => {
  clients = await newTeam(service());
  stored = await storedScores(service(), clients.slug);
});

const rows = (entry: object): FieldValues => {
  const many = (length: number) => JSON.stringify(Array(length).fill(entry));
  return { good: ['[]', many(10_000)], bad: ['null', 'true', '1', '"[]"', '{"0":{}}', many(10_001)] };
};
const pillars = (length: number) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}`, { passed: 0, total: 1 }])),
  );

/** A good scan with room for every value of one field beside the others. */
const widestScan = (head_sha: string) => ({
  ...scan(),
  metrics: { ...scan().metrics, head_sha, readiness_pillars: { docs: { passed: 0, total: maxCount } } },
  contributions: [{ member: 'ada', commits: maxCount, agent_commits: 0 }],
});

const routes = [
  {
    path: '/codebases',
    good: () => widestScan('accepted'),
    refused: () => widestScan('refused'),
    isStored: () => stored.hasScan('refused'),
    fields: {
      '/codebase': { good: [], bad: notObjects },
      '/codebase/slug': slug,
      '/codebase/full_name': name(300),
      '/codebase/provider': name(64),
      '/metrics': { good: [], bad: notObjects },
      '/metrics/head_sha': name(128),
      '/metrics/has_assistant_md': flag,
      '/metrics/has_agents_md': flag,
      '/metrics/skills_count': count,
      '/metrics/commands_count': count,
      '/metrics/readiness_level': level,
      '/metrics/readiness_pct': amount(100),
      '/metrics/readiness_pillars': { good: ['{}', pillars(100)], bad: [...notObjects, pillars(101)] },
      '/metrics/readiness_pillars/docs': { good: [], bad: notObjects },
      '/metrics/readiness_pillars/docs/passed': count,
      '/metrics/readiness_pillars/docs/total': count,
      '/metrics/readiness_rubric_version': name(64),
      '/contributions': rows({ member: 'ada', commits: 1, agent_commits: 0 }),
      '/contributions/0/member': name(64),
      '/contributions/0/commits': count,
      '/contributions/0/agent_commits': count,
      '/issues': rows({ number: 1, title: '', state: '' }),
      '/issues/0/number': count,
      '/issues/0/title': freeText(500),
      '/issues/0/state': freeText(32),
    } as Record<string, FieldValues>,
  },
  {
    path: '/metrics',
    good: () => snapshot(),
    refused: () => snapshot({ date: '2026-01-01' }),
    isStored: () => stored.hasSnapshot('2026-01-01'),
    fields: {
      '/member': { good: ['"ada"', '"ADA"'], bad: [...notTexts, '""', text(65), '"a\\u0000"'] },
      '/metric': { good: [], bad: [...notTexts, '""', '"aem-team"', '"AEM-INDIVIDUAL"'] },
      '/date': {
        good: ['"2024-02-29"', '"2000-02-29"', '"0001-01-01"', dayFromNow(1)],
        bad: [
          ...notTexts,
          ...['""', '"2026-02-29"', '"1900-02-29"', '"2026-13-01"', '"2026-00-10"', '"2026-01-32"'],
          ...['"2026-1-1"', '"20260101"', '"2026-01-01T00:00:00Z"', '"2026-01-01\\n"', '20260101'],
          ...['"\u0662\u0660\u0662\u0666-01-01"', dayFromNow(3), '"9999-12-31"'],
        ],
      },
      '/window_days': windowDays,
      '/sessions': count,
      '/tasks': count,
      '/signals': { good: ['{}'], bad: notObjects },
      ...Object.fromEntries(
        ['delegation_ratio', 'error_rate', 'cache_hit_rate', 'verify_tool_rate', 'subagent_usage'].map(
          (ratio) => [`/signals/${ratio}`, amount(1)],
        ),
      ),
      '/signals/correction_loop_avg': measure,
      '/signals/cost_per_task': measure,
      '/signals/tokens_per_task': measure,
      '/signals/tool_diversity': measure,
      '/provisional': { good: ['{}'], bad: notObjects },
      '/provisional/spine': level,
      '/provisional/axes': { good: ['{}'], bad: notObjects },
      '/provisional/axes/verification': measure,
    } as Record<string, FieldValues>,
  },
];

describe.each(routes)('POST $path', ({ path, good, refused, isStored, fields }) => {
  const push = (body: string) => clients.team.call(path, { body });

  test.for(Object.entries(fields))(
    '%s takes all up to its bounds and nothing past them',
    async ([pointer, values]) => {
      for (const value of values.good) {
        const { status, body } = await push(withValue(good(), pointer, value));
        expect({ value: value.slice(0, 40), status, body }).toMatchObject({
          status: 200,
          body: { status: 'ok' },
        });
      }
      for (const value of values.bad) {
        const { status, body } = await push(withValue(refused(), pointer, value));
        const said = { value: value.slice(0, 40), status, body };
        expect(said).toMatchObject({ status: 422, body: problem('invalid_request') });
        const pointers = body.errors.map((error: { pointer: string }) => error.pointer);
        expect({ ...said, pointers }).toMatchObject({
          pointers: [expect.stringMatching(`^${pointer}(/|$)`)],
        });
      }
      expect(await isStored()).toBe(false);
    },
  );

  test.for(['NaN', 'Infinity', '-Infinity', '01', '+1', '.5', '1.', '0x1', '1_000', "'a'", 'undefined', ''])(
    '%s is no value of JSON, wherever it stands',
    async (value) => {
      for (const pointer of Object.keys(fields)) {
        const { status, body } = await push(withValue(refused(), pointer, value));
        expect({ pointer, status, body }).toMatchObject({ status: 400, body: problem('invalid_json') });
      }
      expect(await isStored()).toBe(false);
    },
  );
});

test('of a repeated member the last one counts, good or bad', async () => {
  const twice = (first: string, last: string) =>
    JSON.stringify(widestScan('twice')).replace(
      '"skills_count":1',
      `"skills_count":${first},"skills_count":${last}`,
    );
  expect((await clients.team.call('/codebases', { body: twice('1', '-1') })).status).toBe(422);
  expect(await stored.hasScan('twice')).toBe(false);
  expect((await clients.team.call('/codebases', { body: twice('-1', '1') })).status).toBe(200);
  expect(await stored.hasScan('twice')).toBe(true);
});

/** A body as text in which one place has another value. */
function withValue(body: object, pointer: string, value: string): string {
  const changed = structuredClone(body) as Record<string, unknown>;
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  const holder = names.reduce((inner, key) => inner[key] as Record<string, unknown>, changed);
  holder[last] = '<value>';
  return JSON.stringify(changed).replace('"<value>"', () => value);
}
