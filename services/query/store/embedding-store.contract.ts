import { expect, test } from 'vitest';
import type { EmbeddingStore, StoredEmbedding } from '../domain/embedding/embedding-store.ts';

/** A row whose vector tells which it is. */
export function embeddingOf(
  rowKey: string,
  digest: string,
  changed: Partial<StoredEmbedding> = {},
): StoredEmbedding {
  return { rowKey, digest, model: 'model', vector: Float32Array.of(0.6, -0.8, rowKey.length), ...changed };
}

/** Rows in one order, for engines give them in any. */
export function inOrder(rows: readonly StoredEmbedding[]): StoredEmbedding[] {
  return rows.toSorted((left, right) => (left.rowKey + left.digest < right.rowKey + right.digest ? -1 : 1));
}

/** Declares what every engine's store of embeddings guarantees. */
export function embeddingStoreContract(store: () => EmbeddingStore): void {
  const read = async (teamId: string, ...rowKeys: string[]) =>
    inOrder(await store().ofItems(teamId, rowKeys));

  test('vectors come back to the bit, of the items asked for and no others', async () => {
    const exact = Float32Array.of(Math.PI, -0, 1e-45, 3.4e38);
    const rows = [
      embeddingOf('a.md', '1', { vector: exact }),
      embeddingOf('a.md', '2'),
      embeddingOf('b.md', '1'),
    ];
    await store().save('team', [...rows, embeddingOf('c.md', '1')]);
    expect(await read('team', 'b.md', 'a.md', 'none.md')).toEqual(rows);
    expect(await read('team')).toEqual([]);
  });

  test('what is saved again takes the place of what was there, model and dimension included', async () => {
    await store().save('team', [embeddingOf('a.md', '1'), embeddingOf('a.md', '2')]);
    const again = embeddingOf('a.md', '1', { model: 'newer', vector: new Float32Array(1_536).fill(0.5) });
    await store().save('team', [again]);
    await store().save('team', [again]);
    expect(await read('team', 'a.md')).toEqual([again, embeddingOf('a.md', '2')]);
  });

  test('many who save the same at once leave one row', async () => {
    const rows = ['1', '2', '3'].map((digest) => embeddingOf('a.md', digest));
    await Promise.all(Array.from({ length: 16 }, () => store().save('team', rows)));
    expect(await read('team', 'a.md')).toEqual(rows);
  });

  test('what is erased goes with every vector of its item in its team, any number of times', async () => {
    const rows = [embeddingOf('a.md', '1'), embeddingOf('a.md', '2'), embeddingOf('b.md', '1')];
    for (const teamId of ['team', 'other']) await store().save(teamId, rows);
    for (const _time of ['first', 'second']) await store().erase('team', ['a.md', 'none.md']);
    expect(await read('team', 'a.md', 'b.md')).toEqual(rows.slice(2));
    expect(await read('other', 'a.md', 'b.md')).toEqual(rows);
  });

  test('what is removed is gone, and nothing else; what is not there can be removed', async () => {
    const rows = [embeddingOf('a.md', '1'), embeddingOf('a.md', '2'), embeddingOf('b.md', '1')];
    await store().save('team', rows);
    await store().remove('team', [
      { rowKey: 'a.md', digest: '1' },
      { rowKey: 'b.md', digest: '2' },
    ]);
    expect(await read('team', 'a.md', 'b.md')).toEqual(rows.slice(1));
  });

  test('teams have nothing in common', async () => {
    await store().save('team', [embeddingOf('a.md', '1')]);
    await store().save('other', [embeddingOf('a.md', '1', { model: 'other' })]);
    await store().remove('other', [embeddingOf('a.md', '1')]);
    expect(await read('team', 'a.md')).toEqual([embeddingOf('a.md', '1')]);
    expect(await read('other', 'a.md')).toEqual([]);
    expect(await read('team%', 'a.md')).toEqual([]);
  });

  test('hostile names are data', async () => {
    const hostile = ['$where', 'a.b', '__proto__', "'; DROP TABLE embeddings; --", '{"$ne":null}', '%', '🙂'];
    const rows = inOrder(hostile.map((text) => embeddingOf(text, '1', { model: text })));
    await store().save('$gt', rows);
    expect(await read('$gt', ...hostile)).toEqual(rows);
  });

  test('nothing to save and nothing to remove is no fault', async () => {
    await store().save('team', []);
    await store().remove('team', []);
    expect(await read('team', 'a.md')).toEqual([]);
  });
}
