import { AppError } from '@teammemory/errors/app-error.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from './audit-entry.ts';
import { type Act, type AuditLog, createAuditLog } from './audit-log.ts';
import { type MemoryAuditStore, memoryAuditStore } from './memory-audit-store.fixture.ts';

const dayMs = 24 * 60 * 60 * 1_000;
let store: MemoryAuditStore;
let log: AuditLog;
let now: number;

beforeEach(() => {
  store = memoryAuditStore();
  now = 1_795_219_200_000;
  log = createAuditLog({ store, clock: () => now, keptMs: 30 * dayMs, log: silentLog() });
});

const actor = { kind: 'administrator', name: 'mara' } as const;
const act = (object: string): Act => ({
  teamId: null,
  actor,
  action: 'team.create',
  object,
  address: '192.0.2.1',
  requestId: 'r',
});
const entries = async () => (await log.list(0, 1_000, {})).map(({ hash: _h, text: _t, ...entry }) => entry);

describe('an act', () => {
  test('is noted before it begins and when it is done, with what is known only then', async () => {
    let during: unknown;
    const result = await log.act(
      { ...act('rivers'), before: { name: 'a' }, after: { name: 'b' } },
      async () => {
        during = (await entries()).map(({ outcome }) => outcome);
        return 'made';
      },
      (made) => ({ teamId: 't1', after: { made } }),
    );
    expect([result, during]).toEqual(['made', ['begun']]);
    expect(await entries()).toMatchObject([
      { sequence: 1, at: now, outcome: 'begun', begun: null, teamId: null, after: { name: 'b' } },
      {
        sequence: 2,
        outcome: 'done',
        begun: 1,
        teamId: 't1',
        after: { name: 'b', made: 'made' },
        before: { name: 'a' },
      },
    ]);
  });

  test('that fails is noted with the code of its error, which its caller gets', async () => {
    const failure = new AppError('already_exists', 'There is one.');
    await expect(log.act(act('rivers'), () => Promise.reject(failure))).rejects.toBe(failure);
    await expect(log.act(act('lakes'), () => Promise.reject(new Error('a fault')))).rejects.toThrow(
      'a fault',
    );
    expect(await entries()).toMatchObject([
      { outcome: 'begun' },
      { outcome: 'failed', begun: 1, code: 'already_exists' },
      { outcome: 'begun', object: 'lakes' },
      { outcome: 'failed', begun: 3, code: 'internal' },
    ]);
  });

  test('does not happen if it cannot be noted that it begins', async () => {
    store.append = () => Promise.reject(new Error('the disk is full'));
    let happened = false;
    const acting = log.act(act('rivers'), async () => {
      happened = true;
    });
    await expect(acting).rejects.toThrow('the disk is full');
    expect(happened).toBe(false);
  });

  test('is noted on a full disk if it takes rights or data away, or copies data, and only then', async () => {
    const { append } = store;
    store.append = (entries, { reserve }) =>
      reserve !== 'none' ? append(entries, { reserve }) : Promise.reject(new Error('the disk is full'));
    const acting = (action: Act['action']) => log.act({ ...act('x'), action }, async () => 'done');
    for (const action of ['key.revoke', 'item.remove', 'session.end', 'member.role', 'backup'] as const)
      expect(await acting(action)).toBe('done');
    for (const action of ['key.create', 'decision.edit', 'session.open', 'import'] as const)
      await expect(acting(action)).rejects.toThrow('the disk is full');
  });

  test('that is done stays done if that cannot be noted', async () => {
    const acting = log.act(act('rivers'), async () => {
      store.append = () => Promise.reject(new Error('the disk is full'));
      return 'made';
    });
    expect(await acting).toBe('made');
    expect(await entries()).toMatchObject([{ outcome: 'begun' }]);
  });

  test.for([true, false])(
    'is noted once when it is done, though the store failed once, and had noted it: %s',
    async (hadNoted) => {
      const { append } = store;
      await log.act(act('rivers'), async () => {
        store.append = async (...query) => {
          store.append = append;
          if (hadNoted) await append(...query);
          throw new Error('the disk failed');
        };
      });
      expect(await entries()).toMatchObject([{ outcome: 'begun' }, { outcome: 'done', begun: 1 }]);
      expect(await log.verify(undefined)).toMatchObject({ isEnd: true, checked: { sequence: 2 } });
    },
  );

  test('has no key, token or secret, wherever somebody pasted it', async () => {
    const key = `tms_${'a'.repeat(16)}_${'B'.repeat(43)}`;
    const operator = `tmso_${'c'.repeat(16)}_${'D'.repeat(43)}`;
    await log.act(
      {
        ...act(key),
        before: { x: `is ${operator}.` },
        after: { y: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      },
      async () => undefined,
    );
    expect(store.entries[0]?.text).not.toMatch(/B{43}|D{43}|MfKQ9/);
    expect(store.entries[0]?.text).toContain('"object":"[secret]"');
  });

  test('has texts of bounded length, whatever it is given', async () => {
    const details = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`n${index}`, 'x'.repeat(9_999)]),
    );
    await log.act({ ...act('\ud800\u0000"'.repeat(9_999)), after: details }, async () => undefined);
    expect(store.entries[0]?.text.length).toBeLessThan(25_000);
    expect(await log.verify(undefined)).toMatchObject({ isEnd: true, checked: { sequence: 2 } });
  });
});

