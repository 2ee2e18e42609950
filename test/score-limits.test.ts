import { describe, expect, test } from 'vitest';
import { scanWith, snapshot } from './support/analytics/valid-bodies.ts';
import type { Answer } from './support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { sharedService } from './support/service/shared-service.ts';

const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);

const limited = [
  {
    path: '/codebases',
    unit: 'scans',
    numbered: (n: number) => scanWith('metrics', { head_sha: `c${n}` }),
    /** Bodies that the gateway refuses, and that only the service behind it can refuse. */
    bad: [
      scanWith('metrics', { readiness_level: 'L9' }),
      scanWith('metrics', { readiness_pillars: { docs: { passed: 2, total: 1 } } }),
    ],
  },
  {
    path: '/metrics',
    unit: 'snapshots',
    numbered: (n: number) => snapshot({ date: day(n) }),
    bad: [snapshot({ window_days: 0 }), snapshot({ date: '2026-02-30' }), snapshot({ member: 'nobody' })],
  },
];

describe.each(limited)('the limit of $unit', ({ path, unit, numbered, bad }) => {
  // Empty is as good as unset: the limit that holds unless the operator says otherwise.
  const service = sharedService({ environment: { SCANS_PER_MINUTE: '', SNAPSHOTS_PER_MINUTE: '' } });
  const push = (client: KeyHolder, body: unknown) => client.call(path, { body });

  test('of 100 at once on one key 60 are admitted, and the others are told which limit it was', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => push(team, numbered(n))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(refused).toHaveLength(40);
    for (const { headers, body } of refused) {
      expect(body).toEqual(problem('rate_limited'));
      expect(body.detail).toContain(`60 ${unit}`);
      expect(headers.get('retry-after')).toMatch(/^(5\d|60)$/);
    }
  });

  test('what is refused anyway is refused for what it is when the limit is used up', async () => {
    const { team } = await newTeam(service());
    await Promise.all(Array.from({ length: 60 }, (_, n) => push(team, numbered(n))));
    for (const body of bad) expect((await push(team, body)).status).toBe(422);
    expect((await push(team, numbered(0))).status).toBe(429);
  });

  test('headers say where the key stands; a repeated one takes a slot, a refused one gives it back', async () => {
    const { team, slug, newKey } = await newTeam(service());
    const first = await push(team, numbered(0));
    expect(first.headers.get('ratelimit-policy')).toBe(`"${unit}";q=60;w=60`);
    expect(first.headers.get('ratelimit')).toMatch(new RegExp(`^"${unit}";r=59;t=(5\\d|60)$`));
    expect(remaining(await push(team, numbered(0)))).toBe(58);
    for (const body of bad) expect(remaining(await push(team, body))).toBe(58);
    expect(remaining(await push(keyHolder(service(), { slug }, await newKey('team')), numbered(0)))).toBe(59);
  });
});
