import { expect, test } from 'vitest';
import type { Level } from './level.ts';
import { rollup } from './rollup.ts';
import { keptSnapshot } from './snapshot.fixture.ts';
import type { DayPlacement, SnapshotStore } from './snapshot-store.ts';

/** A Saturday; its week is that of Monday the 16th. */
const now = Date.UTC(2026, 10, 21, 23, 59);

const { axes } = keptSnapshot().canonical;
const day = (memberId: string, date: string, spine: Level = 'L1'): DayPlacement => {
  return { id: `${date}/${memberId}`, memberId, date, canonical: { spine, axes } };
};

/** Sums up these rows, and tells how many reads that took. */
async function summedUp(rows: DayPlacement[], weeks: number) {
  let reads = 0;
  const place = ({ date, id }: Pick<DayPlacement, 'date' | 'id'>) => `${date} ${id}`;
  const sorted = rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const placements: SnapshotStore['placements'] = async (_teamId, { after, to, limit }) => {
    reads += 1;
    return sorted.filter((row) => place(row) > place(after) && row.date <= to).slice(0, limit);
  };
  const snapshots = { placements } as SnapshotStore;
  return { ...(await rollup({ snapshots, clock: () => now }, 'team', weeks)), reads: () => reads };
}

test('a rollup has the weeks asked for, the present one last, also those without a snapshot', async () => {
  const { from, to, trend } = await summedUp([], 3);
  expect({ from, to }).toEqual({ from: '2026-11-02', to: '2026-11-22' });
  expect(trend.map(({ week }) => week)).toEqual(['2026-11-02', '2026-11-09', '2026-11-16']);
  expect(trend.map(({ placement }) => placement)).toEqual(Array(3).fill({ members: 0, figures: undefined }));
  expect((await summedUp([], 0)).trend).toHaveLength(12);
  expect((await summedUp([], 53)).trend).toHaveLength(53);
});

test('each member counts once, by the newest snapshot of the week and of the whole', async () => {
  const { current, trend } = await summedUp(
    [
      ...['a', 'b', 'c'].map((member) => day(member, '2026-11-10', 'L1')),
      day('a', '2026-11-15', 'L2'),
      day('a', '2026-11-20', 'L4'),
      day('a', '2026-11-17', 'L3'),
      day('b', '2026-11-22', 'L5'),
    ],
    2,
  );
  expect(trend[0]?.placement.figures?.spines).toMatchObject({ L1: 2, L2: 1 });
  expect(trend[1]?.placement).toEqual({ members: 2, figures: undefined });
  expect(current.figures?.spines).toEqual({ L0: 0, L1: 1, L2: 0, L3: 0, L4: 1, L5: 1 });
});

test('days before and after the weeks do not count', async () => {
  const days = ['2026-11-08', '2026-11-23', '2026-12-01', '9999-12-31'];
  const { current } = await summedUp(
    days.map((date, n) => day(`m${n}`, date)),
    2,
  );
  expect(current.members).toBe(0);
});

test('more rows than one read gives are read page by page, none twice and none left out', async () => {
  const rows = Array.from({ length: 1_000 }, (_, n) =>
    day(`m${n}`, n % 2 === 0 ? '2026-11-16' : '2026-11-17'),
  );
  const { current, reads } = await summedUp(rows, 1);
  expect(current.members).toBe(1_000);
  expect(reads()).toBe(3);
});

test('anything but 0 to 53 weeks is refused', async () => {
  for (const weeks of [-1, 54, 1.5, Number.NaN]) {
    await expect(summedUp([], weeks)).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ pointer: '/weeks' }],
    });
  }
});
