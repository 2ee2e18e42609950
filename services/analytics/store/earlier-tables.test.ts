import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { keptSnapshot, scanMetrics } from '../domain/domain.fixture.ts';
import { openAnalyticsStores } from './open-stores.ts';

test('a database from before it was kept who pushed a snapshot is opened and read, and none of it counts', async () => {
  const directory = await temporaryDirectory();
  const open = () => openAnalyticsStores({ engine: 'sqlite', directory: directory.path });
  const how = { at: 1, counts: true, maxOfMember: 9 };
  const scan = {
    id: 's1',
    codebaseId: 'c',
    metrics: scanMetrics(),
    contributions: [],
    issues: [],
    agenticScore: 1,
  };
  const first = await open();
  await first.snapshots.put('team', keptSnapshot(), how);
  await first.scans.put('team', { ...scan, version: 1 }, 1);
  await first.close();

  const database = new DatabaseSync(join(directory.path, 'analytics.sqlite'));
  database.exec(`DROP INDEX scans_age; ALTER TABLE scans DROP COLUMN bytes; DROP TABLE rollup_releases;
    ALTER TABLE snapshots DROP COLUMN counted_json;`);
  database.close();

  const { snapshots, scans, releases, close } = await open();
  const { memberId, date, metric } = keptSnapshot();
  expect(await snapshots.find('team', { memberId, date, metric })).toEqual({
    ...keptSnapshot(),
    revision: 1,
  });
  const range = { metric, after: { date, id: '' }, to: date, limit: 9 };
  expect(await snapshots.counted('team', range)).toEqual([]);
  await snapshots.put('team', keptSnapshot(), how);
  expect(await snapshots.counted('team', range)).toHaveLength(1);
  await scans.keepNewest('team', 'c', { scans: 1, bytes: 1 });
  expect(await scans.find('team', 'c', scan.metrics.headSha)).toMatchObject({ id: 's1' });
  expect(await releases.all('team')).toEqual({ releases: [], newest: 0 });
  await close();
  await directory.remove();
});
