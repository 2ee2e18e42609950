import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxSessions } from '../domain/sessions.ts';
import { memberOf, testClient, testService } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const twoMinutesMs = 2 * 60 * 1000;
const twelveHoursMs = 12 * 60 * 60 * 1000;

/** A key of a member of team `acme`, and a client that calls as its holder. */
interface Holder {
  key: string;
  keyId: string;
  calls: Client<typeof AuthService>;
}

describeEachEngine('sessions', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let admin: Client<typeof AuthService>;
  let gateway: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    service = await testService({ storage: engine.storage(), clock: () => now });
    admin = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    await admin.createTeam({ slug: 'acme', name: 'Acme' });
    for (const handle of ['ada', 'bo']) {
      await admin.addMember({ teamSlug: 'acme', handle, role: MemberRole.MEMBER });
    }
  });
  afterEach(() => service.close());

  /** Makes a key, of tier team of ada unless told otherwise. */
  async function holder(wanted: { handle?: string; tier?: Tier; expiresAt?: number } = {}): Promise<Holder> {
    const { handle = 'ada', tier = Tier.TEAM, expiresAt } = wanted;
    const { key, secretKey } = await admin.createKey({
      teamSlug: 'acme',
      memberHandle: handle,
      tier,
      expiresAt: expiresAt === undefined ? undefined : timestampFromMs(expiresAt),
    });
    const { caller } = await gateway.authenticate({ key: secretKey });
    return { key: secretKey, keyId: key?.keyId ?? '', calls: testClient(service, memberOf(caller)) };
  }

  const openWithKey = async ({ key }: Holder) =>
    (await gateway.openSession({ credential: { case: 'key', value: key } })).session;
  const redeem = (token: string) =>
    gateway.openSession({ credential: { case: 'signInToken', value: token } });
  const stateOf = (session: string) => codeOf(gateway.authenticate({ session }));

  test('a session stands for its key for 12 hours, and both ways of opening one give it', async () => {
    const ada = await holder({ tier: Tier.EXTERNAL });
    const { signInToken, expiresAt } = await ada.calls.createSignInLink({});
    expect(signInToken).toMatch(/^tmsl_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
    expect(expiresAt).toEqual(timestampFromMs(start + twoMinutesMs));
    for (const opened of [
      await redeem(signInToken),
      await gateway.openSession({ credential: { case: 'key', value: ada.key } }),
    ]) {
      expect(opened.session).toMatch(/^tmsn_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
      expect(opened.expiresAt).toEqual(timestampFromMs(start + twelveHoursMs));
      const answer = await gateway.authenticate({ session: opened.session });
      expect(answer.expiresAt).toEqual(opened.expiresAt);
      expect(answer.caller).toEqual((await gateway.authenticate({ key: ada.key })).caller);
      expect(answer.caller).toMatchObject({ tier: Tier.EXTERNAL, access: Access.OWN, keyId: ada.keyId });
    }
    const session = await openWithKey(ada);
    now = start + twelveHoursMs - 1;
    expect(await stateOf(session)).toBe('ok');
    now = start + twelveHoursMs;
    expect(await stateOf(session)).toBe('invalid_key');
  });

  test('a link is used once, also by those who use it at the same time, and only within two minutes', async () => {
    const ada = await holder();
    const { signInToken } = await ada.calls.createSignInLink({});
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(redeem(signInToken))));
    expect(codes.toSorted()).toEqual([...Array(7).fill('invalid_key'), 'ok']);
    expect(await codeOf(redeem(signInToken))).toBe('invalid_key');
    const [kept, late] = [await ada.calls.createSignInLink({}), await ada.calls.createSignInLink({})];
    now = start + twoMinutesMs - 1;
    expect(await codeOf(redeem(kept.signInToken))).toBe('ok');
    now = start + twoMinutesMs;
    expect(await codeOf(redeem(late.signInToken))).toBe('invalid_key');
  });

  test('a revoked or expired key, and a removed member, end sessions and links at once', async () => {
    const ends: ((ada: Holder) => unknown)[] = [
      ({ keyId }) => admin.revokeKey({ keyId }),
      () => {
        now += 1_000;
      },
      () => admin.removeMember({ teamSlug: 'acme', handle: 'ada' }),
    ];
    for (const end of ends) {
      const ada = await holder({ expiresAt: now + 1_000 });
      const session = await openWithKey(ada);
      const { signInToken } = await ada.calls.createSignInLink({});
      expect(await stateOf(session)).toBe('ok');
      await end(ada);
      expect(await stateOf(session)).toBe('invalid_key');
      expect(await codeOf(redeem(signInToken))).toBe('invalid_key');
      expect(await codeOf(openWithKey(ada))).toBe('invalid_key');
    }
  });

  test('a session ends when its key expires, where that is sooner than 12 hours', async () => {
    const ada = await holder({ expiresAt: start + 1_000 });
    const { expiresAt } = await gateway.openSession({ credential: { case: 'key', value: ada.key } });
    expect(expiresAt).toEqual(timestampFromMs(start + 1_000));
  });

  test('neither key, link nor session is accepted in place of another, and a wrong secret proves none', async () => {
    const ada = await holder();
    const session = await openWithKey(ada);
    const { signInToken } = await ada.calls.createSignInLink({});
    for (const text of [session, signInToken, 'tmsn_', '', `${session}x`, `${'x'.repeat(10_000)}`]) {
      expect(await codeOf(gateway.authenticate({ key: text })), text).toBe('invalid_key');
      const exchanged = gateway.exchangeCredential({ credential: text, audience: 'content' });
      expect(await codeOf(exchanged), text).toBe('invalid_key');
      const opened = gateway.openSession({ credential: { case: 'key', value: text } });
      expect(await codeOf(opened), text).toBe('invalid_key');
      if (text !== signInToken) expect(await codeOf(redeem(text)), text).toBe('invalid_key');
    }
    for (const text of [ada.key, signInToken]) expect(await stateOf(text)).toBe('invalid_key');
    const other = await openWithKey(ada);
    expect(await stateOf(session.slice(0, 21) + other.slice(21))).toBe('invalid_key');
    expect(await codeOf(gateway.authenticate({ key: ada.key, session }))).toBe('invalid_request');
    expect(await codeOf(gateway.openSession({}))).toBe('invalid_request');
    expect(await codeOf(redeem(signInToken))).toBe('ok');
  });

  test('signing out ends one session, succeeds again, and leaves the others', async () => {
    const ada = await holder();
    const [first, second] = [await openWithKey(ada), await openWithKey(ada)];
    for (const session of [first, first, 'nonsense', `${second.slice(0, 22)}${'0'.repeat(43)}`]) {
      await gateway.endSession({ session });
    }
    expect([await stateOf(first), await stateOf(second)]).toEqual(['invalid_key', 'ok']);
  });

  test("signing out everywhere ends the member's sessions, of all keys, and nobody else's", async () => {
    const [ada, again, bo] = [await holder(), await holder(), await holder({ handle: 'bo' })];
    const external = await holder({ tier: Tier.EXTERNAL });
    const mine = [await openWithKey(ada), await openWithKey(again), await openWithKey(external)];
    const other = await openWithKey(bo);
    expect(await ada.calls.endSessions({})).toMatchObject({ ended: 3 });
    expect(await Promise.all(mine.map(stateOf))).toEqual(mine.map(() => 'invalid_key'));
    expect(await stateOf(other)).toBe('ok');
    expect(await ada.calls.endSessions({})).toMatchObject({ ended: 0 });
  });

  test('an external key does not end the sessions of team keys of its member', async () => {
    const [ada, external] = [await holder(), await holder({ tier: Tier.EXTERNAL })];
    const [open, own] = [await openWithKey(ada), await openWithKey(external)];
    expect(await external.calls.endSessions({})).toMatchObject({ ended: 1 });
    expect([await stateOf(open), await stateOf(own)]).toEqual(['ok', 'invalid_key']);
  });

  test('of sessions and links beyond those that a key may have its oldest end, and no other key is concerned', async () => {
    const [ada, guest] = [await holder(), await holder({ tier: Tier.EXTERNAL })];
    const ofGuest = await openWithKey(guest);
    const oldest = await openWithKey(ada);
    now += 1;
    const sessions = await Promise.all(Array.from({ length: maxSessions }, () => openWithKey(ada)));
    const tokens: string[] = [];
    for (let count = 0; count < 21; count++) {
      now += 1;
      tokens.push((await ada.calls.createSignInLink({})).signInToken);
    }
    const states = await Promise.all([oldest, ...sessions].map(stateOf));
    expect(states).toEqual(['invalid_key', ...sessions.map(() => 'ok')]);
    expect(await stateOf(ofGuest)).toBe('ok');
    expect(await codeOf(redeem(tokens[0] ?? ''))).toBe('invalid_key');
    expect(await codeOf(redeem(tokens[1] ?? ''))).toBe('ok');
  });

  const signIn = (address: string, teamSlug = 'acme') =>
    gateway.openSession({ credential: { case: 'verified', value: { address, teamSlug } } });
  const addAddress = (address: string, memberHandle = 'ada', teamSlug = 'acme') =>
    admin.addSignInAddress({ teamSlug, address, memberHandle });

  test('a verified address signs its member in, with a key of its own that is listed and ends the session', async () => {
    const { signInAddress } = await addAddress('Ada.L@Example.org', 'ADA');
    expect(signInAddress).toMatchObject({ address: 'ada.l@example.org', memberHandle: 'ada' });
    const opened = await signIn('ADA.l@example.org');
    expect(opened.expiresAt).toEqual(timestampFromMs(start + twelveHoursMs));
    const { caller } = await gateway.authenticate({ session: opened.session });
    expect(caller).toMatchObject({ memberHandle: 'ada', tier: Tier.TEAM, access: Access.WRITE });
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    expect(keys).toMatchObject([
      { keyId: caller?.keyId, forSignIn: true, expiresAt: timestampFromMs(start + twelveHoursMs) },
    ]);
    const other = (await signIn('ada.l@example.org')).session;
    await admin.revokeKey({ keyId: caller?.keyId });
    expect([await stateOf(opened.session), await stateOf(other)]).toEqual(['invalid_key', 'ok']);
  });

  test('an address that nobody of the team has, of another team, or of a removed member signs nobody in', async () => {
    await admin.createTeam({ slug: 'other', name: 'Other' });
    await addAddress('ada@example.org');
    await addAddress('bo@example.org', 'bo');
    await admin.removeMember({ teamSlug: 'acme', handle: 'bo' });
    await admin.addMember({ teamSlug: 'acme', handle: 'bo', role: MemberRole.MEMBER });
    const refused = [
      signIn('eve@example.org'),
      signIn('ada@example.org', 'other'),
      signIn('ada@example.org', 'none'),
      signIn('bo@example.org'),
      signIn(''),
      signIn('$ne'),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => 'invalid_key'));
    await admin.removeSignInAddress({ teamSlug: 'acme', address: 'ADA@example.org' });
    expect(await codeOf(signIn('ada@example.org'))).toBe('invalid_key');
    expect((await admin.listKeys({ teamSlug: 'acme' })).keys).toEqual([]);
  });

  test('keys of sign-ins do not pile up: of one member at most 20 are kept, and none after its end', async () => {
    await addAddress('ada@example.org');
    const first = (await signIn('ada@example.org')).session;
    for (let count = 0; count < 20; count++) {
      now += 1;
      await signIn('ada@example.org');
    }
    expect((await admin.listKeys({ teamSlug: 'acme' })).keys).toHaveLength(20);
    expect(await stateOf(first)).toBe('invalid_key');
    now += twelveHoursMs;
    await signIn('ada@example.org');
    expect((await admin.listKeys({ teamSlug: 'acme' })).keys).toHaveLength(1);
  });

  test('addresses are listed page by page, each once in a team, and bad ones are refused', async () => {
    for (const address of ['c@example.org', 'a+b@example.org', 'b@example.org']) await addAddress(address);
    const first = await admin.listSignInAddresses({ teamSlug: 'acme', pageSize: 2 });
    const rest = await admin.listSignInAddresses({ teamSlug: 'acme', pageToken: first.nextPageToken });
    const listed = [...first.signInAddresses, ...rest.signInAddresses];
    expect(listed.map(({ address }) => address)).toEqual([
      'a+b@example.org',
      'b@example.org',
      'c@example.org',
    ]);
    expect(rest.nextPageToken).toBe('');
    expect(await codeOf(addAddress('B@example.org', 'bo'))).toBe('already_exists');
    for (const bad of [
      '',
      'ada',
      'a@b@c',
      'a b@c',
      '@b',
      'a@',
      'ä@b',
      '\u212A@b',
      `${'a'.repeat(64)}@${'b'.repeat(190)}`,
    ]) {
      expect(await codeOf(addAddress(bad)), bad).toBe('invalid_request');
    }
    expect(await codeOf(addAddress('new@example.org', 'nobody'))).toBe('not_found');
    const gone = admin.removeSignInAddress({ teamSlug: 'acme', address: 'new@example.org' });
    expect(await codeOf(gone)).toBe('not_found');
  });
});
