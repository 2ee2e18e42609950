import { expect, test } from 'vitest';
import type { Release, ReleaseStore } from './disclosure.ts';
import type { Measured } from './placement.ts';
import { rollup } from './rollup.ts';
import type { CountedDay, SnapshotStore } from './snapshots.ts';

/** A Saturday; its week is that of Monday the 16th. */
const now = Date.UTC(2026, 10, 21, 23, 59);

/** Level L1, or one more for tools; every axis but autonomy is 0. */
const idle = { sessions: 0, tasks: 0, signals: {} };
const working = (tools: number) => ({ sessions: 1, tasks: 1, signals: { tool_diversity: tools } });
const day = (memberId: string, date: string, measured: Measured = working(0)): CountedDay => {
  return { id: `${date}/${memberId}`, memberId, date, measured };
};

/** Releases of one team in memory, as a store keeps them. */
function releaseMemory(): ReleaseStore & { kept: Release[] } {
  const kept: Release[] = [];
  return {
    kept,
    all: async () => ({ releases: [...kept], newest: kept.length }),
    async add(_teamId, newest, release) {
      if (newest !== kept.length) return false;
      kept.push(release);
      return true;
    },
  };
}

/** Sums up these rows, and tells how many reads that took. */
async function summedUp(rows: CountedDay[], weeks: number, releases: ReleaseStore = releaseMemory()) {
  let reads = 0;
  const place = ({ date, id }: Pick<CountedDay, 'date' | 'id'>) => `${date} ${id}`;
  const sorted = rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const counted: SnapshotStore['counted'] = async (_teamId, { after, to, limit }) => {
    reads += 1;
    return sorted.filter((row) => place(row) > place(after) && row.date <= to).slice(0, limit);
  };
  const result = await rollup({ snapshots: { counted }, releases, clock: () => now }, 'team', weeks);
  return { ...result, reads: () => reads };
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
      ...['a', 'b', 'c'].map((member) => day(member, '2026-11-10', idle)),
      ...['a', 'b', 'c'].map((member) => day(member, '2026-11-15', working(12))),
      day('a', '2026-11-20', idle),
      day('b', '2026-11-16', working(12)),
      day('b', '2026-11-17', idle),
    ],
    2,
  );
  expect(trend[0]?.placement.figures).toMatchObject({ spines: { L2: 3 }, medianAxes: { autonomy: 4 } });
  expect(trend[1]?.placement).toEqual({ members: 2, figures: undefined });
  // Of three two changed since, which nobody may be shown.
  expect(current).toEqual(trend[0]?.placement);
});

test('a week is shown as it is where at least three changed, else as the closest before', async () => {
  const week = (date: string, ...tools: number[]) =>
    tools.map((count, n) => day(`m${n}`, date, working(count)));
  const rows = [
    ...week('2026-11-05', 7, 7, 7),
    ...week('2026-11-10', 12, 12, 12),
    ...week('2026-11-20', 12, 2, 2),
  ];
  const { current, trend } = await summedUp(rows, 3);
  expect(trend.map(({ placement }) => placement.figures?.medianAxes.autonomy)).toEqual([2, 4, 4]);
  expect(current.figures?.medianAxes.autonomy).toBe(4);
});

test('what two rollups at once may show is decided one after the other', async () => {
  const releases = releaseMemory();
  const rows = ['a', 'b', 'c'].map((member) => day(member, '2026-11-20'));
  const joined = [...rows, day('d', '2026-11-20', working(12))];
  const [first, second] = await Promise.all([summedUp(rows, 1, releases), summedUp(joined, 1, releases)]);
  expect(releases.kept).toHaveLength(1);
  expect(second.current.figures).toEqual(first.current.figures);
});

test('a team whose rollups are always overtaken is told to try again', async () => {
  const busy = { ...releaseMemory(), add: async () => false };
  const rows = ['a', 'b', 'c'].map((member) => day(member, '2026-11-20'));
  await expect(summedUp(rows, 1, busy)).rejects.toMatchObject({ code: 'unavailable' });
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
