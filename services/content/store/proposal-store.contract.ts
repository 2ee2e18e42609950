import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checksumOf } from '../domain/items/item.fixture.ts';
import { waitingProposal } from '../domain/proposals/proposal.fixture.ts';
import {
  decided,
  type Proposal,
  type ProposalFilter,
  type ProposalStore,
  placeOf,
  type WaitingProposal,
} from '../domain/proposals/proposal.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

const roomy = { texts: 9, bytes: 1_000 };
const decision = { by: 'bo', atMs: 2_000, reason: '', isEdited: false };

/** Declares the promises of `ProposalStore` for one engine. */
export function proposalStoreContract(engine: Engine): void {
  let stores: ContentStores;
  let store: ProposalStore;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    store = stores.proposals;
  });
  afterEach(() => stores.close());

  const put = async (changed: Partial<WaitingProposal> = {}, team = 'team') => {
    const proposal = waitingProposal(changed);
    expect(await store.propose(team, proposal, [proposal], roomy)).toEqual(new Set());
    return proposal;
  };
  const short = ({ item: _, ...proposal }: WaitingProposal): Proposal => proposal;
  const idsOf = async (filter: ProposalFilter = {}, before?: string, limit = 99) =>
    (await store.list('team', filter, { before, limit })).map(({ proposalId }) => proposalId);

  test('are found as they were proposed, with everything that they can have, in their own team only', async () => {
    const plain = await put();
    const fresh = await put({ rowKey: '$b.md', baseChecksum: null, tier: 'external', byGuest: true });
    const based = await put({
      rowKey: 'c.md',
      baseChecksum: 'sha256:c',
      item: { ...plain.item, rowKey: 'c.md', frontmatterText: 'a: 1', createOnly: true },
    });
    for (const proposal of [plain, fresh, based])
      expect(await store.find('team', proposal.proposalId)).toEqual(proposal);
    expect(await store.find('other', plain.proposalId)).toBeUndefined();
    expect(await store.find('team', 'absent')).toBeUndefined();
    expect(await idsOf()).toHaveLength(3);
    expect(await store.list('other', {}, { limit: 9 })).toEqual([]);
  });

  test('replace what the same proposer has waiting of a row_key, and nothing else', async () => {
    const first = await put();
    const guest = await put({ byGuest: true });
    const other = await put({ memberId: 'bo-id' });
    const done = await put({ rowKey: 'done.md' });
    await store.decide('team', decided(done, 'accepted', decision), ['waiting']);
    const again = await put({ rowKey: 'done.md' });
    const second = await put({ proposedAtMs: 1_001 });
    expect(await store.find('team', first.proposalId)).toBeUndefined();
    const left = [second, guest, other, done, again].map(({ proposalId }) => proposalId);
    expect((await idsOf()).toSorted()).toEqual(left.toSorted());
    const waiting = await store.waiting('team', second, ['a.md', 'done.md', 'absent.md']);
    expect(waiting).toEqual(
      new Map([
        ['a.md', short(second)],
        ['done.md', short(again)],
      ]),
    );
  });

  test('are taken up to the texts and bytes of a share, each proposer by itself', async () => {
    const share = { texts: 2, bytes: 100 };
    const propose = async (changed: Partial<WaitingProposal>[]) => {
      const made = changed.map(waitingProposal);
      return [...(await store.propose('team', made[0] as WaitingProposal, made, share))];
    };
    expect(await propose([{}, { rowKey: 'b.md' }, { rowKey: 'c.md' }])).toEqual(['c.md']);
    expect(await propose([{ rowKey: 'c.md' }])).toEqual(['c.md']);
    expect(await propose([{ rowKey: 'c.md', byGuest: true }])).toEqual([]);
    expect(await propose([{ rowKey: 'b.md', bytes: 90 }])).toEqual([]);
    expect(await propose([{ rowKey: 'b.md', bytes: 91 }])).toEqual(['b.md']);
    expect(await propose([{ rowKey: 'a.md', bytes: 11 }])).toEqual(['a.md']);
    const [ofB] = [...(await store.waiting('team', waitingProposal(), ['b.md'])).values()];
    expect(ofB?.bytes).toBe(90);
    expect(await store.withdraw('team', ofB?.proposalId ?? '')).toBe(true);
    expect(await propose([{ rowKey: 'c.md' }])).toEqual([]);
  });

  test('are listed by when they changed, newest first, from a place on, and as a filter says', async () => {
    const a = await put({ proposedAtMs: 1_000 });
    const b = await put({ rowKey: 'b.md', proposedAtMs: 3_000 });
    const c = await put({ rowKey: 'c.md', proposedAtMs: 1_500, byGuest: true });
    const d = await put({ rowKey: 'd.md', proposedAtMs: 1_600, memberId: 'bo-id', byGuest: true });
    const ids = (...some: Proposal[]) => some.map(({ proposalId }) => proposalId);
    expect(await idsOf()).toEqual(ids(b, d, c, a));
    const declined = decided(a, 'declined', { ...decision, reason: 'Not now.' });
    expect(await store.decide('team', declined, ['waiting'])).toBe(true);
    expect(await idsOf()).toEqual(ids(b, a, d, c));
    expect(await idsOf({}, undefined, 2)).toEqual(ids(b, a));
    expect(await idsOf({}, placeOf(declined), 1)).toEqual(ids(d));
    expect(await idsOf({ state: 'waiting' }, placeOf(b))).toEqual(ids(d, c));
    expect(await idsOf({ state: 'declined' })).toEqual(ids(a));
    expect(await idsOf({ memberId: 'ada-id' })).toEqual(ids(b, a, c));
    expect(await idsOf({ memberId: 'ada-id', guestsOnly: true })).toEqual(ids(c));
    expect(await idsOf({ memberId: 'bo-id', state: 'declined' })).toEqual([]);
    expect(await store.list('team', {}, { limit: 9 })).toEqual([short(b), declined, short(d), short(c)]);
  });

  test('are decided once, unless more states may be replaced, and lose their text', async () => {
    const one = await put();
    const accepted = decided(one, 'accepted', { ...decision, isEdited: true });
    const declined = decided(one, 'declined', { ...decision, reason: 'No.' });
    expect(await store.decide('other', declined, ['waiting'])).toBe(false);
    const both = await Promise.all([
      store.decide('team', declined, ['waiting']),
      store.decide('team', declined, ['waiting']),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await store.find('team', one.proposalId)).toEqual(declined);
    expect(await store.decide('team', accepted, ['waiting', 'declined'])).toBe(true);
    expect(await store.find('team', one.proposalId)).toEqual(accepted);
    expect(await store.withdraw('team', one.proposalId)).toBe(false);
    expect(await store.decide('team', decided(waitingProposal(), 'accepted', decision), ['waiting'])).toBe(
      false,
    );
  });

  test('that were declined are found by their text, of their proposer only', async () => {
    const mine = await put();
    const declined = decided(mine, 'declined', { ...decision, reason: 'No.' });
    await store.decide('team', declined, ['waiting']);
    const accepted = await put({ rowKey: 'b.md' });
    await store.decide('team', decided(accepted, 'accepted', decision), ['waiting']);
    await put({ rowKey: 'c.md' });
    const texts = [mine, accepted, waitingProposal({ rowKey: 'c.md' })];
    expect(await store.declined('team', mine, texts)).toEqual([declined]);
    expect(await store.declined('team', mine, [])).toEqual([]);
    for (const other of [{ checksum: checksumOf('b') }, { tier: 'external' as const }, { rowKey: 'd.md' }])
      expect(await store.declined('team', mine, [{ ...mine, ...other }])).toEqual([]);
    expect(await store.declined('other', mine, texts)).toEqual([]);
    for (const other of [{ byGuest: true }, { memberId: 'bo-id' }])
      expect(await store.declined('team', { ...mine, ...other }, texts)).toEqual([]);
  });

  test('are withdrawn once while they wait, in their own team only', async () => {
    const one = await put();
    expect(await store.withdraw('other', one.proposalId)).toBe(false);
    expect(await store.withdraw('team', one.proposalId)).toBe(true);
    expect(await store.withdraw('team', one.proposalId)).toBe(false);
    expect(await idsOf()).toEqual([]);
  });

  test('of a member are erased whatever became of them, and reasons that the member gave', async () => {
    const mine = await put();
    await put({ byGuest: true });
    const his = await put({ memberId: 'bo-id', proposedBy: 'bo' });
    await put({}, 'other');
    await store.decide('team', decided(mine, 'accepted', decision), ['waiting']);
    const declined = decided(his, 'declined', { ...decision, by: 'ada', reason: 'No.' });
    await store.decide('team', declined, ['waiting']);
    expect(await store.countOf('team', 'ada')).toEqual({ proposals: 2, reasons: 1 });
    await store.eraseOf('team', 'ada');
    expect(await store.countOf('team', 'ada')).toEqual({ proposals: 0, reasons: 0 });
    const left = { ...declined, decision: { ...declined.decision, reason: '' } };
    expect(await store.list('team', {}, { limit: 9 })).toEqual([left]);
    expect(await store.countOf('other', 'ada')).toEqual({ proposals: 1, reasons: 0 });
  });

  test('that were decided long ago are removed, of all teams, some at a time; those that wait stay', async () => {
    const waits = await put({ proposedAtMs: 1 });
    for (const [index, team] of ['team', 'team', 'other'].entries()) {
      const one = await put({ rowKey: `${index}.md` }, team);
      const old = decided(one, 'declined', { ...decision, atMs: 10 + index });
      expect(await store.decide(team, old, ['waiting'])).toBe(true);
    }
    expect(await store.removeDecided(10, 9)).toBe(0);
    expect(await store.removeDecided(12, 1)).toBe(1);
    expect(await store.removeDecided(12, 9)).toBe(1);
    expect(await idsOf()).toEqual([waits.proposalId]);
    expect(await store.list('other', {}, { limit: 9 })).toHaveLength(1);
    expect(await store.removeDecided(13, 9)).toBe(1);
  });
}
