import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { openContentStores } from '../../store/open-stores.ts';
import { teamHeads } from './progress.ts';

test('projects that were created before their changes were counted are told from none that were ever read', async () => {
  const directory = await temporaryDirectory();
  const stores = await openContentStores({ engine: 'sqlite', directory: directory.path });
  const nothing = async () => undefined;
  const projection = {
    catchUp: nothing,
    forgetRemovedTasks: nothing,
    nudge: () => undefined,
    close: nothing,
  };
  const version = async () => (await teamHeads({ ...stores, projection }, 'team')).projectsVersion;
  await stores.projects.create('team', { slug: 'mole', name: 'Breakwater' }, 10);
  const before = await version();
  expect(before).toBeGreaterThan(0);
  await stores.progress.raiseProjectsVersion('team');
  expect(await version()).toBeGreaterThan(before);
  await stores.close();
  await directory.remove();
});
