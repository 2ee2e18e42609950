import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SkippedText } from '../domain/tasks/skipped-texts.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

const text = (id: string, changed: Partial<SkippedText> = {}): SkippedText => ({
  kind: 'item',
  id,
  seq: 5,
  reason: 'too_complex',
  noticedAtMs: 1_000,
  ...changed,
});

describeEachEngine('skipped texts', (engine) => {
  let stores: ContentStores;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  const keep = (texts: SkippedText[], team = 'team') =>
    Promise.all(texts.map((one) => stores.skipped.keep(team, one)));
  const known = async (team = 'team') => stores.skipped.list(team, undefined, 100);

  test('are found by their ids, of their kind and team only', async () => {
    await keep([text('$where'), text('b'), text('c', { kind: 'decision' })]);
    await keep([text('c')], 'other');
    const found = await stores.skipped.find('team', 'item', ['$where', 'c', 'absent']);
    expect(found).toEqual(new Map([['$where', text('$where')]]));
    expect(await stores.skipped.find('team', 'item', [])).toEqual(new Map());
  });

  test('are replaced by a later version, never by the same or an earlier one', async () => {
    await keep([text('a')]);
    await keep([text('a', { seq: 6, reason: 'too_long' })]);
    await keep([text('a', { seq: 6, reason: 'too_many' })]);
    await keep([text('a', { seq: 4 })]);
    expect(await known()).toEqual([text('a', { seq: 6, reason: 'too_long' })]);
  });

  test('are forgotten once that version or a later one was read, and not before', async () => {
    await keep([text('a'), text('b'), text('c')]);
    await stores.skipped.forget('team', { kind: 'item', id: 'a', seq: 5 });
    await stores.skipped.forget('team', { kind: 'item', id: 'b', seq: 4 });
    await stores.skipped.forget('team', { kind: 'decision', id: 'c', seq: 9 });
    await stores.skipped.forget('other', { kind: 'item', id: 'c', seq: 9 });
    expect((await known()).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('are listed by kind and id, after one, and no more than asked', async () => {
    await keep([text('c'), text('a'), text('b', { kind: 'decision' }), text('b')]);
    await keep([text('z')], 'other');
    const ids = async (after: SkippedText | undefined, limit: number) =>
      (await stores.skipped.list('team', after, limit)).map(({ kind, id }) => `${kind} ${id}`);
    expect(await ids(undefined, 2)).toEqual(['decision b', 'item a']);
    expect(await ids(text('b', { kind: 'decision' }), 2)).toEqual(['item a', 'item b']);
    expect(await ids(text('b'), 9)).toEqual(['item c']);
  });
});
