import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFeedWriter, type FeedWriter } from './domain/feed/feed-writer.ts';
import type { Projection } from './domain/feed/progress.ts';
import { checksumOf, itemDraft } from './domain/items/item.fixture.ts';
import { deleteItem } from './domain/items/items.ts';
import { pushItems } from './domain/items/push-items.ts';
import { listProjects } from './domain/projects/projects.ts';
import { createProjection } from './domain/tasks/projection.ts';
import { type ContentStores, openContentStores } from './store/open-stores.ts';
import { createTaskWorker } from './task-thread/task-worker.ts';

const team = 'team';
const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const clock = () => 1_000;

describeEachEngine('projects', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;
  let projection: Projection;
  let pushed = 0;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock, history: 2 });
    projection = createProjection({ ...stores, worker: createTaskWorker(), clock });
  });
  afterEach(async () => {
    await projection.close();
    await stores.close();
  });

  async function push(content: string, changed: Parameters<typeof itemDraft>[0]): Promise<void> {
    pushed += 1;
    const checksum = checksumOf((pushed % 16).toString(16));
    await pushItems({ writer }, team, ada, [itemDraft({ content, checksum, ...changed })]);
  }

  const list = async (afterSlug = '', limit = 0) => {
    const reader = { teamId: team, tier: 'team' } as const;
    return listProjects({ projects: stores.projects, projection }, reader, { afterSlug, limit });
  };

  test('are those that items name, and those created, by slug', async () => {
    await stores.projects.create(team, { slug: 'mid', name: 'In the middle' }, 9);
    await stores.projects.create(team, { slug: 'web', name: 'Website' }, 9);
    await push('a', { rowKey: 'projects/api/a.md', frontmatterJson: '{"project":"web"}' });
    expect((await list()).projects).toEqual([
      { slug: 'api', name: 'api', brainOnly: false },
      { slug: 'mid', name: 'In the middle', brainOnly: true },
      { slug: 'web', name: 'Website', brainOnly: false },
    ]);
  });

  test('are named as long as an item names them', async () => {
    await stores.projects.create(team, { slug: 'web', name: 'Website' }, 9);
    await push('a', { rowKey: 'a.md', frontmatterJson: '{"project":"web"}' });
    await push('a', { rowKey: 'projects/api/a.md' });
    expect((await list()).projects.map(({ slug }) => slug)).toEqual(['api', 'web']);
    await push('a', { rowKey: 'a.md' });
    await deleteItem({ writer }, team, ada, 'projects/api/a.md');
    expect((await list()).projects).toEqual([{ slug: 'web', name: 'Website', brainOnly: true }]);
  });

  test('come page by page, each once', async () => {
    for (const slug of ['e', 'c', 'a']) await stores.projects.create(team, { slug, name: slug }, 9);
    for (const slug of ['f', 'd', 'c', 'b']) await push('x', { rowKey: `projects/${slug}/x.md` });
    const seen: [string, boolean][] = [];
    for (let after = ''; ; ) {
      const page = await list(after, 2);
      seen.push(...page.projects.map(({ slug, brainOnly }): [string, boolean] => [slug, brainOnly]));
      if (page.nextSlug === '') break;
      after = page.nextSlug;
    }
    expect(seen).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
      ['d', false],
      ['e', true],
      ['f', false],
    ]);
  });

  test('are not for external keys', async () => {
    const reader = { teamId: team, tier: 'external' } as const;
    const query = { afterSlug: '', limit: 0 };
    await expect(
      listProjects({ projects: stores.projects, projection }, reader, query),
    ).rejects.toMatchObject({ code: 'forbidden_tier' });
  });
});
