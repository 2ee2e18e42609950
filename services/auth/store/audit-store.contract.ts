import { randomUUID } from 'node:crypto';
import { type AuditDraft, genesisHash, storedEntry } from '@teammemory/audit/audit-entry.ts';
import { createAuditLog } from '@teammemory/audit/audit-log.ts';
import type { AuditStore } from '@teammemory/audit/audit-store.ts';
import { pruneDraft } from '@teammemory/audit/prune-entry.ts';
import { verifyLog } from '@teammemory/audit/verify-log.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { expect, test } from 'vitest';

const team = '01899ab8-0000-7000-8000-000000000001';
const draft = (fields: Partial<AuditDraft> = {}): AuditDraft => ({
  teamId: team,
  actor: { kind: 'member', name: 'ada', team: 'rivers', keyId: 'k1' },
  action: 'key.revoke',
  object: 'k2',
  outcome: 'done',
  begun: 1,
  code: null,
  before: {},
  after: {},
  address: '192.0.2.1',
  requestId: 'r1',
  ...fields,
});

/** Entries with their places behind a store's newest one. */
async function chain(store: AuditStore, drafts: readonly AuditDraft[], at = 1_000) {
  const newest = await store.newest();
  let previous = { sequence: newest?.sequence ?? 0, hash: newest?.hash ?? genesisHash };
  return drafts.map((each, index) => {
    const place = { sequence: previous.sequence + 1, at: at + index, previousHash: previous.hash };
    const entry = storedEntry(each, place);
    previous = entry;
    return entry;
  });
}

/** Declares the tests that every store of an audit log passes; `store` returns the empty store of the running test. */
export function auditStoreContract(store: () => AuditStore): void {
  const append = async (drafts: readonly AuditDraft[], at?: number) =>
    store().append(await chain(store(), drafts, at), { reserve: 'none' });

  test('an empty log has no bounds, no newest entry, and is whole', async () => {
    expect([await store().bounds(), await store().newest()]).toEqual([undefined, undefined]);
    expect(await verifyLog(store())).toEqual({ checked: undefined, isEnd: true });
  });

  test('entries read back as they were appended, and the end of the log moves with them', async () => {
    const entries = await chain(store(), [
      draft(),
      draft({ teamId: null, actor: { kind: 'anonymous', name: '' } }),
    ]);
    expect(await store().append(entries, { reserve: 'whole' })).toBe(2);
    expect(await store().list(0, 10)).toEqual(entries);
    expect(await store().newest()).toEqual(entries[1]);
    const bounds = { first: 1, firstPreviousHash: genesisHash, last: 2, lastHash: entries[1]?.hash };
    expect(await store().bounds()).toEqual(bounds);
  });

  test('a list is of a team, an actor and from a moment on, page by page', async () => {
    const service = { kind: 'service', name: 'search' } as const;
    await append([draft(), draft({ teamId: null }), draft({ actor: service }), draft()]);
    const sequences = async (...args: Parameters<AuditStore['list']>) =>
      (await store().list(...args)).map(({ sequence }) => sequence);
    expect(await sequences(0, 10, { teamId: team })).toEqual([1, 3, 4]);
    expect(await sequences(0, 10, { actor: 'service:search' })).toEqual([3]);
    expect(await sequences(0, 10, { since: 1_002 })).toEqual([3, 4]);
    expect(await sequences(1, 2)).toEqual([2, 3]);
    expect(await sequences(1, 10, { teamId: team, actor: 'member:rivers/ada', since: 1_001 })).toEqual([4]);
  });

  test('a list of a team is the newest first, and goes on where it was shown to, also within one moment', async () => {
    const service = { kind: 'service', name: 'search' } as const;
    await append([draft(), draft({ teamId: null }), draft({ actor: service }), draft()]);
    // Two entries of one moment.
    await append([draft()], 1_003);
    const sequences = async (...args: Parameters<AuditStore['listOfTeam']>) =>
      (await store().listOfTeam(...args)).map(({ sequence }) => sequence);
    expect(await sequences(team, 10, {})).toEqual([5, 4, 3, 1]);
    expect(await sequences(team, 2, {})).toEqual([5, 4]);
    expect(await sequences(team, 10, { actor: 'member:rivers/ada' })).toEqual([5, 4, 1]);
    expect(await sequences(randomUUID(), 10, {})).toEqual([]);
    expect(await sequences(team, 10, { shownTo: { at: 1_003, count: 1 } })).toEqual([4, 3, 1]);
    expect(await sequences(team, 10, { shownTo: { at: 1_003, count: 2 } })).toEqual([3, 1]);
    const ofAda = { actor: 'member:rivers/ada', shownTo: { at: 1_003, count: 2 } };
    expect(await sequences(team, 10, ofAda)).toEqual([1]);
    expect(await sequences(team, 10, { shownTo: { at: 1, count: 1 } })).toEqual([]);
  });

  test('old entries are removed, and what is left is whole', async () => {
    await append([draft(), draft(), draft(), draft()]);
    const [second] = await store().list(1, 1);
    const prunedBy = 5;
    await append([pruneDraft({ first: 3, firstPreviousHash: second?.hash ?? '' }, 1)]);
    expect(await store().firstSince(1_002)).toMatchObject({ sequence: 3 });
    expect(await store().firstSince(1_004)).toBeUndefined();
    await store().removeBefore({ first: 3, firstPreviousHash: second?.hash ?? '', prunedBy });
    expect((await store().list(0, 10)).map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(await store().bounds()).toMatchObject({ first: 3, prunedBy, last: 5 });
    expect(await verifyLog(store())).toMatchObject({ checked: { sequence: 5 }, isEnd: true });
  });

  test('thousands of old entries are removed at once', async () => {
    await append(Array.from({ length: 2_100 }, () => draft()));
    const [before] = await store().list(2_097, 1);
    const beginning = { first: 2_099, firstPreviousHash: before?.hash ?? '' };
    await append([pruneDraft(beginning, 1)]);
    await store().removeBefore({ ...beginning, prunedBy: 2_101 });
    expect((await store().list(0, 10)).map(({ sequence }) => sequence)).toEqual([2_099, 2_100, 2_101]);
    expect(await verifyLog(store())).toMatchObject({ checked: { sequence: 2_101 }, isEnd: true });
  });

  test('several writers at once make one chain without a gap', async () => {
    const logs = Array.from({ length: 3 }, () =>
      createAuditLog({ store: store(), clock: () => 1_000, log: silentLog() }),
    );
    const acts = logs.flatMap((log, writer) =>
      Array.from({ length: 20 }, (_, index) => {
        const { actor, action, address, requestId } = draft();
        return log.act(
          { teamId: team, actor, action, object: `${writer} ${index}`, address, requestId },
          async () => undefined,
        );
      }),
    );
    await Promise.all(acts);
    await Promise.all(logs.map((log) => log.close()));
    const entries = await store().list(0, 200);
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
    expect(await verifyLog(store())).toMatchObject({ checked: { sequence: 120 }, isEnd: true });
    const objects = entries.map(({ text }) => JSON.parse(text)).filter(({ outcome }) => outcome === 'done');
    expect(new Set(objects.map(({ object }) => object)).size).toBe(60);
  });
}
