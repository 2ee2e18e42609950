import { describe, expect, test } from 'vitest';
import { type Answer, item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

const checksumOf = (text: string) => item('', text).checksum;
const guess = (name: string, changes: object = {}) => item(name, 'guess', { tier: 'external', ...changes });

/** Where the key stands, as the answer tells it. */
const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('a guest who looks for the names of hidden items', () => {
  const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '6' } });

  test('learns nothing from an invented base, whose answer is the same for any name', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('hidden.md', 'hidden'), item('was-open.md', 'open', { tier: 'external' }));
    await team.push(item('was-open.md', 'closed'), item('gone.md', 'gone'));
    await team.remove('gone.md');
    const names = ['hidden.md', 'was-open.md', 'gone.md', 'absent.md'];
    for (const base_checksum of [checksumOf('invented'), checksumOf('hidden'), checksumOf('closed')]) {
      const { status, body } = await external.push(...names.map((name) => guess(name, { base_checksum })));
      const [{ detail }] = body.errors;
      const refused = { code: 'conflict', detail, current_checksum: null };
      const all = names.map((row_key, index) => ({ index, row_key, ...refused }));
      expect([status, body.errors]).toEqual([422, all]);
    }
    expect(remaining(await external.push(guess('new.md')))).toBe(5);
  });

  test('pays a write for each name that is told to be taken, and with none left is told of none', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('hidden.md', 'hidden'));
    const taken = await external.push(guess('hidden.md'), guess('hidden.md', { base_checksum: null }));
    expect(taken.body.errors).toMatchObject([{ code: 'forbidden_tier' }, { code: 'forbidden_tier' }]);
    expect(remaining(taken)).toBe(4);
    expect(remaining(await external.push(item('own.md')))).toBe(3);
    await external.push(...['1.md', '2.md', '3.md'].map((name) => guess(name)));
    for (const name of ['hidden.md', 'absent.md']) {
      for (const changes of [{}, { base_checksum: null }]) {
        const { status, body } = await external.push(guess(name, changes));
        expect([status, body.code]).toEqual([429, 'rate_limited']);
      }
    }
  });
});
