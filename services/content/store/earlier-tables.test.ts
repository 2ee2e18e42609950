import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { storedItem } from '../domain/item.fixture.ts';
import { feedNames } from './feed-names.ts';
import { openContentStores } from './open-stores.ts';

test('a database from before rows were counted is opened, read and written', async () => {
  const directory = await temporaryDirectory();
  const open = () => openContentStores({ engine: 'sqlite', directory: directory.path });
  const written = storedItem('a.md', 1);
  const first = await open();
  await first.items.append('team', [{ item: written, previous: undefined }], 20);
  await first.close();

  const database = new DatabaseSync(join(directory.path, 'content.sqlite'));
  for (const { rows, usage } of Object.values(feedNames)) {
    database.exec(`DROP TABLE ${usage}`);
    for (const column of ['owner', 'bytes', 'kept_bytes'])
      database.exec(`ALTER TABLE ${rows} DROP COLUMN ${column}`);
  }
  database.close();

  const { items, close } = await open();
  const [stored] = await items.readFrom('team', 0, { limit: 10 });
  expect(stored).toEqual({ ...written, json: new Uint8Array(written.json) });
  expect(await items.usage('team', [''])).toEqual(new Map());
  const charge = { owner: 'team/ada', bytes: 5, keptBytes: 7 };
  const item = storedItem('a.md', 2, { revision: 2, charge });
  expect(await items.append('team', [{ item, previous: stored }], 20)).toBe(1);
  expect((await items.find('team', ['a.md'])).get('a.md')).toMatchObject({ charge });
  expect(await items.usage('team', [''])).toEqual(new Map([['', { rows: 1, items: 1, bytes: 12 }]]));
  await close();
  await directory.remove();
});
