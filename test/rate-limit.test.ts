import { describe, expect, test } from 'vitest';
import { type Answer, item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { sharedService } from './support/service/shared-service.ts';

const batch = (count: number, name = 'item') =>
  Array.from({ length: count }, (_, index) => item(`${name}-${index}.md`));

/** Where the key stands, as the answer tells it. */
const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('unless the operator says otherwise', () => {
  // Empty is as good as unset; left out it would be the generous limit of the other tests.
  const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '' } });

  test('60 items a minute are admitted and the next one is refused until the first are a minute old', async () => {
    const { team } = await newTeam(service());
    const full = await team.push(...batch(60));
    expect([full.status, remaining(full)]).toEqual([200, 0]);
    const refused = await team.push(item('one-more.md'));
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 429,
      body: problem('rate_limited'),
    });
    expect(refused.headers.get('retry-after')).toMatch(/^(5\d|60)$/);
    expect(await team.rows('?limit=200')).toHaveLength(60);
  });

  test('a batch that alone needs more than the whole limit is told to split, and costs nothing', async () => {
    const { team } = await newTeam(service());
    const refused = await team.push(...batch(61));
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toMatch(/60.*split/);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await team.rows()).toEqual([]);
    expect((await team.push(...batch(60))).status).toBe(200);
  });

  test('a batch that does not fit is refused whole, and a smaller one still fits', async () => {
    const { team } = await newTeam(service());
    await team.push(...batch(50));
    expect((await team.push(...batch(11, 'more'))).status).toBe(429);
    expect(await team.rows('?limit=200')).toHaveLength(50);
    expect((await team.push(...batch(10, 'more'))).status).toBe(200);
  });

  test('100 pushes at once on one key admit exactly 60', async () => {
    const { team } = await newTeam(service());
    const answers = await Promise.all(batch(100).map((single) => team.push(single)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(await team.rows('?limit=200')).toHaveLength(60);
  });

  test('what changes nothing never needs a slot, however many such pushes run at once', async () => {
    const { team } = await newTeam(service());
    const stored = batch(59);
    await team.push(...stored);
    const again = Array.from({ length: 12 }, () => team.push(...stored));
    const statuses = (await Promise.all([...again, team.push(item('last.md'))])).map(({ status }) => status);
    expect(statuses).toEqual(Array(13).fill(200));
    for (const count of [1, 30, 59]) expect((await team.push(...stored.slice(0, count))).status).toBe(200);
    expect((await team.push(...stored, item('one-more.md'))).status).toBe(429);
    expect(await team.rows('?limit=200')).toHaveLength(60);
  });

  test('each key has its own limit, also two keys of one member', async () => {
    const { team, external, slug, newKey } = await newTeam(service());
    await team.push(...batch(60));
    const second = keyHolder(service(), { slug }, await newKey('team'));
    expect((await second.push(...batch(60, 'second'))).status).toBe(200);
    expect((await external.push(item('open.md', 'a', { tier: 'external' }))).status).toBe(200);
    expect((await team.push(item('x.md'))).status).toBe(429);
  });

  test('headers of the IETF draft say where the key stands, on refusals of every kind too', async () => {
    const { team } = await newTeam(service());
    const first = await team.push(...batch(7));
    expect(first.headers.get('ratelimit-policy')).toBe('"item-writes";q=60;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"item-writes";r=53;t=(5\d|60)$/);
    expect(remaining(await team.call('/items', { body: {} }))).toBe(53);
    expect(remaining(await team.push(item('..')))).toBe(53);
    expect(remaining(await team.push(item('a.md', 'a', { tier: 'admin' })))).toBe(53);
    expect(remaining(await team.push(...batch(54, 'more')))).toBe(53);
    expect((await team.pull()).headers.get('ratelimit')).toBeNull();
  });
});

describe('with ITEM_WRITES_PER_MINUTE set', () => {
  const service = sharedService({ environment: { ITEM_WRITES_PER_MINUTE: '3' } });

  test('so many items a minute are admitted', async () => {
    const { team } = await newTeam(service());
    for (const { row_key } of batch(3)) expect((await team.push(item(row_key))).status).toBe(200);
    expect((await team.push(item('d.md'))).body.detail).toMatch(/\b3\b/);
  });

  test('no-ops, rejected items and all but the last of a row_key give their slots back', async () => {
    const { team } = await newTeam(service());
    const kept = await team.push(item('a.md'), item('/bad'), item('b.md', 'b', { tier: 'admin' }));
    expect([kept.body.accepted, remaining(kept)]).toEqual([1, 2]);
    expect(remaining(await team.push(item('a.md')))).toBe(2);
    expect(remaining(await team.push(item('a.md', 'x', { base_checksum: item('', 'y').checksum })))).toBe(2);
    const same = await team.push(...['1', '2', '3', '4', '5'].map((text) => item('c.md', text)));
    expect([same.status, remaining(same)]).toEqual([200, 1]);
    const mixed = await team.push(...Array(10).fill(item('')), item('d.md'));
    expect([mixed.status, mixed.body.accepted, remaining(mixed)]).toEqual([200, 1, 0]);
  });

  test('what is refused anyway is refused for what it is when the limit is used up', async () => {
    const { team, external } = await newTeam(service());
    await team.push(...batch(3));
    expect((await team.push(item('..'))).body.code).toBe('invalid_request');
    expect((await team.push(item('x.md', 'x', { tier: 'private' }))).body.code).toBe('admin_tier');
    expect((await team.push(item('..'), item('x.md'))).body.code).toBe('rate_limited');
    await external.push(
      ...batch(3).map((open) => ({ ...open, row_key: `open-${open.row_key}`, tier: 'external' })),
    );
    // It may tell what the guest cannot see, so it takes a slot.
    expect((await external.push(item('x.md'))).body.code).toBe('rate_limited');
  });

  test('a batch with more bad items than good ones is judged by the good ones', async () => {
    const { team } = await newTeam(service());
    const refused = await team.push(...Array(20).fill(item('')), ...batch(4));
    expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('batch of 4')]);
    const admitted = await team.push(...Array(20).fill(item('')), ...batch(3));
    expect([admitted.status, admitted.body.accepted, admitted.body.rejected]).toEqual([200, 3, 20]);
  });

  test('removals are not writes of items', async () => {
    const { team } = await newTeam(service());
    await team.push(...batch(3));
    for (const { row_key } of batch(3)) expect((await team.remove(row_key)).status).toBe(204);
  });
});
