import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewItem, PushResult } from './item.ts';
import { checksumOf, saveItem } from './save-item.ts';

/** A service that stores by the rules of the contract: no-op, base, last writer. */
function fakeStore() {
  const stored = new Map<string, NewItem>();
  const pushItems = async ([item]: readonly NewItem[]): Promise<PushResult> => {
    if (item === undefined) throw new Error('no item');
    const before = stored.get(item.row_key)?.checksum ?? null;
    if (before !== item.checksum && item.base_checksum !== undefined && item.base_checksum !== before) {
      const error = { index: 0, code: 'conflict', detail: 'Changed.', current_checksum: before };
      return { accepted: 0, rejected: 1, errors: [error] };
    }
    stored.set(item.row_key, item);
    return { accepted: 1, rejected: 0, errors: [] };
  };
  return { stored, client: { pushItems } };
}

describe('saveItem', () => {
  it('creates, changes what was read, and changes nothing when it is repeated', async () => {
    const { stored, client } = fakeStore();
    const created = await saveItem(client, { row_key: 'a.md', content: 'one' }, null);
    expect(await saveItem(client, { row_key: 'a.md', content: 'one' }, null)).toEqual(created);
    const read = { checksum: created.checksum, tier: 'external' };
    await saveItem(client, { row_key: 'a.md', content: 'two' }, read);
    await saveItem(client, { row_key: 'a.md', content: 'two' }, read);
    expect(stored.get('a.md')).toMatchObject({ content: 'two', tier: 'external' });
  });

  it('overwrites nobody: an item that is there, or that changed, is a conflict with its checksum', async () => {
    const { stored, client } = fakeStore();
    const { checksum } = await saveItem(client, { row_key: 'a.md', content: 'theirs' }, null);
    for (const base of [null, await checksumOf('older')]) {
      await expect(saveItem(client, { row_key: 'a.md', content: 'mine' }, base)).rejects.toMatchObject({
        name: 'ProblemError',
        code: 'conflict',
        currentChecksum: checksum,
      });
    }
    expect(stored.get('a.md')?.content).toBe('theirs');
  });

  it('has the checksum of the file that the item would be, so a change of the front matter counts', async () => {
    const { client, stored } = fakeStore();
    const file = '---\nver: 1.10 # ours\n---\nText\n';
    const saved = await saveItem(
      client,
      {
        row_key: 'a.md',
        content: 'Text\n',
        frontmatter: { ver: '1.10' },
        frontmatter_text: 'ver: 1.10 # ours\n',
      },
      null,
    );
    expect(saved.checksum).toBe(`sha256:${createHash('sha256').update(file).digest('hex')}`);
    await saveItem(
      client,
      { row_key: 'a.md', content: 'Text\n', frontmatter: { ver: '1.11' } },
      saved.checksum,
    );
    expect(stored.get('a.md')?.frontmatter).toEqual({ ver: '1.11' });
  });
});

describe('checksumOf', () => {
  it('is the SHA-256 of the bytes, of a text in UTF-8', async () => {
    const digest = `sha256:${createHash('sha256').update('Grün 🚀').digest('hex')}`;
    expect(await checksumOf('Grün 🚀')).toBe(digest);
    expect(await checksumOf(new TextEncoder().encode('Grün 🚀'))).toBe(digest);
  });
});
