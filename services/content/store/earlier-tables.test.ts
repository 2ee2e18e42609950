import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import { openContentStores } from './open-stores.ts';
import { feedNames } from './stored-feed.ts';

test('a database from before rows and changes of projects were counted is opened, read and written', async () => {
  const directory = await temporaryDirectory();
  const open = () => openContentStores({ engine: 'sqlite', directory: directory.path });
  const written = storedRow('a.md', 1);
  const first = await open();
  await first.items.append('team', [{ row: written, previous: undefined }], 20);
  await first.progress.keep('team', { tasksSeq: 1, itemsSeq: 3, decisionsSeq: 0, taskForm: 1 });
  await first.close();

  const database = new DatabaseSync(join(directory.path, 'content.sqlite'));
  for (const { rows, usage } of Object.values(feedNames)) {
    database.exec(`DROP TABLE ${usage}`);
    for (const column of ['owner', 'bytes', 'kept_bytes', 'writer_id'])
      database.exec(`ALTER TABLE ${rows} DROP COLUMN ${column}`);
  }
  database.exec('ALTER TABLE projection_places DROP COLUMN projects_version');
  database.close();

  const { items, progress, close } = await open();
  await progress.raiseProjectsVersion('team');
  expect(await progress.progress('team')).toMatchObject({ itemsSeq: 3, projectsVersion: 1 });
  const [stored] = await items.readFrom('team', 0, { limit: 10 });
  expect(stored).toEqual({ ...written, json: new Uint8Array(written.json) });
  expect(await items.usage('team', [''])).toEqual(new Map());
  const charge = { owner: 'team/ada', bytes: 5, keptBytes: 7 };
  const row = storedRow('a.md', 2, { revision: 2, charge, writerId: 'id-of-ada' });
  expect(await items.append('team', [{ row, previous: stored }], 20)).toBe(1);
  expect((await items.find('team', ['a.md'])).get('a.md')).toMatchObject({ charge });
  expect(await items.readFrom('team', 0, { limit: 10 })).toMatchObject([{ writerId: 'id-of-ada' }]);
  expect(await items.usage('team', [''])).toEqual(new Map([['', { rows: 1, texts: 1, bytes: 12 }]]));
  await close();
  await directory.remove();
});
