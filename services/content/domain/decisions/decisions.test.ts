import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import type { DecisionFields } from './decision.ts';
import { createDecision, editDecision } from './decisions.ts';

const fields: DecisionFields = {
  title: 'Use SQLite',
  body: 'a',
  status: 'proposed',
  audience: 'team',
  project: null,
  decidedOn: null,
  hidden: false,
};
const none = '01890000-0000-7000-8000-000000000009';

describeEachEngine('decisions', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.decisions, clock: () => 1_000, history: 2 });
  });
  afterEach(() => stores.close());

  const create = (changed: Partial<DecisionFields> = {}) =>
    createDecision({ writer }, 'team', { handle: 'admin' }, { ...fields, ...changed });
  const edit = (decisionId: string, changed: Partial<DecisionFields>, baseUpdatedAtMs?: number) =>
    editDecision(
      { ...stores, writer },
      'team',
      { handle: 'admin' },
      { decisionId, baseUpdatedAtMs, changed },
    );
  const stateOf = async (id: string) => (await stores.decisions.find('team', [id])).get(id);

  test('are answered as they are stored', async () => {
    const decision = await create({ audience: 'external', project: 'web', decidedOn: '2026-01-31' });
    expect(decision).toMatchObject({ updatedAtMs: 1_000, updatedBy: 'admin', project: 'web', hidden: false });
    const edited = await edit(decision.decisionId, { status: 'accepted', project: null });
    expect(edited).toEqual({ ...decision, status: 'accepted', project: null, updatedAtMs: 1_001 });
  });

  test('keep their earlier versions, as many as items do', async () => {
    const { decisionId } = await create();
    for (const title of ['b', 'c', 'd']) await edit(decisionId, { title });
    const versions = await stores.decisions.versions('team', decisionId, { beforeRevision: 99, limit: 99 });
    const titles = versions.map(({ json }) => JSON.parse(Buffer.from(json).toString()).title);
    expect(titles).toEqual(['c', 'b']);
  });

  test('that an edit does not change keep their version, with an old base, too', async () => {
    const { decisionId, updatedAtMs } = await create();
    const edited = await edit(decisionId, { title: 'b' }, updatedAtMs);
    expect(await edit(decisionId, { title: 'b' }, updatedAtMs)).toEqual(edited);
    expect(await stateOf(decisionId)).toMatchObject({ seq: 2 });
  });

  test('of another version are in conflict, and unknown ones not found', async () => {
    const { decisionId } = await create();
    await expect(edit(decisionId, { title: 'b' }, 999)).rejects.toMatchObject({ code: 'conflict' });
    await expect(edit(none, { title: 'b' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(edit('', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  test('lose no edit, however many change different fields at once', async () => {
    const { decisionId } = await create();
    const edits: Partial<DecisionFields>[] = [
      { title: 'b' },
      { body: 'b' },
      { status: 'accepted' },
      { audience: 'external' },
      { project: 'web' },
      { decidedOn: '2026-01-31' },
    ];
    await Promise.all(edits.map((changed) => edit(decisionId, changed)));
    const final = await edit(decisionId, {});
    expect(final).toMatchObject(Object.assign({}, ...edits));
  });

  test('let only one of those pass who edit the same version', async () => {
    const { decisionId, updatedAtMs } = await create();
    const edits = ['b', 'c', 'd'].map((title) => edit(decisionId, { title }, updatedAtMs));
    const outcomes = await Promise.allSettled(edits);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject(Array(2).fill({ reason: { code: 'conflict' } }));
  });

  describe('that are hidden', () => {
    test('keep their text, and come back with it', async () => {
      const { decisionId } = await create({ audience: 'external' });
      const hidden = await edit(decisionId, { hidden: true });
      expect(hidden).toMatchObject({ hidden: true, body: 'a' });
      expect(await edit(decisionId, { hidden: false })).toMatchObject({ hidden: false, body: 'a' });
    });

    test('stay as they are until they are shown, so that they come as removed rows once', async () => {
      const { decisionId } = await create({ audience: 'external' });
      const hidden = await edit(decisionId, { title: 'b', hidden: true });
      const state = await stateOf(decisionId);
      const refusal = { code: 'invalid_request', message: 'The decision is hidden; show it first.' };
      for (const changed of [{ title: 'c' }, { audience: 'team', hidden: true }] as const) {
        await expect(edit(decisionId, changed)).rejects.toMatchObject(refusal);
      }
      for (const changed of [{}, { hidden: true }, { title: 'b' }]) {
        expect(await edit(decisionId, changed)).toEqual(hidden);
      }
      expect(await stateOf(decisionId)).toEqual(state);
    });

    test('are shown and changed in one edit', async () => {
      const { decisionId } = await create({ hidden: true });
      const shown = await edit(decisionId, { title: 'b', hidden: false });
      expect(shown).toMatchObject({ title: 'b', hidden: false });
      expect(await edit(decisionId, { title: 'b', hidden: false })).toEqual(shown);
    });

    test('from the beginning were never there for external keys', async () => {
      const { decisionId } = await create({ audience: 'external', hidden: true });
      expect(await stateOf(decisionId)).toMatchObject({ deleted: true, externalAtMs: null });
      await edit(decisionId, { hidden: false });
      expect(await stateOf(decisionId)).toMatchObject({ deleted: false, externalAtMs: 1_000 });
    });
  });
});
