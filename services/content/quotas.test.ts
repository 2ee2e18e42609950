import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DecisionFields } from './domain/decisions/decision.ts';
import {
  createDecision,
  editDecision,
  findDecision,
  listDecisionVersions,
  removeDecision,
} from './domain/decisions/decisions.ts';
import type { Usage } from './domain/feed/feed-store.ts';
import { createFeedWriter } from './domain/feed/feed-writer.ts';
import { type Share, wholeTeam } from './domain/feed/quota.ts';
import { itemDraft } from './domain/items/item.fixture.ts';
import { itemQuota, ownerOf } from './domain/items/item.ts';
import { deleteItem } from './domain/items/items.ts';
import { pushItems } from './domain/items/push-items.ts';
import { type ContentStores, openContentStores } from './store/open-stores.ts';

type ItemAuthor = Parameters<typeof pushItems>[2];
const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const bob = { tier: 'team', handle: 'bob', memberId: 'id-of-bob' } as const;
const eve = { tier: 'external', handle: 'eve', memberId: 'id-of-eve' } as const;
const plenty: Share = { texts: 1_000, bytes: 2 ** 30 };

describeEachEngine('quotas', (engine) => {
  let stores: ContentStores;
  let pushed = 0;
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  const writerWith = (team: Share, of: Partial<Record<'team' | 'external', Share>> = {}, history = 20) =>
    createFeedWriter({
      feed: stores.items,
      clock: () => 1_000,
      history,
      quota: itemQuota(team, { team: plenty, external: plenty, ...of }),
    });
  type Writer = ReturnType<typeof writerWith>;

  /** Pushes one text under each key, and returns the codes of refused items. */
  async function push(writer: Writer, by: ItemAuthor, keys: string[], text = 'x') {
    const drafts = keys.map((rowKey) => {
      pushed += 1;
      const checksum = `sha256:${pushed.toString(16).padStart(64, '0')}`;
      return itemDraft({ rowKey, content: text, checksum, tier: by.tier });
    });
    const { refusals } = await pushItems({ writer }, 'team', by, drafts);
    return refusals.map(({ index, refusal }) => [index, refusal.code]);
  }
  const usage = async (owner: string, list: 'items' | 'decisions' = 'items'): Promise<Usage> => {
    const found = await stores[list].usage('team', [owner, 'nobody']);
    expect(found.has('nobody')).toBe(false);
    return found.get(owner) ?? { rows: 0, texts: 0, bytes: 0 };
  };

  test('of items are met by the item that is one too many, and the rest of its batch is stored', async () => {
    const writer = writerWith({ ...plenty, texts: 2 });
    expect(await push(writer, ada, ['a', 'b', 'c', 'a'])).toEqual([[2, 'quota_exceeded']]);
    expect(await usage(wholeTeam)).toMatchObject({ rows: 2, texts: 2 });
    // What is there can be changed.
    expect(await push(writer, bob, ['b'], 'longer')).toEqual([]);
    expect(await push(writer, bob, ['c'])).toEqual([[0, 'quota_exceeded']]);
  });

  test('refuse every item of a batch that stood for the same row', async () => {
    const writer = writerWith({ ...plenty, texts: 1 });
    await push(writer, ada, ['a']);
    expect(await push(writer, ada, ['b', 'a', 'b'])).toEqual([
      [0, 'quota_exceeded'],
      [2, 'quota_exceeded'],
    ]);
  });

  test('have room again for what was removed', async () => {
    const writer = writerWith({ ...plenty, texts: 1 });
    await push(writer, ada, ['a']);
    await deleteItem({ writer }, 'team', ada, 'a');
    expect(await usage(wholeTeam)).toMatchObject({ rows: 1, texts: 0 });
    expect(await push(writer, ada, ['b'])).toEqual([]);
    expect(await push(writer, ada, ['a'])).toEqual([[0, 'quota_exceeded']]);
  });

  test('bound the marks that removed items leave, and an old name can be used again', async () => {
    const writer = writerWith({ ...plenty, texts: 1 });
    for (let n = 0; n < 10; n += 1) {
      expect(await push(writer, ada, [`${n}`])).toEqual([]);
      await deleteItem({ writer }, 'team', ada, `${n}`);
    }
    expect(await push(writer, ada, ['new'])).toEqual([[0, 'quota_exceeded']]);
    expect(await push(writer, ada, ['3'])).toEqual([]);
  });

  test('of bytes count what is stored and the kept versions', async () => {
    const writer = writerWith(plenty, {}, 2);
    const text = 'y'.repeat(10_000);
    await push(writer, ada, ['a'], text);
    const { bytes } = await usage(wholeTeam);
    expect(bytes).toBeGreaterThan(10_000);
    await push(writer, ada, ['a'], `${text}1`);
    await push(writer, ada, ['a'], `${text}2`);
    expect((await usage(wholeTeam)).bytes).toBeGreaterThan(2.9 * bytes);
    // A third version drops the first.
    for (let n = 3; n < 9; n += 1) await push(writer, ada, ['a'], `${text}${n}`);
    expect((await usage(wholeTeam)).bytes).toBeLessThan(3.1 * bytes);
    const tight = writerWith({ ...plenty, bytes: 35_000 }, {}, 2);
    expect(await push(tight, ada, ['b'], text)).toEqual([[0, 'quota_exceeded']]);
    expect(await push(tight, ada, ['b'], 'short')).toEqual([]);
  });

  test('of bytes have room again for what was removed, versions included, where there is little left', async () => {
    const writer = writerWith({ ...plenty, bytes: 50_000 });
    for (let n = 0; n < 4; n += 1) await push(writer, ada, ['a'], `${n}${'z'.repeat(10_000)}`);
    expect(await push(writer, ada, ['b'], 'z'.repeat(10_000))).toEqual([[0, 'quota_exceeded']]);
    await deleteItem({ writer }, 'team', ada, 'a');
    expect(await usage(wholeTeam)).toEqual({ rows: 1, texts: 0, bytes: 0 });
    expect(await stores.items.versions('team', 'a', { beforeRevision: 99, limit: 9 })).toEqual([]);
    expect(await push(writer, ada, ['b'], 'z'.repeat(10_000))).toEqual([]);
    // With plenty of room the last version of what is removed stays.
    await deleteItem({ writer }, 'team', ada, 'b');
    expect(await stores.items.versions('team', 'b', { beforeRevision: 99, limit: 9 })).toHaveLength(1);
  });

  test('never keep an item in sight that is to be hidden: its versions make room', async () => {
    const writer = writerWith({ ...plenty, bytes: 25_000 });
    const text = 'x'.repeat(10_000);
    const pushTier = async (tier: string, content: string, digit: string) => {
      const draft = itemDraft({ rowKey: 'a', content, tier, checksum: `sha256:${digit.repeat(64)}` });
      return (await pushItems({ writer }, 'team', ada, [draft])).refusals.map(({ refusal }) => refusal.code);
    };
    expect(await pushTier('external', text, '1')).toEqual([]);
    expect(await pushTier('external', `${text}.`, '2')).toEqual([]);
    expect(await pushTier('external', text, '3')).toEqual(['quota_exceeded']);
    expect(await pushTier('team', `${text}.`, '2')).toEqual([]);
    expect((await stores.items.find('team', ['a'])).get('a')).toMatchObject({ tier: 'team' });
    expect(await stores.items.versions('team', 'a', { beforeRevision: 99, limit: 9 })).toEqual([]);
  });

  test('of a guest have room again for what somebody else removed', async () => {
    const writer = writerWith(plenty, { external: { texts: 9, bytes: 25_000 } });
    for (const text of ['1', '2']) await push(writer, eve, ['a'], text.repeat(10_000));
    await deleteItem({ writer }, 'team', ada, 'a');
    expect(await usage(ownerOf(eve))).toEqual({ rows: 1, texts: 0, bytes: 0 });
    expect(await push(writer, eve, ['b'], 'x'.repeat(20_000))).toEqual([]);
  });

  describe('of members', () => {
    test('leave room for others: a guest meets the own share, not that of the team', async () => {
      const writer = writerWith(plenty, { external: { texts: 2, bytes: 5_000 } });
      expect(await push(writer, eve, ['1', '2', '3'])).toEqual([[2, 'quota_exceeded']]);
      expect(await push(writer, { ...eve, handle: 'mallory' }, ['3'], 'w'.repeat(6_000))).toEqual([
        [0, 'quota_exceeded'],
      ]);
      expect(await push(writer, ada, ['4', '5', '6'])).toEqual([]);
      expect(await usage(ownerOf(eve))).toMatchObject({ texts: 2 });
      expect(await usage(wholeTeam)).toMatchObject({ texts: 5 });
    });

    test('pass to whom an item was written last by, also where it is removed by another', async () => {
      const writer = writerWith(plenty, { external: { texts: 1, bytes: 2 ** 20 } });
      await push(writer, eve, ['1']);
      await push(writer, ada, ['1']);
      expect([await usage(ownerOf(eve)), (await usage(ownerOf(ada))).texts]).toEqual([
        { rows: 0, texts: 0, bytes: 0 },
        1,
      ]);
      expect(await push(writer, eve, ['2'])).toEqual([]);
      await deleteItem({ writer }, 'team', bob, '2');
      expect(await usage(ownerOf(eve))).toMatchObject({ rows: 1, texts: 0 });
      expect((await usage(ownerOf(bob))).rows).toBe(0);
    });
  });

  test('are kept by writers of several processes at once, but for a batch of each', async () => {
    const writers = Array.from({ length: 4 }, () => writerWith({ ...plenty, texts: 30 }));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        writers.map((writer, n) =>
          push(
            writer,
            ada,
            Array.from({ length: 5 }, (_, k) => `${round}-${n}-${k}`),
          ),
        ),
      );
    }
    const { texts } = await usage(wholeTeam);
    const live = (await stores.items.readFrom('team', 0, { limit: 1_000 })).length;
    expect(texts).toBe(live);
    expect(live).toBeGreaterThanOrEqual(30);
    expect(live).toBeLessThanOrEqual(30 + 3 * 5);
  });

  test('count a row of an earlier version from its first change on', async () => {
    const old = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
    await push(old, ada, ['a', 'b']);
    expect(await usage(wholeTeam)).toEqual({ rows: 0, texts: 0, bytes: 0 });
    const writer = writerWith({ ...plenty, texts: 1 });
    expect(await push(writer, ada, ['a'], 'newer')).toEqual([]);
    expect(await usage(wholeTeam)).toMatchObject({ rows: 1, texts: 1 });
    await deleteItem({ writer }, 'team', ada, 'b');
    expect(await usage(wholeTeam)).toMatchObject({ rows: 2, texts: 1 });
  });

  describe('of decisions', () => {
    const fields: DecisionFields = {
      title: 'Use it',
      body: '',
      status: 'accepted',
      audience: 'team',
      project: null,
      decidedOn: null,
      hidden: false,
    };
    const writer = (team: Share) =>
      createFeedWriter({ feed: stores.decisions, clock: () => 1_000, history: 20, quota: { team } });
    const refused = { code: 'quota_exceeded' };

    test('refuse one too many, and an edit that needs more room, until one is removed', async () => {
      const tight = writer({ texts: 2, bytes: 5_000 });
      const first = await createDecision({ writer: tight }, 'team', { handle: 'ada' }, fields);
      const second = await createDecision({ writer: tight }, 'team', { handle: 'bob' }, fields);
      await expect(
        createDecision({ writer: tight }, 'team', { handle: 'ada' }, fields),
      ).rejects.toMatchObject(refused);
      const edit = {
        decisionId: second.decisionId,
        baseUpdatedAtMs: undefined,
        changed: { body: 'x'.repeat(6_000) },
      };
      const dependencies = { decisions: stores.decisions, writer: tight };
      await expect(editDecision(dependencies, 'team', { handle: 'bob' }, edit)).rejects.toMatchObject(
        refused,
      );
      await removeDecision({ writer: tight }, 'team', { handle: 'bob' }, first.decisionId);
      await createDecision({ writer: tight }, 'team', { handle: 'ada' }, fields);
      expect(await usage(wholeTeam, 'decisions')).toMatchObject({ rows: 3, texts: 2 });
    });

    test('a removed decision is gone with its versions, once and for all', async () => {
      const open = writer(plenty);
      const { decisionId } = await createDecision(
        { writer: open },
        'team',
        { handle: 'ada' },
        {
          ...fields,
          audience: 'external',
        },
      );
      const dependencies = { decisions: stores.decisions, writer: open };
      const edit = { decisionId, baseUpdatedAtMs: undefined, changed: { body: 'more' } };
      await editDecision(dependencies, 'team', { handle: 'ada' }, edit);
      await removeDecision({ writer: open }, 'team', { handle: 'bob' }, decisionId);
      const gone = { code: 'not_found' };
      await expect(findDecision(stores.decisions, 'team', decisionId)).rejects.toMatchObject(gone);
      await expect(editDecision(dependencies, 'team', { handle: 'ada' }, edit)).rejects.toMatchObject(gone);
      const query = { decisionId, beforeRevision: 0, limit: 0 };
      await expect(listDecisionVersions(stores.decisions, 'team', query)).rejects.toMatchObject(gone);
      expect(await stores.decisions.versions('team', decisionId, { beforeRevision: 99, limit: 9 })).toEqual(
        [],
      );
      expect(await usage(wholeTeam, 'decisions')).toEqual({ rows: 1, texts: 0, bytes: 0 });
      const [row] = await stores.decisions.readFrom('team', 0, { limit: 9 });
      expect(row).toMatchObject({ deleted: true, json: { length: 0 } });
      const range = { afterMs: 0, untilMs: 1e15, limit: 9, maxBytes: 1e9, includeDeleted: true };
      expect(await stores.decisions.page('team', 'external', range)).toMatchObject([{ deleted: true }]);
      // Again changes nothing: readers are told once.
      await removeDecision({ writer: open }, 'team', { handle: 'bob' }, decisionId);
      expect((await stores.decisions.head('team')).seq).toBe(row?.seq);
      await expect(removeDecision({ writer: open }, 'team', { handle: 'bob' }, 'none')).rejects.toMatchObject(
        gone,
      );
    });

    test('hidden ones count like others, so that hiding makes no room', async () => {
      const tight = writer({ texts: 2, bytes: 3_000 });
      const hidden = { ...fields, hidden: true };
      await createDecision({ writer: tight }, 'team', { handle: 'ada' }, hidden);
      const large = createDecision(
        { writer: tight },
        'team',
        { handle: 'ada' },
        { ...hidden, body: 'x'.repeat(3_000) },
      );
      await expect(large).rejects.toMatchObject(refused);
      const { decisionId } = await createDecision({ writer: tight }, 'team', { handle: 'ada' }, fields);
      const dependencies = { decisions: stores.decisions, writer: tight };
      const hide = { decisionId, baseUpdatedAtMs: undefined, changed: { hidden: true } };
      await editDecision(dependencies, 'team', { handle: 'ada' }, hide);
      await expect(
        createDecision({ writer: tight }, 'team', { handle: 'ada' }, hidden),
      ).rejects.toMatchObject(refused);
      expect(
        await stores.decisions.versions('team', decisionId, { beforeRevision: 99, limit: 9 }),
      ).toHaveLength(1);
    });

    test('a hidden decision can be removed, and shown no more', async () => {
      const open = writer(plenty);
      const { decisionId } = await createDecision(
        { writer: open },
        'team',
        { handle: 'ada' },
        {
          ...fields,
          hidden: true,
        },
      );
      await removeDecision({ writer: open }, 'team', { handle: 'ada' }, decisionId);
      const show = { decisionId, baseUpdatedAtMs: undefined, changed: { hidden: false } };
      const dependencies = { decisions: stores.decisions, writer: open };
      await expect(editDecision(dependencies, 'team', { handle: 'ada' }, show)).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
});
