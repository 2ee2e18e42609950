import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedBytes } from '@teammemory/testkit/stored-bytes.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createTaskWorker } from '../../task-thread/task-worker.ts';
import { createDecision, editDecision } from '../decisions/decisions.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import type { Projection } from '../feed/progress.ts';
import { checksumOf, itemDraft } from '../items/item.fixture.ts';
import type { ItemAuthor } from '../items/item.ts';
import { pushItems } from '../items/push-items.ts';
import { waitingProposal } from '../proposals/proposal.fixture.ts';
import { createProjection } from '../tasks/projection.ts';
import { type ErasedTexts, eraseMemberTexts } from './erase-member.ts';

const ada: ItemAuthor = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' };
const bob: ItemAuthor = { tier: 'team', handle: 'bob', memberId: 'id-of-bob' };
const marker = 'vermilion-heron';
/** Of all tests: its thread keeps no process alive. */
const worker = createTaskWorker();

describeEachEngine('erasing what a member wrote', (engine) => {
  let stores: ContentStores;
  let writers: { items: FeedWriter; decisions: FeedWriter };
  let projection: Projection;
  const clock = () => 1_795_000_000_000;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    const writerOf = (feed: ContentStores['items']) => createFeedWriter({ feed, clock, history: 20 });
    writers = { items: writerOf(stores.items), decisions: writerOf(stores.decisions) };
    projection = createProjection({ ...stores, worker, clock });
  });
  afterEach(async () => {
    await projection.close();
    await stores.close();
  });

  let pushed = 0;
  async function push(by: ItemAuthor, rowKey: string, content: string): Promise<void> {
    pushed += 1;
    const checksum = checksumOf((pushed % 16).toString(16));
    await pushItems({ writer: writers.items }, 'team', by, [itemDraft({ rowKey, content, checksum })]);
    await projection.catchUp('team');
  }

  /** Runs all pages; with `killAt` the process dies in that page after it had begun. */
  async function erase(handle: string, dryRun = false, killed = false): Promise<ErasedTexts> {
    const all = { items: 0, decisions: 0, versions: 0, proposals: 0 };
    const noted = (_: ErasedTexts, erasure: () => Promise<void>) => erasure();
    const dying = { ...projection, catchUp: () => Promise.reject(new Error('killed')) };
    const dependencies = { ...stores, writers, projection: killed ? dying : projection, noted };
    for (let pageToken = ''; ; ) {
      const page = await eraseMemberTexts(dependencies, 'team', { handle, pageToken, dryRun });
      for (const name of ['items', 'decisions', 'versions', 'proposals'] as const) all[name] += page[name];
      if (page.nextToken === '') return all;
      pageToken = page.nextToken;
    }
  }

  test('takes present texts, earlier versions and titles of tasks, counts them first, and leaves those of others', async () => {
    await push(ada, 'mine.md', `only ${marker}`);
    await push(ada, 'tasks.md', `- [ ] see the ${marker}`);
    await push(bob, 'tasks.md', '- [ ] see the heron');
    await push(bob, 'shared.md', 'what bob wrote');
    await push(ada, 'shared.md', `and then ${marker}`);
    await push(bob, 'his.md', 'only bob');
    const fields = { status: 'accepted', project: null, decidedOn: null, hidden: false } as const;
    const text = { title: 'Birds', body: marker, audience: 'team' } as const;
    const dependencies = { decisions: stores.decisions, writer: writers.decisions };
    await createDecision(dependencies, 'team', { handle: 'ada' }, { ...fields, ...text });
    const { decisionId } = await createDecision(
      dependencies,
      'team',
      { handle: 'ada' },
      { ...fields, ...text },
    );
    const changed = { body: 'what bob decided' };
    await editDecision(
      dependencies,
      'team',
      { handle: 'bob' },
      { decisionId, baseUpdatedAtMs: undefined, changed },
    );

    const proposal = waitingProposal({ title: marker });
    await stores.proposals.propose('team', proposal, [proposal], { texts: 1, bytes: 100 });

    const counted = { items: 2, decisions: 1, versions: 2, proposals: 1 };
    expect(await erase('ada', true)).toEqual(counted);
    expect((await storedBytes(engine.storage())).includes(marker)).toBe(true);
    await expect(erase('ada', false, true)).rejects.toThrow('killed');
    await erase('ada');
    expect((await storedBytes(engine.storage())).includes(marker)).toBe(false);
    expect(await erase('ada')).toEqual({ items: 0, decisions: 0, versions: 0, proposals: 0 });

    const rows = await stores.items.readFrom('team', 0, { limit: 20 });
    const state = rows.map(({ rowKey, deleted, removedBy }) => [rowKey, deleted ? removedBy : 'stays']);
    expect(Object.fromEntries(state)).toEqual({
      'mine.md': 'administrator',
      'shared.md': 'administrator',
      'tasks.md': 'stays',
      'his.md': 'stays',
    });
    const kept = await stores.items.versions('team', 'shared.md', { beforeRevision: 9, limit: 9 });
    expect(kept.map(({ json }) => Buffer.from(json).toString())).toEqual([
      expect.stringContaining('what bob wrote'),
    ]);
    expect((await stores.decisions.read('team', decisionId))?.deleted).toBe(false);
    expect(await stores.tasks.startingWith('team', 'item/tasks.md\n', 9)).toHaveLength(1);
  });

  test('refuses a page token that is none', async () => {
    const query = { handle: 'ada', pageToken: 'tasks/1', dryRun: true };
    const noted = async () => undefined;
    await expect(
      eraseMemberTexts({ ...stores, writers, projection, noted }, 'team', query),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
