import { expect, test } from 'vitest';
import type { Release } from '../domain/disclosure.ts';
import { maxReleases, type ReleaseStore } from '../domain/disclosure.ts';

/** Declares the tests that every store of releases passes; `store` returns the empty store of the running test. */
export function releaseStoreContract(store: () => ReleaseStore): void {
  const release = (value: number): Release => ({
    figures: ['spine', 'autonomy'],
    contributions: new Map([
      ['member-1', [value, 0.01, 4]],
      ['$where', [0]],
    ]),
  });

  test('releases read back in the order in which they were added, of one team', async () => {
    expect(await store().all('team-1')).toEqual({ releases: [], newest: 0 });
    for (let n = 0; n < 40; n += 1) expect(await store().add('team-1', n, release(n))).toBe(true);
    expect(await store().add('team-2', 0, release(99))).toBe(true);
    const releases = Array.from({ length: 40 }, (_, n) => release(n));
    expect(await store().all('team-1')).toEqual({ releases, newest: 40 });
  });

  test('of several that are added at once one is kept, and the others are told', async () => {
    await store().add('team-1', 0, release(0));
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, n) => store().add('team-1', 1, release(n))),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
    const kept = await store().all('team-1');
    expect(kept).toEqual({ releases: [release(0), release(added.indexOf(true))], newest: 2 });
    expect(await store().add('team-1', 1, release(5))).toBe(false);
  });

  test('the oldest are forgotten past the number that is kept', async () => {
    for (let n = 0; n < maxReleases + 3; n += 1) await store().add('team-1', n, release(n));
    const { releases, newest } = await store().all('team-1');
    expect({ newest, kept: releases.length, oldest: releases[0] }).toEqual({
      newest: maxReleases + 3,
      kept: maxReleases,
      oldest: release(3),
    });
    expect(await store().add('team-1', 3, release(0))).toBe(false);
  });
}
