import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { scanMetrics } from '../domain/domain.fixture.ts';
import { openAnalyticsStores } from './open-stores.ts';
import { forgetScanSizes } from './scan-sizes.fixture.ts';

describeEachEngine('scans of the first versions', ({ storage }) => {
  const scanOf = (n: number) => ({
    id: `s${n}`,
    codebaseId: 'c',
    contributions: [],
    issues: [],
    agenticScore: 1,
    version: 1,
    metrics: { ...scanMetrics(), headSha: String(n).padStart(40, '0') },
  });

  test('get the sizes that they lack, beside running traffic, and then count towards what is kept', async () => {
    const first = await openAnalyticsStores(storage());
    for (let n = 100; n < 230; n += 1) await first.scans.put('team', scanOf(n), n);
    await first.close();
    await forgetScanSizes(storage());

    const { scans, migrated, close } = await openAnalyticsStores(storage());
    await scans.put('team', scanOf(99), 230);
    await migrated;
    await scans.keepNewest('team', 'c', { scans: 1_000, bytes: 1 });
    expect((await scans.list('team', 'c', '', 500)).map(({ id }) => id)).toEqual(['s99']);
    await close();
  });
});
