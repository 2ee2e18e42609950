import type { AppError } from '@teammemory/errors/app-error.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { findSecrets } from '@teammemory/vocabulary/secret-scan.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from '../items/item.fixture.ts';
import type { ItemDraft } from '../items/item.ts';
import { deleteItem } from '../items/items.ts';
import { pushItems } from '../items/push-items.ts';
import { decidedKeptMs, maxWaiting, type ProposalReader } from './proposal.ts';
import { type ItemProposer, planProposals, proposeItems } from './propose-items.ts';
import { removeDecidedProposals } from './remove-decided.ts';
import {
  acceptProposal,
  declineProposal,
  listProposals,
  readProposal,
  withdrawProposal,
} from './review-proposals.ts';

const ada = { tier: 'team', access: 'write', handle: 'ada', memberId: 'ada-id' } as const;
const agent: ItemProposer = { tier: 'team', access: 'propose', handle: 'bo', memberId: 'bo-id', keyId: 'k1' };
const guest: ItemProposer = { ...agent, tier: 'external', handle: 'gil', memberId: 'gil-id' };

const readerOf = ({ memberId, tier, access }: ItemProposer | typeof ada): ProposalReader => ({
  teamId: 'team',
  memberId,
  tier,
  isReviewer: tier === 'team' && access === 'write',
});
const draft = (rowKey: string, version: string, changed: Partial<ItemDraft> = {}) =>
  itemDraft({ rowKey, content: `version ${version}`, checksum: checksumOf(version), ...changed });

