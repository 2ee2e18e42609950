import { connectMongo } from '@teammemory/mongo/mongo-connection.ts';
import { openAnalyticsStores, type Storage } from './open-stores.ts';

/** Where a process finds the data of a test. */
export type MigratorStorage =
  | { engine: 'sqlite'; directory: string }
  | { engine: 'mongodb'; url: string; database: string };

// Opens the stores that its argument names, and says so when they are migrated.
async function migrate(storage: MigratorStorage): Promise<void> {
  const opened: Storage =
    storage.engine === 'sqlite' ? storage : { engine: 'mongodb', connection: await connectMongo(storage) };
  // Migrations keep no process alive; in a service its ports do.
  const alive = setInterval(() => undefined, 1_000);
  const stores = await openAnalyticsStores(opened);
  await stores.migrated;
  process.stdout.write('migrated\n');
  clearInterval(alive);
  await stores.close();
  if (opened.engine === 'mongodb') await opened.connection.close();
}

await migrate(JSON.parse(process.argv[2] ?? ''));
