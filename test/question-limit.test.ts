import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { sharedService } from './support/service/shared-service.ts';

const question = { body: { q: 'When does the ferry leave?' } };

describe('with QUESTIONS_PER_MINUTE set', () => {
  const service = sharedService({ environment: { QUESTIONS_PER_MINUTE: '3' } });

  test('so many questions a minute are answered for each key, and every answer says how many are left', async () => {
    const { team, external, slug, newKey } = await newTeam(service());
    await team.push(item('ferry.md', 'The ferry leaves at nine.'));
    for (const left of [2, 1, 0]) {
      const { status, headers } = await team.call('/query', question);
      expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"questions";q=3;w=60']);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"questions";r=${left};t=(5\\d|60)$`));
    }
    const refused = await team.call('/query', question);
    expect([refused.status, refused.body]).toEqual([429, problem('rate_limited')]);
    expect(refused.body.detail).toMatch(/\b3 questions\b/);
    expect(refused.headers.get('retry-after')).toMatch(/^(5\d|60)$/);

    const second = keyHolder(service(), { slug }, await newKey('team'));
    for (const other of [second, external]) expect((await other.call('/query', question)).status).toBe(200);
    expect((await team.push(item('b.md'))).status).toBe(200);
  });

  test('a question that is refused as invalid does not count', async () => {
    const { team } = await newTeam(service());
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await team.call('/query', { body: { q: '' } })).status).toBe(422);
    }
    expect((await team.call('/query', question)).headers.get('ratelimit')).toContain('r=2');
  });

  test('of questions at once no more are answered', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(Array.from({ length: 12 }, () => team.call('/query', question)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
  });
});

describe('unless the operator says otherwise', () => {
  const service = sharedService({ environment: { QUESTIONS_PER_MINUTE: '' } });

  test('60 questions a minute are answered', async () => {
    const { team } = await newTeam(service());
    const { headers } = await team.call('/query', question);
    expect(headers.get('ratelimit-policy')).toBe('"questions";q=60;w=60');
  });
});
