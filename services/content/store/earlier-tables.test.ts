import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import { openContentStores } from './open-stores.ts';
import { feedNames, viewOfVersions } from './stored-feed.ts';

test('a database of 0.1, which erased nothing and had no forms of tasks, is opened, read and written', async () => {
  const directory = await temporaryDirectory();
  const open = () => openContentStores({ engine: 'sqlite', directory: directory.path });
  const written = storedRow('a.md', 1);
  const first = await open();
  await first.items.append('team', [{ row: written, previous: undefined }], 20);
  await first.progress.keep('team', { tasksSeq: 1, itemsSeq: 3, decisionsSeq: 0, taskForm: 1 });
  await first.close();

  const database = new DatabaseSync(join(directory.path, 'content.sqlite'));
  for (const { rows, versions } of Object.values(feedNames)) {
    for (const column of ['erased_from', 'origin'])
      database.exec(`ALTER TABLE ${rows} DROP COLUMN ${column}`);
    database.exec(
      `DROP VIEW ${viewOfVersions(versions)}; DROP TABLE ${versions}_origins; DROP TRIGGER ${versions}_gone;`,
    );
  }
  database.exec('ALTER TABLE projection_places DROP COLUMN task_form');
  database.close();

  const { items, progress, close } = await open();
  expect(await progress.progress('team')).toMatchObject({ itemsSeq: 3, taskForm: 0 });
  const [stored] = await items.readFrom('team', 0, { limit: 10 });
  expect(stored).toEqual({ ...written, json: new Uint8Array(written.json) });
  const row = storedRow('a.md', 2, { revision: 2, writerId: 'id-of-ada' });
  expect(await items.append('team', [{ row, previous: stored }], 20)).toBe(1);
  expect(await items.readFrom('team', 0, { limit: 10 })).toMatchObject([{ writerId: 'id-of-ada' }]);
  await close();
  await directory.remove();
});
