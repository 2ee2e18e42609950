import { describe, expect, test } from 'vitest';
import type { Limits, Reservation, UsageStore } from '../domain/spending/usage-store.ts';

const wide: Limits = { member: 1_000_000, team: 1_000_000, open: 1_000 };
let made = 0;

/** A reservation of one micro-dollar a token. */
export function reservationOf(changes: Partial<Reservation> = {}): Reservation {
  made += 1;
  const worstCase = { inputTokens: 60, outputTokens: 40 };
  return {
    id: `r${String(made).padStart(6, '0')}`,
    day: '2026-11-21',
    memberId: 'ada',
    model: 'gpt',
    worstCase,
    amount: 100,
    expiresAt: 1_000,
    ...changes,
  };
}

/** Returns the totals of a member's and of a team's day, open reservations included. */
export async function spentOn(store: UsageStore, teamId: string, day = '2026-11-21', memberId = 'ada') {
  const nothing = { member: Number.POSITIVE_INFINITY, team: Number.POSITIVE_INFINITY, open: 1_000 };
  const probe = reservationOf({ day, memberId, amount: 1 });
  const member = await store.reserve(teamId, probe, { ...nothing, member: -1 });
  const team = await store.reserve(teamId, probe, { ...nothing, team: -1 });
  return { member: member?.spent, team: team?.spent };
}

