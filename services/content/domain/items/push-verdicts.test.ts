import { describe, expect, test } from 'vitest';
import { storedRow } from '../feed/feed-row.fixture.ts';
import type { FeedRow, FeedRowState } from '../feed/feed-row.ts';
import type { Verdict } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import { checkItem, type ItemAuthor, type ItemDraft, isRefusal } from './item.ts';
import { judgeRemoval, type RemovalVerdict } from './items.ts';
import { itemRow, judgePush, type PushVerdict } from './push-items.ts';

const teamWriter: ItemAuthor = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' };
const externalWriter: ItemAuthor = { tier: 'external', handle: 'eve', memberId: 'id-of-eve' };
const now = { seq: 9, updatedAtMs: 900, externalAtMs: 850 };

const internal = storedRow('notes/a.md', 1);
const external = storedRow('notes/a.md', 1, { tier: 'external' });
const hidden = storedRow('notes/a.md', 1, { externalAtMs: 500 });
const gone = (item: FeedRowState): FeedRowState => ({ ...item, deleted: true, revision: item.revision + 1 });

function push(
  changed: Partial<ItemDraft>,
  current: FeedRowState | undefined,
  by = teamWriter,
): Verdict | PushVerdict {
  const item = checkItem(itemDraft(changed));
  if (isRefusal(item)) throw new Error(item.detail);
  const verdict = judgePush(item, by, current);
  if (verdict.kind !== 'write') return verdict;
  return { ...verdict, rowAt: (position) => itemRow(item, by, current, position) };
}

function written(verdict: Verdict | PushVerdict | RemovalVerdict | undefined): FeedRow {
  if (verdict?.kind !== 'write' || !('rowAt' in verdict)) throw new Error(`not written but ${verdict?.kind}`);
  return verdict.rowAt(now);
}

describe('a push', () => {
  test('of something new is written at its position, by its author', () => {
    const item = written(push({ tier: 'external' }, undefined));
    expect(item).toMatchObject({ ...now, tier: 'external', deleted: false, revision: 1, externalAtMs: 850 });
    expect(JSON.parse(Buffer.from(item.json).toString())).toMatchObject({
      updated_at: '1970-01-01T00:00:00.850Z',
      updated_by: 'ada',
    });
  });

  test('of the same checksum and tier changes nothing', () => {
    expect(push({}, internal)).toEqual({ kind: 'unchanged' });
    expect(push({ tier: 'external' }, external)).toEqual({ kind: 'unchanged' });
  });

  test('of another checksum is the next version', () => {
    expect(written(push({ checksum: checksumOf('b') }, internal))).toMatchObject({ revision: 2 });
  });

  test('of another tier alone takes effect', () => {
    expect(written(push({ tier: 'external' }, internal))).toMatchObject({ tier: 'external', revision: 2 });
    expect(written(push({ tier: 'team' }, external))).toMatchObject({ tier: 'team', revision: 2 });
  });

  test('over a removed item is written, even with the checksum it had', () => {
    expect(written(push({}, gone(internal)))).toMatchObject({ deleted: false, revision: 2 });
  });
});

describe('an edit', () => {
  const edit = { checksum: checksumOf('b'), baseChecksum: checksumOf('a') };

  test('of the stored version is written', () => {
    expect(push(edit, internal).kind).toBe('write');
  });

  test('of another version is a conflict that names the stored one', () => {
    const stored = storedRow('notes/a.md', 1, { checksum: checksumOf('c') });
    expect(push(edit, stored)).toMatchObject({
      refusal: { code: 'conflict', currentChecksum: checksumOf('c') },
    });
  });

  test.each([
    ['never there', undefined],
    ['removed', gone(internal)],
  ])('of an item that was %s is a conflict with nothing', (_, current) => {
    expect(push(edit, current)).toMatchObject({ refusal: { code: 'conflict', currentChecksum: null } });
  });

  test('that is repeated because its answer was lost succeeds', () => {
    expect(push(edit, written(push(edit, internal)))).toEqual({ kind: 'unchanged' });
  });

  test('of the tier alone is checked against the version as well', () => {
    const stale = { tier: 'external', baseChecksum: checksumOf('c') };
    expect(push(stale, internal)).toMatchObject({ refusal: { code: 'conflict' } });
  });
});

describe('a push that may only create', () => {
  const create = { checksum: checksumOf('b'), createOnly: true };

  test.each([
    ['never there', undefined],
    ['removed', gone(internal)],
  ])('is written where the item was %s', (_, current) => {
    expect(written(push(create, current))).toMatchObject({ checksum: checksumOf('b'), deleted: false });
  });

  test('over another version is a conflict that names the stored one', () => {
    for (const current of [internal, external]) {
      expect(push(create, current)).toMatchObject({
        refusal: { code: 'conflict', currentChecksum: checksumOf('a') },
      });
    }
  });

  test('that is repeated because its answer was lost succeeds', () => {
    expect(push(create, written(push(create, undefined)))).toEqual({ kind: 'unchanged' });
  });

  test('does not count a base beside it, not even that of the stored version', () => {
    expect(push({ ...create, baseChecksum: checksumOf('a') }, internal)).toMatchObject({
      refusal: { code: 'conflict' },
    });
  });

  test('by an external key over an internal item tells no more than any other push', () => {
    const verdict = push({ ...create, tier: 'external' }, internal, externalWriter);
    expect(verdict).toMatchObject({ refusal: { code: 'forbidden_tier' } });
    expect(verdict).not.toHaveProperty('refusal.currentChecksum');
  });
});

