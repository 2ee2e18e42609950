import { expect, test } from 'vitest';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

/** A limit for what hangs; it takes seconds on an idle machine. */
const timeoutMs = 120_000;
/** Readers at once at each gateway: they share what it asks content. */
const readers = 4;
const outside = { tier: 'external' };

const service = sharedService();

/** The clients of a team at one gateway, by the tier of their key. */
type Clients = Record<'team' | 'external', KeyHolder>;

async function newClients(): Promise<Clients[]> {
  const { slug, team, external } = await newTeam(service());
  return service().urls.map((url) => ({
    team: keyHolder({ url }, { slug }, team.key),
    external: keyHolder({ url }, { slug }, external.key),
  }));
}

test('what was acknowledged at one gateway is in the next page of the other', {
  timeout: timeoutMs,
}, async () => {
  const gateways = await newClients();
  expect(gateways).toHaveLength(2);
  const [first, second] = gateways as [Clients, Clients];
  /** Each key's page at each gateway, asked for by many at once; all must agree. */
  async function seen(key: keyof Clients): Promise<string[]> {
    const asked = gateways.flatMap((clients) => Array.from({ length: readers }, () => clients[key].rows()));
    const pages = await Promise.all(asked);
    const texts = pages.map((rows) => rows.map(({ row_key, content }) => `${row_key}: ${content}`).join());
    expect(new Set(texts).size).toBe(1);
    return texts[0] === '' ? [] : (texts[0] as string).split(',');
  }
  const steps: [string, () => Promise<{ status: number }>, Record<keyof Clients, string[]>][] = [
    ['nothing', () => first.team.pull(), { team: [], external: [] }],
    ['internal', () => first.team.push(item('a.md', '1')), { team: ['a.md: 1'], external: [] }],
    [
      'shown',
      () => second.team.push(item('a.md', '1', outside)),
      { team: ['a.md: 1'], external: ['a.md: 1'] },
    ],
    [
      'edited',
      () => first.external.push(item('a.md', '2', outside)),
      { team: ['a.md: 2'], external: ['a.md: 2'] },
    ],
    ['hidden', () => second.team.push(item('a.md', '2')), { team: ['a.md: 2'], external: [] }],
    [
      'shown again',
      () => first.team.push(item('a.md', '3', outside)),
      { team: ['a.md: 3'], external: ['a.md: 3'] },
    ],
    ['removed', () => second.external.remove('a.md'), { team: [], external: [] }],
  ];
  for (let times = 0; times < 5; times += 1) {
    for (const [name, change, expected] of steps) {
      expect((await change()).status, name).toBeLessThan(300);
      const now = await Promise.all([seen('team'), seen('external')]);
      expect([name, ...now]).toEqual([name, expected.team, expected.external]);
    }
  }
});