describeEachEngine('proposals', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;
  let now = 1_795_000_000_000;
  const clock = () => now;
  const noted = <Result>(_: unknown, act: () => Promise<Result>) => act();

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock, history: 20 });
  });
  afterEach(() => stores.close());

  const push = (...drafts: ItemDraft[]) => pushItems({ writer }, 'team', ada, drafts);
  const propose = async (by: ItemProposer, ...drafts: ItemDraft[]) => {
    const { refusals, ...counts } = await proposeItems({ ...stores, clock, findSecrets }, 'team', by, drafts);
    return { ...counts, codes: refusals.map(({ refusal }) => refusal.code) };
  };
  const waiting = async (reader = readerOf(ada)) =>
    (await listProposals(stores, reader, { state: 'waiting', token: '', limit: 200 })).proposals;
  const only = async () => {
    const [proposal, ...others] = await waiting();
    if (proposal === undefined || others.length > 0) throw new Error('one proposal should wait');
    return proposal;
  };
  const accept = (acceptance: Parameters<typeof acceptProposal>[3], by: ItemProposer | typeof ada = ada) =>
    acceptProposal({ ...stores, writer, findSecrets, clock, noted }, readerOf(by), by, acceptance);
  const decline = (proposalId: string, reason: string, by: ItemProposer | typeof ada = ada) =>
    declineProposal({ ...stores, clock, noted }, readerOf(by), by, { proposalId, reason });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      ({ code }: AppError) => code,
    );
  const stored = async (rowKey: string) => {
    const row = await stores.items.read('team', rowKey);
    return row === undefined || row.deleted ? undefined : JSON.parse(Buffer.from(row.json).toString());
  };

  test('are judged as pushes, and what changes nothing or waits already is no new one', async () => {
    await push(draft('a.md', '1'), draft('secret.md', '1'), draft('open.md', '1', { tier: 'external' }));
    const batch = [
      draft('a.md', '2', { baseChecksum: checksumOf('1') }),
      draft('a.md', '1'),
      draft('b.md', '1', { createOnly: true }),
      draft('secret.md', '9', { baseChecksum: checksumOf('8') }),
      draft('../c.md', '1'),
      draft('d.md', '1', { tier: 'admin' }),
      draft('e.md', '1', { content: `password: ${'q7Rt2xKp'}${'9LmW4vZs'}` }),
    ];
    const plan = await planProposals({ ...stores, findSecrets }, 'team', agent, batch);
    expect(plan).toMatchObject({ accepted: 0, proposed: 0, written: 2, pending: [0, 1, 2] });
    const codes = ['conflict', 'invalid_request', 'admin_tier', 'contains_secret'];
    expect(plan.refusals.map(({ refusal }) => refusal.code)).toEqual(codes);
    // The second is the version that is stored, so of a.md the first waits.
    const first = await propose(agent, ...batch);
    expect(first).toEqual({ accepted: 3, proposed: 2, written: 2, codes });
    const again = await propose(agent, draft('b.md', '1', { createOnly: true }));
    expect(again).toEqual({ accepted: 1, proposed: 1, written: 0, codes: [] });
    expect((await waiting()).map(({ rowKey }) => rowKey).toSorted()).toEqual(['a.md', 'b.md']);
    expect((await stored('a.md')).content).toBe('version 1');
    expect(await stored('b.md')).toBeUndefined();
    const external = await propose(
      guest,
      draft('a.md', '3', { tier: 'external' }),
      draft('open.md', '3'),
      draft('open.md', '3', { tier: 'external' }),
    );
    expect(external).toMatchObject({ proposed: 1, codes: ['forbidden_tier', 'forbidden_tier'] });
  });

  test('that were edited from one that waits replace it, and what that was made from', async () => {
    await push(draft('a.md', '1'));
    await propose(agent, draft('a.md', '2', { baseChecksum: checksumOf('1') }));
    const { proposalId } = await only();
    await propose(agent, draft('a.md', '3', { baseChecksum: checksumOf('2') }));
    const next = await only();
    expect(next).toMatchObject({ checksum: checksumOf('3'), baseChecksum: checksumOf('1') });
    expect(await codeOf(accept({ proposalId }))).toBe('not_found');
    await accept({ proposalId: next.proposalId });
    expect(await stored('a.md')).toMatchObject({ content: 'version 3', updated_by: 'ada' });
  });

  test('that name no version replace what was stored when they were made, and nothing that came later', async () => {
    await push(draft('a.md', '1'));
    await propose(agent, draft('a.md', '2'), draft('b.md', '2'));
    await push(draft('a.md', '3'), draft('b.md', '3'));
    for (const { proposalId, rowKey } of await waiting())
      expect(await codeOf(accept({ proposalId })), rowKey).toBe('conflict');
    expect(await stored('a.md')).toMatchObject({ content: 'version 3' });
    expect(await stored('b.md')).toMatchObject({ content: 'version 3' });
    for (const { proposalId } of await waiting()) await accept({ proposalId, baseChecksum: checksumOf('3') });
    expect(await stored('a.md')).toMatchObject({ content: 'version 2' });
  });

  test('fill the queue of their member and of no other, and then are refused', async () => {
    for (let start = 0; start < maxWaiting.texts; start += 100) {
      const some = Array.from({ length: 100 }, (_, index) => draft(`${start + index}.md`, '1'));
      expect(await propose(agent, ...some)).toMatchObject({ proposed: 100 });
    }
    const full = await propose(agent, draft('0.md', '2'), draft('more.md', '1'));
    expect(full).toEqual({ accepted: 1, proposed: 1, written: 1, codes: ['quota_exceeded'] });
    expect(await propose(guest, draft('more.md', '1', { tier: 'external' }))).toMatchObject({ proposed: 1 });
  });

  test('are stored once accepted, by the reviewer, and their proposer reads who it was', async () => {
    await propose(agent, draft('a.md', '1', { frontmatterText: 'a: 1' }));
    const { proposalId } = await only();
    now += 1_000;
    const accepted = await accept({ proposalId });
    const decision = { by: 'ada', atMs: now, reason: '', isEdited: false };
    expect(accepted).toMatchObject({ state: 'accepted', proposedBy: 'bo', decision });
    expect(await stored('a.md')).toMatchObject({ frontmatter_text: 'a: 1', updated_by: 'ada' });
    expect(await readProposal(stores, readerOf(agent), proposalId)).toEqual({ proposal: accepted });
    expect(await codeOf(accept({ proposalId }))).toBe('conflict');
    expect(await codeOf(decline(proposalId, 'no'))).toBe('conflict');
    expect(await codeOf(withdrawProposal(stores, readerOf(agent), proposalId))).toBe('conflict');
  });

  test('whose item changed meanwhile wait on, until a reviewer says over which version they go', async () => {
    await push(draft('a.md', '1'));
    await propose(agent, draft('a.md', '2', { baseChecksum: checksumOf('1') }));
    const { proposalId } = await only();
    await push(draft('a.md', '3'));
    await expect(accept({ proposalId })).rejects.toMatchObject({
      code: 'conflict',
      currentChecksum: checksumOf('3'),
    });
    const { currentChecksum, item } = await readProposal(stores, readerOf(ada), proposalId);
    expect([currentChecksum, item?.content]).toEqual([checksumOf('3'), 'version 2']);
    const merged = draft('a.md', '4');
    expect(
      await codeOf(accept({ proposalId, item: draft('b.md', '4'), baseChecksum: currentChecksum })),
    ).toBe('invalid_request');
    const { decision } = await accept({ proposalId, item: merged, baseChecksum: currentChecksum });
    expect(decision?.isEdited).toBe(true);
    expect((await stored('a.md')).content).toBe('version 4');
  });

  test('of a new item are refused where one was stored meanwhile, and may be taken after it was removed', async () => {
    await propose(agent, draft('a.md', '1', { createOnly: true }));
    const { proposalId } = await only();
    await push(draft('a.md', '2'));
    expect(await codeOf(accept({ proposalId }))).toBe('conflict');
    await deleteItem({ writer }, 'team', ada, 'a.md');
    expect(await codeOf(accept({ proposalId, baseChecksum: checksumOf('2') }))).toBe('conflict');
    expect(await codeOf(accept({ proposalId, baseChecksum: '' }))).toBe('ok');
  });

  test('are declined with a reason, and lose their text', async () => {
    await propose(agent, draft('a.md', '1'));
    const { proposalId } = await only();
    for (const reason of ['', '  ', 'x'.repeat(1_001), '\ud800'])
      expect(await codeOf(decline(proposalId, reason))).toBe('invalid_request');
    await decline(proposalId, ' Too long. ');
    const { proposal, item } = await readProposal(stores, readerOf(agent), proposalId);
    expect(proposal).toMatchObject({ state: 'declined', title: '', decision: { reason: 'Too long.' } });
    expect(item).toBeUndefined();
    expect(await stored('a.md')).toBeUndefined();
  });

  test('that were declined are not proposed again before the text, its tier or its name changes', async () => {
    await propose(agent, draft('a.md', '1'));
    const { proposalId } = await only();
    await decline(proposalId, 'Too long.');
    const same = draft('a.md', '1');
    const plan = await planProposals({ ...stores, items: stores.items }, 'team', agent, [same]);
    const refusals = [
      { index: 0, refusal: { code: 'declined', detail: 'A reviewer declined this text: "Too long."' } },
    ];
    expect(plan).toMatchObject({ accepted: 0, proposed: 0, pending: [], refusals });
    expect(await propose(agent, same)).toEqual({ accepted: 0, proposed: 0, written: 0, codes: ['declined'] });
    // Another member, and the same one with a key of the other tier, hear nothing of it.
    for (const other of [
      { ...agent, memberId: 'cy-id' },
      { ...agent, tier: 'external' as const },
    ]) {
      const open = draft('a.md', '1', { tier: other.tier });
      expect(await propose(other, open)).toMatchObject({ proposed: 1, codes: [] });
    }
    const batch = [same, draft('a.md', '2'), draft('b.md', '1'), same];
    expect(await propose(agent, ...batch)).toMatchObject({ accepted: 2, codes: ['declined', 'declined'] });
    expect(await propose(agent, draft('a.md', '1', { tier: 'external' }))).toMatchObject({ proposed: 1 });
    // What others stored is in step, whatever a reviewer said.
    await push(same);
    expect(await propose(agent, same)).toMatchObject({ accepted: 1, codes: [] });
  });

  test('are seen by reviewers and their proposer, and decided by reviewers alone', async () => {
    const both = { ...agent, tier: 'external' } as const;
    const reading = { ...readerOf(agent), memberId: 'cy-id' };
    await propose(agent, draft('a.md', '1'));
    const { proposalId } = await only();
    await propose(both, draft('open.md', '1', { tier: 'external' }));
    const seen = async (reader: ProposalReader) => (await waiting(reader)).map(({ rowKey }) => rowKey);
    expect((await seen(readerOf(ada))).toSorted()).toEqual(['a.md', 'open.md']);
    expect((await seen(readerOf(agent))).toSorted()).toEqual(['a.md', 'open.md']);
    expect(await seen(readerOf(both))).toEqual(['open.md']);
    for (const stranger of [readerOf(guest), reading, { ...readerOf(ada), teamId: 'other' }]) {
      expect(await seen(stranger)).toEqual([]);
      expect(await codeOf(readProposal(stores, stranger, proposalId))).toBe('not_found');
      expect(await codeOf(withdrawProposal(stores, stranger, proposalId))).toBe('not_found');
    }
    expect(await codeOf(readProposal(stores, readerOf(both), proposalId))).toBe('not_found');
    for (const by of [agent, both, guest]) {
      expect(await codeOf(accept({ proposalId }, by))).toBe('permission_denied');
      expect(await codeOf(decline(proposalId, 'no', by))).toBe('permission_denied');
    }
    expect(await codeOf(withdrawProposal(stores, readerOf(ada), proposalId))).toBe('not_found');
    await withdrawProposal(stores, readerOf(agent), proposalId);
    expect(await seen(readerOf(ada))).toEqual(['open.md']);
  });

  test('are listed in pages, each once', async () => {
    const drafts = Array.from({ length: 5 }, (_, index) => draft(`${index}.md`, '1'));
    for (const one of drafts) {
      now += 1;
      await propose(agent, one);
    }
    const found: string[] = [];
    for (let token = ''; ; ) {
      const page = await listProposals(stores, readerOf(ada), { state: undefined, token, limit: 2 });
      found.push(...page.proposals.map(({ rowKey }) => rowKey));
      token = page.nextToken;
      if (token === '') break;
    }
    expect(found).toEqual(['4.md', '3.md', '2.md', '1.md', '0.md']);
    const broken = listProposals(stores, readerOf(ada), { state: undefined, token: '1', limit: 2 });
    expect(await codeOf(broken)).toBe('invalid_cursor');
  });

  test('that were decided are kept for 90 days', async () => {
    await propose(agent, draft('a.md', '1'), draft('b.md', '1'));
    for (const { proposalId } of (await waiting()).slice(0, 1)) await decline(proposalId, 'no');
    const { signal } = new AbortController();
    const left = async () => {
      await removeDecidedProposals({ ...stores, clock }, signal);
      return (await stores.proposals.list('team', {}, { limit: 9 })).map(({ state }) => state);
    };
    now += decidedKeptMs;
    expect(await left()).toEqual(['declined', 'waiting']);
    now += 1;
    expect(await left()).toEqual(['waiting']);
  });
});