describe('an external writer', () => {
  test.each([
    ['an internal item', 'team', undefined],
    ['an internal item over an external one', 'team', external],
    ['an external item over an internal one', 'external', internal],
    ['the same internal item', 'team', internal],
    ['an external item over a hidden one', 'external', hidden],
  ])('may not push %s', (_, tier, current) => {
    const verdict = push({ tier }, current, externalWriter);
    // Nothing of the stored item but that it is not theirs.
    expect(verdict).toEqual({
      kind: 'refused',
      refusal: { code: 'forbidden_tier', detail: 'This key may write external items only.' },
    });
  });

  test.each([
    ['always internal', internal],
    ['hidden', hidden],
  ])('gets the same answer for an edit of an item that is %s as for one that never was', (_, current) => {
    // Its own checksum, which an invented base may be, tells no more.
    for (const base of ['a', 'f']) {
      const edit = { tier: 'external', checksum: checksumOf('b'), baseChecksum: checksumOf(base) };
      const verdict = push(edit, current, externalWriter);
      expect(verdict).toEqual(push(edit, undefined, externalWriter));
      expect(verdict).toMatchObject({ refusal: { code: 'conflict', currentChecksum: null } });
    }
  });

  test.each([
    ['nothing', undefined],
    ['an external item', { ...external, checksum: checksumOf('c') }],
    ['a removed external item', gone(external)],
    ['a removed internal item', gone(internal)],
  ])('may push an external item over %s', (_, current) => {
    expect(written(push({ tier: 'external' }, current, externalWriter))).toMatchObject({ tier: 'external' });
  });
});

describe('what external keys find in their feed', () => {
  test('moves when an item is hidden, and stays when it changes out of their sight', () => {
    const nowHidden = written(push({ tier: 'team' }, external));
    expect(nowHidden.externalAtMs).toBe(850);
    expect(written(push({ checksum: checksumOf('b') }, hidden)).externalAtMs).toBe(500);
    expect(written(judgeRemoval(teamWriter, hidden)).externalAtMs).toBe(500);
    expect(written(push({}, gone(hidden))).externalAtMs).toBe(500);
  });

  test('moves when an item is shown again', () => {
    expect(written(push({ tier: 'external' }, hidden)).externalAtMs).toBe(850);
  });

  test('never has what was always internal', () => {
    expect(written(push({}, undefined)).externalAtMs).toBeNull();
    expect(written(push({ checksum: checksumOf('b') }, internal)).externalAtMs).toBeNull();
    expect(written(judgeRemoval(teamWriter, internal)).externalAtMs).toBeNull();
  });

  test('moves when an external item is removed, and stays when it comes back internal', () => {
    const removed = written(judgeRemoval(teamWriter, external));
    expect(removed.externalAtMs).toBe(850);
    expect(written(push({ tier: 'team' }, { ...removed, externalAtMs: 500 })).externalAtMs).toBe(500);
  });
});

describe('a removal', () => {
  test.each<[string, ItemAuthor, FeedRowState | undefined, 'write' | 'unchanged' | undefined]>([
    ['team', teamWriter, undefined, undefined],
    ['team', teamWriter, internal, 'write'],
    ['team', teamWriter, external, 'write'],
    ['team', teamWriter, gone(internal), 'unchanged'],
    ['external', externalWriter, undefined, undefined],
    ['external', externalWriter, external, 'write'],
    ['external', externalWriter, gone(external), 'unchanged'],
    ['external', externalWriter, internal, undefined],
    ['external', externalWriter, gone(internal), undefined],
    ['external', externalWriter, hidden, 'unchanged'],
    ['external', externalWriter, gone(hidden), 'unchanged'],
  ])('by a key of tier %s depends on what it may know of (%#)', (_, writer, current, kind) => {
    expect(judgeRemoval(writer, current)?.kind).toBe(kind);
  });

  test.each<[string, ItemAuthor, FeedRowState, RemovalVerdict['kind'] | undefined]>([
    ['stored', teamWriter, { ...internal, checksum: checksumOf('b') }, 'write'],
    ['other', teamWriter, internal, 'conflict'],
    ['other', externalWriter, external, 'conflict'],
    ['removed', teamWriter, gone(internal), 'unchanged'],
    ['hidden', externalWriter, hidden, 'unchanged'],
    ['internal', externalWriter, internal, undefined],
  ])('of one version only depends on the one that is stored: %s (%#)', (_, writer, current, kind) => {
    const verdict = judgeRemoval(writer, current, checksumOf('b'));
    expect(verdict?.kind).toBe(kind);
    if (verdict?.kind === 'conflict') expect(verdict.currentChecksum).toBe(checksumOf('a'));
  });

  test('leaves the identity without the text, and counts as a version', () => {
    const removed = written(judgeRemoval(teamWriter, external));
    expect(removed).toMatchObject({ ...now, rowKey: 'notes/a.md', deleted: true, revision: 2 });
    expect(removed.json).toHaveLength(0);
  });
});