/** Declares what every engine's store of usage guarantees. */
export function usageStoreContract(store: () => UsageStore): void {
  const reserve = (changes: Partial<Reservation> = {}, limits: Partial<Limits> = {}, teamId = 'team') =>
    store().reserve(teamId, reservationOf(changes), { ...wide, ...limits });
  const totals = (teamId = 'team') =>
    store().totals(teamId, { from: '2026-11-01', to: '2026-11-30', after: undefined, limit: 100 });
  const used = { inputTokens: 30, outputTokens: 7 };

  test('a team that never paid has spent nothing', async () => {
    expect(await spentOn(store(), 'team')).toEqual({ member: 0, team: 0 });
    expect(await totals()).toEqual([]);
    expect(await store().expired('team', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  test('an amount is held back for member and team up to the very cap, and refused one micro-dollar past it', async () => {
    expect(await reserve({ amount: 60 }, { member: 100 })).toBeUndefined();
    expect(await reserve({ amount: 41 }, { member: 100 })).toEqual({ scope: 'member', spent: 60 });
    expect(await reserve({ amount: 40 }, { member: 100 })).toBeUndefined();
    expect(await reserve({ amount: 1, memberId: 'bob' }, { team: 100 })).toEqual({
      scope: 'team',
      spent: 100,
    });
    expect(await spentOn(store(), 'team')).toEqual({ member: 100, team: 100 });
    expect(await spentOn(store(), 'team', '2026-11-21', 'bob')).toEqual({ member: 0, team: 100 });
  });

  test('a cap of nothing refuses what costs', async () => {
    expect(await reserve({ amount: 1 }, { member: 0 })).toEqual({ scope: 'member', spent: 0 });
    expect(await reserve({ amount: 1 }, { team: 0 })).toEqual({ scope: 'team', spent: 0 });
    expect(await spentOn(store(), 'team')).toEqual({ member: 0, team: 0 });
  });

  test('what a call came to takes the place of its reservation and stands in the totals', async () => {
    const reservation = reservationOf();
    await store().reserve('team', reservation, wide);
    await store().settle('team', reservation, used, 37);
    expect(await spentOn(store(), 'team')).toEqual({ member: 37, team: 37 });
    const total = { day: '2026-11-21', memberId: 'ada', model: 'gpt', calls: 1, ...used, cost: 37 };
    expect(await totals()).toEqual([total]);
  });

  test('a day stands as what was spent and what is held back, for the team and for each member', async () => {
    expect(await store().standing('team', '2026-11-21', undefined)).toEqual({ spent: 0, reserved: 0 });
    const ended = reservationOf();
    await store().reserve('team', ended, wide);
    await store().settle('team', ended, used, 37);
    await reserve({ amount: 20 });
    await reserve({ amount: 5, memberId: 'bob' });
    await reserve({ amount: 7, memberId: '' });
    await reserve({ amount: 900, day: '2026-11-20' });
    await reserve({ amount: 900 }, {}, 'other');
    const standing = (memberId?: string) => store().standing('team', '2026-11-21', memberId);
    expect(await standing()).toEqual({ spent: 37, reserved: 32 });
    expect(await standing('ada')).toEqual({ spent: 37, reserved: 20 });
    expect(await standing('bob')).toEqual({ spent: 0, reserved: 5 });
    expect(await standing('eve')).toEqual({ spent: 0, reserved: 0 });
  });

  test('the totals of one member are those of nobody else, over pages', async () => {
    for (const memberId of ['ada', 'bob', 'ada']) {
      for (const model of ['gpt', 'embedder']) {
        const reservation = reservationOf({ memberId, model });
        await store().reserve('team', reservation, wide);
        await store().settle('team', reservation, used, 10);
      }
    }
    const range = { from: '2026-11-01', to: '2026-11-30', memberId: 'ada', limit: 1 };
    const [first] = await store().totals('team', { ...range, after: undefined });
    expect(first).toMatchObject({ memberId: 'ada', model: 'embedder', calls: 2, cost: 20 });
    const rest = await store().totals('team', { ...range, after: first, limit: 10 });
    expect(rest).toMatchObject([{ memberId: 'ada', model: 'gpt', calls: 2, cost: 20 }]);
  });

  test('a reservation that is given back leaves nothing behind', async () => {
    const reservation = reservationOf();
    await store().reserve('team', reservation, wide);
    await store().release('team', reservation);
    expect(await spentOn(store(), 'team')).toEqual({ member: 0, team: 0 });
    expect(await totals()).toEqual([]);
  });

  test('settling or giving back twice, in any order and at once, counts once', async () => {
    const settled = reservationOf();
    await store().reserve('team', settled, wide);
    const outcomes = await Promise.all([1, 2, 3].map(() => store().settle('team', settled, used, 37)));
    expect(outcomes.toSorted()).toEqual([false, false, true]);
    await store().release('team', settled);
    const released = reservationOf();
    await store().reserve('team', released, wide);
    await Promise.all([1, 2, 3].map(() => store().release('team', released)));
    expect(await store().settle('team', released, used, 37)).toBe(false);
    expect(await store().settle('team', reservationOf(), used, 37)).toBe(false);
    expect(await spentOn(store(), 'team')).toEqual({ member: 37, team: 37 });
    expect(await totals()).toMatchObject([{ calls: 1, cost: 37 }]);
  });

  test('however many reserve at once, exactly those that fit are let in', async () => {
    const members = Array.from({ length: 200 }, (_, index) => `m${index % 5}`);
    const limits = { member: 100 * 7, team: 100 * 20 + 99 };
    const refusals = await Promise.all(members.map((memberId) => reserve({ memberId }, limits)));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(20);
    expect(await spentOn(store(), 'team')).toMatchObject({ team: 2_000 });
  });

  test('a member past the cap takes nothing from the others, however often they try', async () => {
    const greedy = Array.from({ length: 50 }, () =>
      reserve({ memberId: 'eve' }, { member: 100, team: 1_000 }),
    );
    const others = Array.from({ length: 9 }, (_, index) =>
      reserve({ memberId: `m${index}` }, { team: 1_000 }),
    );
    expect(await Promise.all(others)).toEqual(Array(9).fill(undefined));
    expect((await Promise.all(greedy)).filter((refusal) => refusal === undefined)).toHaveLength(1);
  });

  test('only so many reservations are open on a day; free ones count too', async () => {
    await reserve({ amount: 0 }, { open: 2 });
    await reserve({ amount: 0, memberId: 'bob' }, { open: 2 });
    await expect(reserve({ amount: 0 }, { open: 2 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await reserve({ amount: 0, day: '2026-11-22' }, { open: 2 })).toBeUndefined();
    expect(await spentOn(store(), 'team')).toEqual({ member: 0, team: 0 });
  });

  describe('reservations that expired', () => {
    test('are found once each with all that was reserved, the oldest first, at most so many', async () => {
      const reservations = [30, 10, 20, 40].map((expiresAt) => reservationOf({ expiresAt }));
      for (const reservation of reservations) await store().reserve('team', reservation, wide);
      const [third, first, second] = reservations;
      expect(await store().expired('team', 30, 10)).toEqual([first, second, third]);
      expect(await store().expired('team', 30, 2)).toEqual([first, second]);
      expect(await store().expired('team', 9, 10)).toEqual([]);
      expect(await store().expired('other', 30, 10)).toEqual([]);
    });

    test('are gone when they are settled', async () => {
      const reservation = reservationOf();
      await store().reserve('team', reservation, wide);
      await store().settle('team', reservation, reservation.worstCase, reservation.amount);
      expect(await store().expired('team', 1_000, 10)).toEqual([]);
      expect(await spentOn(store(), 'team')).toEqual({ member: 100, team: 100 });
    });
  });

  describe('totals', () => {
    async function spend(changes: Partial<Reservation>, cost: number, teamId = 'team'): Promise<void> {
      const reservation = reservationOf(changes);
      await store().reserve(teamId, reservation, wide);
      await store().settle(teamId, reservation, used, cost);
    }

    test('are summed per day, member and model, in that order, page by page', async () => {
      await spend({ model: 'b' }, 1);
      await spend({ model: 'a' }, 2);
      await spend({ model: 'b' }, 4);
      await spend({ memberId: 'Ada' }, 8);
      await spend({ memberId: '' }, 16);
      await spend({ day: '2026-11-20', memberId: 'bob' }, 32);
      await spend({ day: '2026-11-20' }, 64, 'other');
      await reserve({ memberId: 'eve' });
      const costs = [32, 16, 8, 2, 5];
      const all = await totals();
      expect(all.map(({ cost }) => cost)).toEqual(costs);
      expect(all.at(-1)).toMatchObject({ calls: 2, inputTokens: 60, outputTokens: 14 });
      const range = { from: '2026-11-01', to: '2026-11-30', limit: 2 };
      for (const [index, after] of [undefined, ...all].entries()) {
        const page = await store().totals('team', { ...range, after });
        expect(page).toEqual(all.slice(index, index + 2));
      }
    });

    test('are those of the days asked for', async () => {
      for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) await spend({ day }, 1);
      const days = async (from: string, to: string) =>
        (await store().totals('team', { from, to, after: undefined, limit: 10 })).map(({ day }) => day);
      expect(await days('2026-11-19', '2026-11-20')).toEqual(['2026-11-19', '2026-11-20']);
      expect(await days('2026-11-21', '2026-11-21')).toEqual(['2026-11-21']);
      expect(await days('2026-11-22', '2026-11-30')).toEqual([]);
    });

    test('of calls that cost nothing are kept, whatever was spent', async () => {
      await reserve({ amount: 900 });
      const free = reservationOf({ amount: 0 });
      const noCaps = { member: Number.POSITIVE_INFINITY, team: Number.POSITIVE_INFINITY, open: 10 };
      expect(await store().reserve('team', free, noCaps)).toBeUndefined();
      await store().settle('team', free, used, 0);
      expect(await totals()).toMatchObject([{ calls: 1, cost: 0, ...used }]);
    });

    test('stay exact beyond 32 bits', async () => {
      const large = 9_999_999_999_999;
      const limits = { member: 3 * large, team: 3 * large, open: 10 };
      for (const extra of [1, 0]) {
        const reservation = reservationOf({ amount: large });
        await store().reserve('team', reservation, limits);
        const tokens = { inputTokens: 5_000_000_000 + extra, outputTokens: 2_147_483_647 };
        await store().settle('team', reservation, tokens, large - extra);
      }
      expect(await spentOn(store(), 'team')).toEqual({ member: 2 * large - 1, team: 2 * large - 1 });
      const sums = { inputTokens: 10_000_000_001, outputTokens: 4_294_967_294, cost: 2 * large - 1 };
      expect(await totals()).toMatchObject([sums]);
    });
  });

  test('days and teams have nothing in common', async () => {
    await reserve({ amount: 100 }, { member: 100, team: 100 });
    expect(await reserve({ day: '2026-11-22' }, { member: 100, team: 100 })).toBeUndefined();
    expect(await reserve({}, { member: 100, team: 100 }, 'other')).toBeUndefined();
  });

  test('hostile names are data', async () => {
    const hostile = [
      '$where',
      'a.b',
      '__proto__',
      "'; DROP TABLE usage_days; --",
      '{"$ne":null}',
      '%',
      '🙂',
      '$a.0',
    ];
    for (const name of hostile) {
      const reservation = reservationOf({ memberId: name, model: name });
      await store().reserve('$gt', reservation, wide);
      expect(await store().expired('$gt', 1_000, 10)).toEqual([reservation]);
      await store().settle('$gt', reservation, used, 1);
    }
    const names = (await totals('$gt')).map(({ memberId, model }) => [memberId, model]);
    expect(names.toSorted()).toEqual(hostile.map((name) => [name, name]).toSorted());
    expect(await spentOn(store(), '$gt')).toMatchObject({ team: hostile.length });
  });
}
