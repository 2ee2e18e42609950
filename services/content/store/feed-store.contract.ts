import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { describe, expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import type { FeedRow, FeedRowState } from '../domain/feed/feed-row.ts';
import { feedStoreOf, history, otherTeam, team } from './feed-store.fixture.ts';

const erased = { deleted: true, checksum: '', erasedFrom: 1, removedBy: 'ada', json: new Uint8Array() };

/** Declares the promises of `FeedStore` about positions, rows and versions for one engine. */
export function feedStoreContract(engine: Engine): void {
  const { feed, put } = feedStoreOf(engine);

  describe('positions', () => {
    test('a team without rows has no head, whatever other teams wrote', async () => {
      await put('a.md', {}, otherTeam);
      expect(await feed.head(team)).toEqual({ seq: 0, updatedAtMs: 0 });
      expect(await feed.readFrom(team, 0, { limit: 10 })).toEqual([]);
    });

    test('the head is the newest row', async () => {
      await put('a.md');
      await put('b.md', { updatedAtMs: 1_795_000_000_123 });
      expect(await feed.head(team)).toEqual({ seq: 2, updatedAtMs: 1_795_000_000_123 });
    });

    test('a taken position stops an append, and nothing of it is stored', async () => {
      await put('a.md');
      const late = [1, 2].map((seq) => ({ row: storedRow(`late-${seq}.md`, seq), previous: undefined }));
      expect(await feed.append(team, late, history)).toBe(0);
      expect((await feed.readFrom(team, 0, { limit: 10 })).map(({ rowKey }) => rowKey)).toEqual(['a.md']);
    });

    test('a position stays taken after its row has moved on', async () => {
      await put('a.md');
      await put('a.md');
      await put('a.md');
      for (const seq of [1, 2]) {
        const stalled = { row: storedRow('stalled.md', seq), previous: undefined };
        expect(await feed.append(team, [stalled], history)).toBe(0);
      }
      expect((await feed.readFrom(team, 0, { limit: 10 })).map(({ seq }) => seq)).toEqual([3]);
    });

    test('an append stops at the first change that was overtaken, and writes nothing after it', async () => {
      const old = await put('a.md');
      await put('a.md');
      const changes = [
        { row: storedRow('b.md', 3), previous: undefined },
        { row: storedRow('a.md', 4, { revision: 2 }), previous: old },
        { row: storedRow('c.md', 5), previous: undefined },
      ];
      expect(await feed.append(team, changes, history)).toBe(1);
      expect((await feed.readFrom(team, 0, { limit: 10 })).map(({ rowKey, seq }) => [rowKey, seq])).toEqual([
        ['a.md', 2],
        ['b.md', 3],
      ]);
    });

    test('a row that appeared meanwhile is not overwritten by one who saw none', async () => {
      await put('a.md', { checksum: 'stored' });
      const blind = { row: storedRow('a.md', 2), previous: undefined };
      expect(await feed.append(team, [blind], history)).toBe(0);
      expect((await feed.find(team, ['a.md'])).get('a.md')?.checksum).toBe('stored');
    });

    test('a row that was removed meanwhile is not written by one who saw it', async () => {
      const seen = await put('a.md');
      await put('a.md', { deleted: true, json: new Uint8Array() });
      const late = { row: storedRow('a.md', 3, { revision: 2 }), previous: seen };
      expect(await feed.append(team, [late], history)).toBe(0);
      expect((await feed.find(team, ['a.md'])).get('a.md')?.deleted).toBe(true);
    });

    test('of writers that race for a position one wins, and no race is an error', async () => {
      for (let round = 0; round < 10; round += 1) {
        const previous = (await feed.find(team, ['a.md'])).get('a.md');
        const { seq } = await feed.head(team);
        const item = storedRow('a.md', seq + 1, { revision: round + 1 });
        const other = storedRow(`other-${round}.md`, seq + 1);
        const written = await Promise.all([
          feed.append(team, [{ row: item, previous }], history),
          feed.append(team, [{ row: item, previous }], history),
          feed.append(team, [{ row: other, previous: undefined }], history),
        ]);
        expect(written.toSorted()).toEqual([0, 0, 1]);
      }
    });
  });

  describe('rows', () => {
    test('come back exactly as written, byte for byte', async () => {
      const json = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const item = storedRow('a.md', 1, { tier: 'external', externalAtMs: 7, json });
      expect(await feed.append(team, [{ row: item, previous: undefined }], history)).toBe(1);
      const [read] = await feed.readFrom(team, 0, { limit: 10 });
      expect({ ...read, json: [...(read?.json ?? [])] }).toEqual({ ...item, json: [...json] });
      const [row] = await feed.page(team, 'team', {
        afterMs: 0,
        untilMs: 1e9,
        limit: 1,
        maxBytes: 1e9,
        includeDeleted: false,
      });
      expect([...(row?.json ?? [])]).toEqual([...json]);
    });

    test('are found with their state, removed ones included, and missing ones left out', async () => {
      const live = await put('a.md');
      const removed = await put('b.md', { deleted: true, json: new Uint8Array() });
      const found = await feed.find(team, ['a.md', 'b.md', 'none.md']);
      expect([...found.values()].sort((a, b) => a.seq - b.seq)).toEqual([live, removed].map(stateOf));
    });

    test('and their versions come back with what they were written with', async () => {
      const origin = (key_id: string) => ({ origin: { key_id, client: 'sync' } });
      await put('a.md', origin('one'));
      await put('a.md');
      await put('a.md', { ...origin('three'), deleted: true, removedBy: 'ada', json: new Uint8Array() });
      expect((await feed.find(team, ['a.md'])).get('a.md')).toMatchObject(origin('three'));
      await put('a.md', origin('four'));
      expect(await feed.read(team, 'a.md')).toMatchObject(origin('four'));
      const versions = await feed.versions(team, 'a.md', { beforeRevision: 9, limit: 9 });
      expect(versions.map((version) => version.origin?.key_id)).toEqual(['three', undefined, 'one']);
    });

    test('are read one by one with all they have, removed ones included', async () => {
      const live = await put('a.md', { tier: 'external', externalAtMs: 7, writerId: 'id-of-ada' });
      const removed = await put('b.md', { deleted: true, removedBy: 'ada', json: new Uint8Array() });
      const read = await Promise.all(['a.md', 'b.md', 'none.md'].map((rowKey) => feed.read(team, rowKey)));
      const text = (row: FeedRow | undefined) => row && { ...row, json: Buffer.from(row.json).toString() };
      expect(read.map(text)).toEqual([text(live), text(removed), undefined]);
      expect(await feed.read(otherTeam, 'a.md')).toBeUndefined();
    });

    test('are as absent for external keys where those may not see them, or could never know of them', async () => {
      await put('shown.md', { tier: 'external', externalAtMs: 7 });
      await put('hidden.md', { externalAtMs: 8 });
      await put('gone.md', { tier: 'external', externalAtMs: 9, deleted: true, json: new Uint8Array() });
      await put('internal.md');
      const names = ['shown.md', 'hidden.md', 'gone.md', 'internal.md'];
      const read = await Promise.all(names.map((rowKey) => feed.read(team, rowKey, 'external')));
      expect(read.map((row) => row?.rowKey)).toEqual(['shown.md', undefined, undefined, undefined]);
      const found = await feed.find(team, names, 'external');
      expect([...found.keys()].toSorted()).toEqual(['gone.md', 'hidden.md', 'shown.md']);
      expect((await feed.find(team, names, 'team')).size).toBe(4);
    });

    test('are listed by the beginning of their keys until they are erased, removed ones too', async () => {
      await put('a/1');
      await put('a/2', { deleted: true, json: Buffer.from('kept') });
      await put('a/3');
      await put('a/3', erased);
      await put('b');
      const found = await feed.unerasedStartingWith(team, 'a/', 10);
      expect(found.map(({ rowKey }) => rowKey)).toEqual(['a/1', 'a/2']);
      expect(await feed.unerasedStartingWith(team, 'a/', 1)).toHaveLength(1);
    });

    test('of a thousand keys are found at once', async () => {
      await put('key-999');
      const keys = Array.from({ length: 1_000 }, (_, index) => `key-${index}`);
      expect([...(await feed.find(team, keys)).keys()]).toEqual(['key-999']);
    });

    test('of the same key in two teams are two rows', async () => {
      await put('a.md', { checksum: 'of one' });
      await put('a.md', { checksum: 'of the other' }, otherTeam);
      expect((await feed.find(team, ['a.md'])).get('a.md')?.checksum).toBe('of one');
      expect((await feed.find(otherTeam, ['a.md'])).get('a.md')?.checksum).toBe('of the other');
    });

    test.each([
      '$where',
      '$set/a.b.$[]',
      '{"$gt":""}',
      '__proto__',
      'constructor',
      "'; DROP TABLE items; --",
      '%',
      'é/日本語/😀',
      'x'.repeat(1_024),
    ])('with a hostile key are data: %.30s', async (rowKey) => {
      await put('bystander.md');
      await put(rowKey);
      await put(rowKey);
      expect([...(await feed.find(team, [rowKey])).keys()]).toEqual([rowKey]);
      expect(await feed.versions(team, rowKey, { beforeRevision: 9, limit: 9 })).toHaveLength(1);
      expect((await feed.readFrom(team, 0, { limit: 10 })).map((item) => item.rowKey)).toEqual([
        'bystander.md',
        rowKey,
      ]);
    });
  });

  describe('versions', () => {
    const revisionsOf = async (rowKey: string, beforeRevision = 1_000, limit = 1_000) =>
      (await feed.versions(team, rowKey, { beforeRevision, limit })).map(({ revision }) => revision);

    async function putRevisions(count: number, kept: number): Promise<void> {
      let previous: FeedRowState | undefined;
      for (let revision = 1; revision <= count; revision += 1) {
        const item = storedRow('a.md', revision, { revision });
        await feed.append(team, [{ row: item, previous }], kept);
        previous = item;
      }
    }

    test('replaced are kept newest first, with their bytes', async () => {
      const first = await put('a.md');
      const second = await put('a.md');
      await put('a.md');
      const versions = await feed.versions(team, 'a.md', { beforeRevision: 3, limit: 10 });
      expect(versions.map(({ revision, json }) => [revision, Buffer.from(json)])).toEqual([
        [2, second.json],
        [1, first.json],
      ]);
    });

    test('are read from a revision on, a page at a time', async () => {
      await putRevisions(6, history);
      expect(await revisionsOf('a.md', 5, 2)).toEqual([4, 3]);
    });

    test.each([
      [0, []],
      [2, [6, 5]],
    ])('beyond a history of %i are dropped', async (kept, left) => {
      await putRevisions(7, kept);
      expect(await revisionsOf('a.md')).toEqual(left);
    });

    test('end with the one that makes their page large', async () => {
      for (let revision = 1; revision <= 4; revision += 1) await put('a.md', { json: new Uint8Array(1_000) });
      const range = { beforeRevision: 9, limit: 9 };
      expect(await feed.versions(team, 'a.md', { ...range, maxBytes: 1_000 })).toHaveLength(2);
      expect(await feed.versions(team, 'a.md', { ...range, maxBytes: 3_000 })).toHaveLength(3);
    });

    test('of a row that one append writes twice are kept', async () => {
      const first = storedRow('a.md', 1);
      const second = storedRow('a.md', 2, { revision: 2 });
      const changes = [
        { row: first, previous: undefined },
        { row: second, previous: first },
      ];
      expect(await feed.append(team, changes, history)).toBe(2);
      expect(await revisionsOf('a.md')).toEqual([1]);
    });

    test('of a removed item are kept, and a removal is none', async () => {
      await put('a.md');
      await put('a.md', { deleted: true, json: new Uint8Array() });
      await put('a.md', { revision: 2 });
      expect(await revisionsOf('a.md')).toEqual([1]);
    });

    test('include the removals that say who removed, each once, in the history like any other', async () => {
      const removal = { deleted: true, json: new Uint8Array(), removedBy: 'ada' };
      for (const changed of [{}, removal, {}, removal, {}]) await put('a.md', changed);
      const versions = await feed.versions(team, 'a.md', { beforeRevision: 5, limit: 10 });
      const said = versions.map(({ revision, json }) => [revision, JSON.parse(Buffer.from(json).toString())]);
      expect(said.filter(([, json]) => json.deleted)).toEqual([
        [4, expect.objectContaining({ row_key: 'a.md', updated_by: 'ada', tier: 'team', deleted: true })],
        [2, expect.objectContaining({ updated_at: '1970-01-01T00:00:00.002Z' })],
      ]);
      expect(await revisionsOf('a.md')).toEqual([4, 3, 2, 1]);
    });

    test('of an erased row go from a revision on, with what a writer who was overtaken keeps of it', async () => {
      for (const text of ['one', 'two', 'three']) await put('a.md', { json: Buffer.from(text) });
      const seen = (await feed.find(team, ['a.md'])).get('a.md');
      await put('a.md', { ...erased, erasedFrom: 2 });
      expect(await revisionsOf('a.md')).toEqual([1]);
      const late = { row: storedRow('a.md', 4, { revision: 4 }), previous: seen };
      expect(await feed.append(team, [late], history)).toBe(0);
      expect(await revisionsOf('a.md', 4)).toEqual([1]);
      await put('a.md', { revision: 5 });
      expect(await revisionsOf('a.md')).toEqual([4, 1]);
      expect((await feed.read(team, 'a.md'))?.erasedFrom).toBeUndefined();
    });

    test('are dropped one by one, any number of times, and others stay', async () => {
      for (const rowKey of ['a.md', 'a.md', 'a.md', 'b.md', 'b.md']) await put(rowKey);
      for (const _time of ['first', 'second'])
        await feed.dropVersions(team, [{ rowKey: 'a.md', revision: 1 }]);
      expect(await revisionsOf('a.md')).toEqual([2]);
      expect(await revisionsOf('b.md')).toEqual([1]);
    });

    test('of an erased row can be scrubbed any number of times, and those of others stay', async () => {
      await put('a.md');
      await put('a.md');
      await put('b.md');
      await put('b.md');
      const row = await put('a.md', erased);
      for (const _time of ['first', 'second']) await feed.scrub(team, [row]);
      expect(await revisionsOf('a.md')).toEqual([]);
      expect(await revisionsOf('b.md')).toEqual([1]);
    });

    test('of another team or another row are not shown', async () => {
      await put('a.md', {}, otherTeam);
      await put('a.md', {}, otherTeam);
      await put('a.md.md');
      await put('a.md.md');
      expect(await revisionsOf('a.md')).toEqual([]);
    });
  });
}

function stateOf({ json: _, ...state }: FeedRow): FeedRowState {
  return state;
}
