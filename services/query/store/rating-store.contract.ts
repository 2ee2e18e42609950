import { expect, test } from 'vitest';
import type { Rating, RatingStore } from '../domain/ratings/ratings.ts';

/** A rating with these differences from any other. */
export function ratingOf(ratingId: string, changed: Partial<Rating> = {}): Rating {
  return {
    ratingId,
    memberId: 'm1',
    memberHandle: 'ada',
    tier: 'team',
    question: 'Where do the otters sleep?',
    verdict: 'not_helped',
    note: 'The boathouse is missing.',
    at: 1_795_219_200_123,
    ...changed,
  };
}

const wide = { maxOfMember: 100, maxOfTeam: 100, since: 0 };

/** Declares what every engine's store of ratings guarantees. */
export function ratingStoreContract(store: () => RatingStore): void {
  const everything = { since: 0, after: undefined, limit: 1_000 };
  const ids = async (teamId: string, range: Partial<Parameters<RatingStore['list']>[1]> = {}) =>
    (await store().list(teamId, { ...everything, ...range })).map(({ ratingId }) => ratingId);
  async function putAll(teamId: string, ...ratings: Rating[]): Promise<void> {
    for (const rating of ratings) await store().put(teamId, rating, wide);
  }

  test('a rating reads back as it was kept, in its own team only, hostile texts included', async () => {
    const hostile = ratingOf('r1', {
      question: "'; DROP TABLE ratings; -- 🙂",
      note: '{"$ne":null}',
      tier: 'external',
    });
    await putAll('t1', hostile);
    expect(await store().list('t1', everything)).toEqual([hostile]);
    expect(await ids('t2')).toEqual([]);
    expect(await ids('t%')).toEqual([]);
  });

  test('a rating with the same id takes the place of the one before, however many are kept at once', async () => {
    await putAll('t1', ratingOf('r1'));
    const again = ratingOf('r1', { verdict: 'helped', note: '', at: 1_795_219_300_000 });
    await Promise.all(Array.from({ length: 8 }, () => store().put('t1', again, wide)));
    expect(await store().list('t1', everything)).toEqual([again]);
  });

  test('the newest come first, page by page, and none from before a time', async () => {
    await putAll(
      't1',
      ratingOf('b', { at: 2 }),
      ratingOf('c', { at: 2 }),
      ratingOf('a', { at: 3 }),
      ratingOf('d', { at: 1 }),
    );
    expect(await ids('t1')).toEqual(['a', 'c', 'b', 'd']);
    expect(await ids('t1', { limit: 2 })).toEqual(['a', 'c']);
    expect(await ids('t1', { after: { at: 2, ratingId: 'c' } })).toEqual(['b', 'd']);
    expect(await ids('t1', { since: 2 })).toEqual(['a', 'c', 'b']);
  });

  test('a member keeps the last ones, and pushes out none of another member or team', async () => {
    await putAll('t1', ratingOf('other', { memberId: 'm2', at: 1 }));
    await putAll('t2', ratingOf('elsewhere', { at: 1 }));
    for (const at of [2, 3, 4])
      await store().put('t1', ratingOf(`r${at}`, { at }), { ...wide, maxOfMember: 2 });
    expect(await ids('t1')).toEqual(['r4', 'r3', 'other']);
    expect(await ids('t2')).toEqual(['elsewhere']);
  });

  test('a team keeps the last ones of all its members, and none that is too old', async () => {
    for (const at of [1, 2, 3]) {
      await store().put('t1', ratingOf(`r${at}`, { memberId: `m${at}`, at }), { ...wide, maxOfTeam: 2 });
    }
    expect(await ids('t1')).toEqual(['r3', 'r2']);
    await store().put('t1', ratingOf('r4', { at: 4 }), { ...wide, since: 3 });
    expect(await ids('t1')).toEqual(['r4', 'r3']);
  });

  test('what is removed is gone in its team, and nothing else; what is not there can be removed', async () => {
    await putAll('t1', ratingOf('r1', { at: 1 }), ratingOf('r2', { at: 2 }));
    await store().remove('t2', ['r1']);
    await store().remove('t1', ['r2', 'none']);
    expect(await ids('t1')).toEqual(['r1']);
  });

  test('the ratings of a member are counted and erased, and those of others stay', async () => {
    await putAll(
      't1',
      ratingOf('r1'),
      ratingOf('r2'),
      ratingOf('r3', { memberId: 'm2', memberHandle: 'bob' }),
    );
    await putAll('t2', ratingOf('r4'));
    expect(await store().countOfMember('t1', 'ada')).toBe(2);
    for (const _time of ['first', 'second']) await store().eraseMember('t1', 'ada');
    expect(await store().countOfMember('t1', 'ada')).toBe(0);
    expect(await ids('t1')).toEqual(['r3']);
    expect(await ids('t2')).toEqual(['r4']);
  });
}