test('the hash of an entry is made as documented', () => {
  // printf '%064d\n{}' 0 | sha256sum
  expect(hashOf('0'.repeat(64), '{}')).toBe(
    '5649d09ed68c17156095d175eef152856c5b1a81c117c409c1e00f096aa6838e',
  );
});

describe('refused calls', () => {
  const call = (name: string) => ({
    teamId: null,
    actor: { kind: 'service', name } as const,
    object: 'CreateTeam',
    address: '192.0.2.1',
    requestId: 'r',
    code: 'permission_denied',
  });

  test('are noted, of one caller ten in an hour and of all 200; the others are counted', async () => {
    for (let count = 0; count < 12; count++) log.refused(call('one'));
    for (let count = 0; count < 300; count++) log.refused(call(`other ${count}`));
    await log.close();
    const noted = await entries();
    expect(noted.filter(({ object }) => object === 'CreateTeam')).toHaveLength(200);
    expect(noted.filter(({ actor: { name } }) => name === 'one')).toHaveLength(10);
    expect(noted.at(-1)).toMatchObject({
      object: 'further calls',
      outcome: 'refused',
      after: { count: '112' },
    });
  });

  test('of one team leave the room of other teams, and of administrators, as it is', async () => {
    const ofTeam = (teamId: string, name: string) => ({
      ...call(name),
      teamId,
      actor: { kind: 'member', name, team: teamId } as const,
    });
    for (let count = 0; count < 300; count++) log.refused(ofTeam('lakes', `guest ${count}`));
    log.refused(ofTeam('rivers', 'ada'));
    log.refused({ ...call('mara'), actor: { kind: 'administrator', name: 'mara' } });
    await log.close();
    const noted = await entries();
    expect(noted.filter(({ teamId }) => teamId === 'lakes')).toHaveLength(200);
    expect(noted.filter(({ teamId }) => teamId === 'rivers')).toHaveLength(1);
    expect(noted.filter(({ actor: { kind } }) => kind === 'administrator')).toHaveLength(1);
  });

  test('are noted one by one again in the next hour', async () => {
    for (let count = 0; count < 11; count++) log.refused(call('one'));
    now += 60 * 60 * 1_000;
    log.refused(call('one'));
    await log.close();
    expect((await entries()).filter(({ object }) => object === 'CreateTeam')).toHaveLength(11);
  });
});

describe('verifying', () => {
  beforeEach(async () => {
    for (const object of ['a', 'b', 'c']) await log.act(act(object), async () => undefined);
  });
  const problem = async () => (await log.verify(undefined)).problem;
  const change = (index: number, fields: Partial<MemoryAuditStore['entries'][number]>) => {
    const entry = store.entries[index];
    if (entry !== undefined) store.entries[index] = { ...entry, ...fields };
  };

  test('a log that nobody touched is whole, also from an entry that was checked before', async () => {
    expect(await log.verify(undefined)).toEqual({
      checked: { sequence: 6, hash: store.entries[5]?.hash },
      isEnd: true,
    });
    const { sequence = 0, hash = '' } = store.entries[2] ?? {};
    expect(await log.verify({ sequence, hash })).toMatchObject({ checked: { sequence: 6 }, isEnd: true });
  });

  test('finds a text that was changed, and one whose hash was made to fit', async () => {
    const text = store.entries[2]?.text.replace('"b"', '"x"') ?? '';
    change(2, { text });
    expect(await problem()).toBe('Entry 3 is not as it was written.');
    change(2, { hash: hashOf(store.entries[1]?.hash ?? '', text) });
    expect(await problem()).toBe('Entry 4 is not as it was written.');
  });

  test('finds an entry that lists under another team, actor or time than it says', async () => {
    for (const fields of [{ teamId: 't2' }, { actor: 'anonymous' }, { at: 1 }]) {
      const before = store.entries[3];
      change(3, fields);
      expect(await problem()).toBe('Entry 4 is not as it was written.');
      if (before !== undefined) store.entries[3] = before;
    }
    expect(await problem()).toBeUndefined();
  });

  test('finds entries that were removed in the middle, at the beginning and at the end', async () => {
    const all = [...store.entries];
    store.entries = all.toSpliced(2, 1);
    expect(await problem()).toBe('Entry 3 is missing.');
    store.entries = all.toSpliced(2, 2);
    expect(await problem()).toBe('Entries 3 to 4 are missing.');
    store.entries = all.slice(1);
    expect(await problem()).toBe('Entry 1 is missing.');
    store.entries = all.slice(0, 5);
    expect(await problem()).toBe('Entry 6 is missing.');
    store.entries = [];
    expect(await problem()).toBe('Entries 1 to 6 are missing.');
  });

  test('goes on finding that the end was cut off when more was written since', async () => {
    store.entries = store.entries.slice(0, 4);
    await log.act(act('d'), async () => undefined);
    expect(await problem()).toBe('Entries 5 to 6 are missing.');
  });

  test('finds that the log is gone, if an entry was noted before', async () => {
    store.entries = [];
    store.ends = undefined;
    expect((await log.verify({ sequence: 6, hash: 'f'.repeat(64) })).problem).toBe(
      'Entries 1 to 6 are missing.',
    );
  });

  test('finds that the log was written anew, if a hash was noted before', async () => {
    const { sequence = 0, hash = '' } = store.entries[1] ?? {};
    store.entries = [];
    store.ends = undefined;
    for (const object of ['x', 'y', 'z']) await log.act(act(object), async () => undefined);
    expect(await problem()).toBeUndefined();
    expect((await log.verify({ sequence, hash })).problem).toBe('Entry 2 is not the one that had this hash.');
  });
});

