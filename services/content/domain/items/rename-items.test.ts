import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import { type CheckedItem, checkItem, itemQuota, ownerOf } from './item.ts';
import { itemRow, pushItems } from './push-items.ts';
import { renamingStep } from './rename-items.ts';

const decision = 'decisions/01937a7e-8a4c-7a33-b1a6-55d3a1f0c2aa';
const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const eve = { tier: 'external', handle: 'eve', memberId: 'id-of-eve' } as const;
const share = { texts: 4, bytes: 1_000_000 };

describeEachEngine('items with names of decisions, tasks and projects', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    const quota = itemQuota(share, { team: share, external: share });
    writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20, quota });
  });
  afterEach(() => stores.close());

  /** Stores an item as earlier versions did, which accepted the name. */
  async function storeNamed(rowKey: string, by: typeof ada | typeof eve, teamId = 'team') {
    const frontmatterJson = '{"updated_at":"x","updated_by":"y"}';
    const draft = itemDraft({ rowKey: 'a.md', tier: by.tier, content: '# É\n', frontmatterJson });
    const checked = checkItem(draft) as CheckedItem;
    const item = { ...checked, rowKey, jsonHead: checked.jsonHead.replace('"a.md"', JSON.stringify(rowKey)) };
    await writer.write(teamId, {
      rowKey,
      owner: ownerOf(by),
      judge: (current) => ({ kind: 'write', rowAt: (position) => itemRow(item, by, current, position) }),
    });
  }

  async function rename() {
    const told: string[] = [];
    const step = renamingStep({
      items: stores.items,
      writer,
      onRenamed: ({ teamId, from, to }) => told.push(`${teamId}: ${from} -> ${to}`),
    });
    let steps = 0;
    while ((await step()) > 0) steps += 1;
    return { told, steps };
  }

  async function feed(teamId: string, tier: 'team' | 'external') {
    const range = { afterMs: 0, untilMs: Number.MAX_SAFE_INTEGER, limit: 10, maxBytes: 1e6 };
    const rows = await stores.items.page(teamId, tier, { ...range, includeDeleted: true });
    return rows.map(({ rowKey, deleted }) => (deleted ? `removed ${rowKey}` : rowKey));
  }

  test('get an ending: the feed has the new name, and then the removal of the old one, for who saw it', async () => {
    await storeNamed(decision, eve);
    await storeNamed('projects/alpha', ada);
    await storeNamed('tasks/01937A7E-8A4C-7A33-B1A6-55D3A1F0C2AA', ada, 'other');
    await pushItems({ writer }, 'team', ada, [
      itemDraft({ rowKey: 'projects/alpha.md', checksum: checksumOf('b') }),
    ]);
    const { told, steps } = await rename();
    expect(told.toSorted()).toEqual([
      'other: tasks/01937A7E-8A4C-7A33-B1A6-55D3A1F0C2AA -> tasks/01937A7E-8A4C-7A33-B1A6-55D3A1F0C2AA.md',
      `team: ${decision} -> ${decision}.md`,
      'team: projects/alpha -> projects/alpha-2.md',
    ]);
    expect(steps).toBe(2);
    expect(await feed('team', 'external')).toEqual([`${decision}.md`, `removed ${decision}`]);
    expect(await feed('team', 'team')).toEqual([
      'projects/alpha.md',
      `${decision}.md`,
      `removed ${decision}`,
      'projects/alpha-2.md',
      'removed projects/alpha',
    ]);
    const row = await stores.items.read('team', `${decision}.md`);
    expect(row).toMatchObject({ tier: 'external', writerId: 'id-of-eve', charge: { owner: 'external/eve' } });
    expect(JSON.parse(Buffer.from(row?.json ?? []).toString())).toMatchObject({
      row_key: `${decision}.md`,
      content: '# É\n',
      frontmatter: { updated_at: 'x', updated_by: 'y' },
      updated_by: 'eve',
      updated_at: new Date(row?.externalAtMs ?? 0).toISOString(),
    });
  });

  test('are renamed once, where a process was killed between the two writes and where the quota is full', async () => {
    for (const name of ['a', 'b']) await storeNamed(`projects/${name}`, ada);
    await pushItems({ writer }, 'team', ada, [itemDraft({ rowKey: 'c.md' }), itemDraft({ rowKey: 'd.md' })]);
    const killed: FeedWriter = {
      async write(teamId, write) {
        if (write.rowKey === 'projects/a') throw new Error('killed');
        return writer.write(teamId, write);
      },
    };
    const step = renamingStep({ items: stores.items, writer: killed, onRenamed: () => undefined });
    await expect(step()).rejects.toThrow('killed');
    await rename();
    expect(await rename()).toEqual({ told: [], steps: 0 });
    expect(await stores.items.keysStartingWith('team', 'projects/', '', 10)).toEqual([
      'projects/a.md',
      'projects/b.md',
    ]);
  });
});
