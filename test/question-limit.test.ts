import { describe, expect, test } from 'vitest';
import { type ApiOptions, item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { searchPath } from './support/privacy/walk-api.ts';
import { sharedService } from './support/service/shared-service.ts';

type Sent = [path: string, options?: ApiOptions];

const limited: { what: string; setting: string; usual: number; good: Sent; bad: Sent }[] = [
  {
    what: 'questions',
    setting: 'QUESTIONS_PER_MINUTE',
    usual: 60,
    good: ['/query', { body: { q: 'When does the ferry leave?' } }],
    bad: ['/query', { body: { q: '' } }],
  },
  {
    what: 'searches',
    setting: 'SEARCHES_PER_MINUTE',
    usual: 600,
    good: [searchPath('When does the ferry leave?')],
    bad: [searchPath('')],
  },
];

describe.each(limited)('with $setting set', ({ what, setting, good, bad }) => {
  const service = sharedService({ environment: { [setting]: '3' } });

  test(`so many ${what} a minute are answered for each key, and every answer says how many are left`, async () => {
    const { team, external, slug, newKey } = await newTeam(service());
    await team.push(item('ferry.md', 'The ferry leaves at nine.'));
    for (const left of [2, 1, 0]) {
      const { status, headers } = await team.call(...good);
      expect([status, headers.get('ratelimit-policy')]).toEqual([200, `"${what}";q=3;w=60`]);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${what}";r=${left};t=(5\\d|60)$`));
    }
    const refused = await team.call(...good);
    expect([refused.status, refused.body]).toEqual([429, problem('rate_limited')]);
    expect(refused.body.detail).toMatch(new RegExp(`\\b3 ${what}\\b`));
    expect(refused.headers.get('retry-after')).toMatch(/^(5\d|60)$/);

    const second = keyHolder(service(), { slug }, await newKey('team'));
    for (const other of [second, external]) expect((await other.call(...good)).status).toBe(200);
    expect((await team.push(item('b.md'))).status).toBe(200);
    for (const { good: ofOther } of limited.filter((other) => other.what !== what)) {
      expect((await team.call(...ofOther)).status).toBe(200);
    }
  });

  test(`one of the ${what} that is refused as invalid does not count`, async () => {
    const { team } = await newTeam(service());
    for (let asked = 0; asked < 5; asked += 1) expect((await team.call(...bad)).status).toBe(422);
    expect((await team.call(...good)).headers.get('ratelimit')).toContain('r=2');
  });

  test(`of ${what} at once no more are answered`, async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(Array.from({ length: 12 }, () => team.call(...good)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
  });
});

describe('unless the operator says otherwise', () => {
  const settings = Object.fromEntries(limited.map(({ setting }) => [setting, '']));
  const service = sharedService({ environment: settings });

  test.for(limited)('$usual $what a minute are answered', async ({ what, usual, good }) => {
    const { team } = await newTeam(service());
    const { headers } = await team.call(...good);
    expect(headers.get('ratelimit-policy')).toBe(`"${what}";q=${usual};w=60`);
  });
});