describe('old entries', () => {
  const noted = { sequence: 1, hash: 'f'.repeat(64) };
  /** A log whose first two acts are too old, pruned. */
  async function pruned(): Promise<void> {
    for (const object of ['old', 'older']) await log.act(act(object), async () => undefined);
    now += 31 * dayMs;
    await log.act(act('new'), async () => undefined);
    await log.removeOld();
  }

  test('are removed after the days that they are kept, but for the newest of them, and the log tells it and stays whole', async () => {
    await pruned();
    expect((await entries()).map(({ sequence, action }) => [sequence, action])).toEqual([
      [4, 'team.create'],
      [5, 'team.create'],
      [6, 'team.create'],
      [7, 'audit.prune'],
    ]);
    expect((await entries()).at(-1)?.after).toMatchObject({ first: '4', kept_days: '30' });
    expect(await log.verify(undefined)).toMatchObject({ checked: { sequence: 7 }, isEnd: true });
    // Somebody noted an entry that was removed since: it cannot be compared, and the age of the oldest excuses that.
    expect(await log.verify(noted)).toEqual({ checked: expect.anything(), isEnd: true, isTooOld: true });
    // The hash of the last one that was removed is still known.
    expect((await log.verify({ ...noted, sequence: 3 })).problem).toBe(
      'Entry 3 is not the one that had this hash.',
    );
    // Nothing to do again before another day is over.
    await log.removeOld();
    expect(await entries()).toHaveLength(4);
  });

  test('that were cut off before their time are missed: by the chain, and by who noted one', async () => {
    await pruned();
    const cut = store.entries[1]?.hash ?? '';
    store.entries = store.entries.slice(2);
    if (store.ends !== undefined) store.ends = { ...store.ends, first: 6, firstPreviousHash: cut };
    expect((await log.verify(undefined)).problem).toBe(
      'The log begins with entry 6, which is not what entry 7 tells of the removal of old entries.',
    );
    if (store.ends !== undefined) store.ends = { ...store.ends, prunedBy: undefined };
    expect((await log.verify(undefined)).problem).toContain('no entry tells of the removal');
  });

  test('of a log that was written anew from a later number are missed', async () => {
    const ends = { last: 999, lastHash: 'a'.repeat(64), first: 1_000, firstPreviousHash: 'a'.repeat(64) };
    store.ends = ends;
    await log.act(act('x'), async () => undefined);
    store.ends = { ...ends, ...store.ends, first: 1_000 };
    expect(store.entries[0]?.sequence).toBe(1_000);
    expect((await log.verify(noted)).problem).toContain('no entry tells of the removal');
  });

  test('that others tampered with are not removed, so that it still shows', async () => {
    for (const object of ['a', 'b']) await log.act(act(object), async () => undefined);
    now += 31 * dayMs;
    await log.act(act('c'), async () => undefined);
    store.entries = store.entries.toSpliced(3, 1);
    await log.removeOld();
    expect(store.entries).toHaveLength(5);
  });

  test('stay where all are old, because the clock may be wrong', async () => {
    await log.act(act('a'), async () => undefined);
    now += 9_999 * dayMs;
    await log.removeOld();
    expect(await entries()).toHaveLength(2);
  });
});
