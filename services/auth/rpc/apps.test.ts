import { hash } from 'node:crypto';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxAppsOfKey } from '../domain/keys.ts';
import { memberOf, testClient, testService } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const [secondMs, minuteMs, dayMs] = [1_000, 60_000, 24 * 60 * 60_000];
const clientId = 'https://app.example/client.json';
const resource = 'https://memory.example.com/mcp';
const redirectUri = 'http://127.0.0.1:4000/callback';
const codeVerifier = 'v'.repeat(43);
const codeChallenge = hash('sha256', codeVerifier, 'base64url');

type GivenAccess = typeof Access.READ | typeof Access.OWN | typeof Access.WRITE;

describeEachEngine('apps', (engine) => {
  let service: ServiceInstance;
  let now: number;
  /** How far each look at the clock sets it back: of several processes, one that is later may have an earlier time. */
  let setBackMs: number;
  let admin: Client<typeof AuthService>;
  let gateway: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    setBackMs = 0;
    service = await testService({ storage: engine.storage(), clock: () => (now -= setBackMs) });
    admin = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    await admin.createTeam({ slug: 'acme', name: 'Acme' });
    await admin.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.ADMIN });
  });
  afterEach(() => service.close());

  /** A key of ada, and a client that calls as its holder through the gateway. */
  async function holder(wanted: { tier?: Tier; access?: GivenAccess; expiresAt?: number } = {}) {
    const { tier = Tier.TEAM, access = Access.WRITE, expiresAt } = wanted;
    const { key, secretKey } = await admin.createKey({
      teamSlug: 'acme',
      memberHandle: 'ada',
      tier,
      access,
      expiresAt: expiresAt === undefined ? undefined : timestampFromMs(expiresAt),
    });
    const principal = memberOf((await gateway.authenticate({ key: secretKey })).caller);
    return { keyId: key?.keyId ?? '', principal, calls: testClient(service, principal) };
  }
  type Holder = Awaited<ReturnType<typeof holder>>;

  const connect = ({ calls }: Holder, access: Access = Access.READ, lifetimeSeconds = 86_400) =>
    calls.connectApp({ clientId, redirectUri, codeChallenge, resource, access, lifetimeSeconds });
  const exchange = (code: string, fields: object = {}, app: object = {}) =>
    gateway.issueAppTokens({
      clientId,
      resource,
      grant: { case: 'code', value: { code, redirectUri, codeVerifier, ...fields } },
      ...app,
    });
  const refresh = (refreshToken: string, app: object = {}) =>
    gateway.issueAppTokens({
      clientId,
      resource: '',
      grant: { case: 'refreshToken', value: refreshToken },
      ...app,
    });
  const callerOf = (accessToken: string, at = resource) =>
    gateway.authenticate({ accessToken, resource: at });
  const stateOf = (accessToken: string, at?: string) => codeOf(callerOf(accessToken, at));

  async function connected(from?: Holder, access?: Access) {
    const { key, code } = await connect(from ?? (await holder()), access);
    return { keyId: key?.keyId ?? '', code, ...(await exchange(code)) };
  }

  test('a code gives an access token for an hour, which is the caller of the app at its resource', async () => {
    const { keyId, accessToken, refreshToken, expiresAt, access } = await connected();
    expect([accessToken.slice(0, 5), refreshToken.slice(0, 5), access]).toEqual([
      'tmsa_',
      'tmsr_',
      Access.READ,
    ]);
    expect(expiresAt && timestampMs(expiresAt)).toBe(start + 60 * minuteMs);
    const answer = await callerOf(accessToken, `${resource}/acme`);
    expect(answer.caller).toMatchObject({ keyId, memberHandle: 'ada', tier: Tier.TEAM, access: Access.READ });
    expect(answer.expiresAt).toEqual(expiresAt);
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    expect(keys.find((key) => key.keyId === keyId)).toMatchObject({
      clientId,
      expiresAt: timestampFromMs(start + dayMs),
    });
    now += 60 * minuteMs;
    expect(await stateOf(accessToken)).toBe('invalid_key');
  });

  test('an access token opens nothing but its resource: it is no key, no session and not exchanged', async () => {
    const { accessToken, refreshToken, code } = await connected();
    const elsewhere = ['', 'https://memory.example.com', `${resource}x`, 'https://other.example.com/mcp'];
    for (const url of elsewhere) expect(await stateOf(accessToken, url), url).toBe('invalid_key');
    for (const text of [accessToken, refreshToken, code]) {
      expect(await codeOf(gateway.authenticate({ key: text }))).toBe('invalid_key');
      expect(await codeOf(gateway.authenticate({ session: text }))).toBe('invalid_key');
      expect(await codeOf(gateway.exchangeCredential({ credential: text, audience: 'content' }))).toBe(
        'invalid_key',
      );
      const opened = gateway.openSession({ credential: { case: 'key', value: text } });
      expect(await codeOf(opened)).toBe('invalid_key');
    }
    expect(await stateOf(refreshToken)).toBe('invalid_key');
    expect(await stateOf(code)).toBe('invalid_key');
  });

  test('a code needs its app, address, resource and secret of PKCE, and ends after 60 seconds', async () => {
    const { code } = await connect(await holder());
    for (const fields of [{ redirectUri: `${redirectUri}/` }, { codeVerifier: 'w'.repeat(43) }]) {
      expect(await codeOf(exchange(code, fields))).toBe('invalid_key');
    }
    for (const app of [{ clientId: 'https://evil.example/' }, { resource: `${resource}/acme` }]) {
      expect(await codeOf(exchange(code, {}, app))).toBe('invalid_key');
    }
    expect(await codeOf(refresh(code))).toBe('invalid_key');
    now += minuteMs;
    expect(await codeOf(exchange(code))).toBe('invalid_key');
  });

  const endsOf = async (keyId: string) => {
    const { entries } = await admin.listAuditEntries({});
    return entries.filter(
      (one) => one.action === 'key.revoke' && one.object === keyId && one.outcome === 'done',
    );
  };

  test('of many who exchange a code at once at most one gets tokens, and a second use ends the app, for one entry', async () => {
    const { key, code } = await connect(await holder());
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(code)));
    const given = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { accessToken, refreshToken } of given) {
      expect(await stateOf(accessToken)).toBe('invalid_key');
      expect(await codeOf(refresh(refreshToken))).toBe('invalid_key');
    }
    expect(await endsOf(key?.keyId ?? '')).toHaveLength(1);
  });

  test('of processes whose clocks differ at most one exchanges a code', async () => {
    const { code } = await connect(await holder());
    setBackMs = 1;
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(code)));
    setBackMs = 0;
    expect(tries.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  test('a code is known again for as long as its app lives', async () => {
    const { code, accessToken, refreshToken } = await connected();
    now += 23 * 60 * minuteMs;
    await connected();
    const { accessToken: later } = await refresh(refreshToken);
    expect([await stateOf(accessToken), await stateOf(later)]).toEqual(['invalid_key', 'ok']);
    expect(await codeOf(exchange(code, { codeVerifier: 'w'.repeat(43) }))).toBe('invalid_key');
    expect(await stateOf(later)).toBe('invalid_key');
  });

  test('a code that nobody exchanges leaves no key', async () => {
    const { key } = await connect(await holder());
    expect(key?.expiresAt && timestampMs(key.expiresAt)).toBe(start + minuteMs);
    now += minuteMs;
    await connected();
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    expect(keys.map(({ keyId }) => keyId)).not.toContain(key?.keyId);
  });

  test('a refresh token is good once, and once more for 30 seconds, which ends the token of the lost answer', async () => {
    const first = await connected();
    const lost = await refresh(first.refreshToken);
    now += 29 * secondMs;
    expect(await codeOf(refresh(first.refreshToken, { clientId: 'https://evil.example/' }))).toBe(
      'invalid_key',
    );
    expect(await codeOf(refresh(first.refreshToken, { resource: 'https://evil.example/' }))).toBe(
      'invalid_key',
    );
    const again = await refresh(first.refreshToken);
    for (const { accessToken } of [first, lost, again]) expect(await stateOf(accessToken)).toBe('ok');
    const { entries } = await admin.listAuditEntries({});
    expect(entries.filter(({ action }) => action === 'app.retry').map(({ object }) => object)).toEqual([
      ...[first.keyId, first.keyId],
    ]);
    const next = await refresh(again.refreshToken);
    expect(await codeOf(refresh(lost.refreshToken))).toBe('invalid_key');
    for (const { accessToken } of [first, lost, again, next]) {
      expect(await stateOf(accessToken)).toBe('invalid_key');
    }
    expect(await endsOf(first.keyId)).toHaveLength(1);
  });

  test.each([
    ['a third time', 0],
    ['after 30 seconds', 30 * secondMs],
  ])('a refresh token that is used %s ends the app', async (_when, laterMs) => {
    const first = await connected();
    const second = await refresh(first.refreshToken);
    const last = laterMs === 0 ? await refresh(first.refreshToken) : second;
    now += laterMs;
    expect(await codeOf(refresh(first.refreshToken))).toBe('invalid_key');
    expect(await stateOf(last.accessToken)).toBe('invalid_key');
    expect(await codeOf(refresh(last.refreshToken))).toBe('invalid_key');
  });

  test('an old refresh token is known again, however often a thief has refreshed since', async () => {
    const { refreshToken: stolen } = await connected();
    let { refreshToken, accessToken } = await refresh(stolen);
    for (let n = 0; n < 80; n += 1) {
      now += 2 * secondMs;
      ({ refreshToken, accessToken } = await refresh(refreshToken));
    }
    expect(await stateOf(accessToken)).toBe('ok');
    expect(await codeOf(refresh(stolen))).toBe('invalid_key');
    expect(await stateOf(accessToken)).toBe('invalid_key');
    expect(await codeOf(refresh(refreshToken))).toBe('invalid_key');
  });

  test('of many who refresh with a token at once at most two get tokens', async () => {
    const { refreshToken } = await connected();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => refresh(refreshToken)));
    expect(tries.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
    for (const one of tries) {
      if (one.status === 'fulfilled') expect(await stateOf(one.value.accessToken)).toBe('invalid_key');
    }
  });

  test('an app ends when the key that let it act was replaced, at the end of the overlap', async () => {
    const maker = await holder();
    const app = await connected(maker);
    await admin.rotateKey({ keyId: maker.keyId, overlapSeconds: 60 });
    const { code } = await connect(maker);
    const late = await exchange(code);
    const listed = (await admin.listKeys({ teamSlug: 'acme' })).keys.filter((key) => key.clientId !== '');
    const ends = listed.map(({ expiresAt }) => expiresAt && timestampMs(expiresAt));
    expect(ends).toEqual([now + minuteMs, now + minuteMs]);
    now += minuteMs - 1;
    expect([await stateOf(app.accessToken), await stateOf(late.accessToken)]).toEqual(['ok', 'ok']);
    now += 1;
    for (const { accessToken, refreshToken } of [app, late]) {
      expect(await stateOf(accessToken)).toBe('invalid_key');
      expect(await codeOf(refresh(refreshToken))).toBe('invalid_key');
    }
    const state = await gateway.lookUpCredential({ credential: { case: 'keyId', value: app.keyId } });
    expect(state.valid).toBe(false);
  });

  test('an app of a session of the identity provider outlives the session, and ends with its key or its member', async () => {
    const address = 'ada@example.com';
    await admin.addSignInAddress({ teamSlug: 'acme', memberHandle: 'ada', address });
    const verified = { address, teamSlug: 'acme' };
    const { session } = await gateway.openSession({ credential: { case: 'verified', value: verified } });
    const { caller } = await gateway.authenticate({ session });
    const principal = memberOf(caller);
    const signedIn = { keyId: principal.caller.keyId, principal, calls: testClient(service, principal) };
    const { refreshToken } = await connected(signedIn);
    const other = await connected(signedIn);
    const listed = (await admin.listKeys({ teamSlug: 'acme' })).keys.filter((key) => key.clientId !== '');
    const ends = listed.map(({ expiresAt }) => expiresAt && timestampMs(expiresAt));
    expect(ends).toEqual([now + dayMs, now + dayMs]);
    now += 20 * 60 * minuteMs;
    const { accessToken } = await refresh(refreshToken);
    expect(await stateOf(accessToken)).toBe('ok');
    await admin.revokeKey({ keyId: other.keyId });
    expect(await codeOf(refresh(other.refreshToken))).toBe('invalid_key');
    await admin.addMember({ teamSlug: 'acme', handle: 'bo', role: MemberRole.ADMIN });
    await admin.removeMember({ teamSlug: 'acme', handle: 'ada' });
    expect(await stateOf(accessToken)).toBe('invalid_key');
  });

  test('a key has ten apps, which take no room of the keys of its member, and lists and revokes its own alone', async () => {
    const guest = await holder({ tier: Tier.EXTERNAL, access: Access.READ });
    const others = await connected();
    const own: string[] = [];
    for (let n = 0; n < maxAppsOfKey; n += 1) own.push((await connected(guest)).keyId);
    expect(await codeOf(connect(guest))).toBe('conflict');
    expect(await codeOf(connect(await holder()))).toBe('ok');
    const { keys } = await guest.calls.listKeys({ teamSlug: 'acme' });
    expect(keys.map(({ keyId }) => keyId).sort()).toEqual(own.sort());
    for (const keyId of [others.keyId, guest.keyId, 'none']) {
      expect(await codeOf(guest.calls.revokeKey({ keyId }))).toBe('not_found');
    }
    expect(await stateOf(others.accessToken)).toBe('ok');
    await guest.calls.revokeKey({ keyId: own[0] ?? '' });
    expect(await codeOf(connect(guest))).toBe('ok');
    const created = guest.calls.createKey({ teamSlug: 'acme', memberHandle: 'ada', tier: Tier.EXTERNAL });
    expect(await codeOf(created)).toBe('permission_denied');
    expect(await codeOf(guest.calls.listKeys({ teamSlug: 'other' }))).toBe('not_found');
  });

  test('the audit log has an entry for each app that ends with the key that let it act', async () => {
    const maker = await holder();
    const apps = [await connected(maker), await connected(maker)];
    const bystander = await connected();
    await admin.revokeKey({ keyId: maker.keyId });
    await admin.revokeKey({ keyId: maker.keyId });
    for (const { keyId } of apps) {
      const [entry, ...more] = await endsOf(keyId);
      expect(entry?.after).toEqual({ member: 'ada', by: 'maker' });
      expect(more).toEqual([]);
    }
    expect(await endsOf(bystander.keyId)).toEqual([]);
  });

  test('an app does at most what the key may that let it, never administers, and ends with its own time', async () => {
    const weak = await holder({ tier: Tier.EXTERNAL, access: Access.OWN, expiresAt: start + 10 * minuteMs });
    expect(await codeOf(connect(weak, Access.WRITE))).toBe('forbidden_access');
    const { accessToken, refreshToken } = await connected(weak, Access.OWN);
    const { caller } = await callerOf(accessToken);
    expect(caller).toMatchObject({ tier: Tier.EXTERNAL, access: Access.OWN });
    const strong = await connected(undefined, Access.WRITE);
    expect((await callerOf(strong.accessToken)).caller).toMatchObject({ teamAdministrator: false });
    expect(
      await gateway.lookUpCredential({ credential: { case: 'keyId', value: strong.keyId } }),
    ).toMatchObject({
      valid: true,
      teamAdministrator: false,
    });
    expect(await codeOf(admin.rotateKey({ keyId: strong.keyId }))).toBe('conflict');
    now += 10 * minuteMs;
    expect(await stateOf(accessToken)).toBe('invalid_key');
    expect(await codeOf(refresh(refreshToken))).toBe('invalid_key');
  });

  test('an app ends with its key, with the key that let it act, and with its member', async () => {
    const maker = await holder();
    const ends = [
      (app: { keyId: string }) => admin.revokeKey({ keyId: app.keyId }),
      () => admin.revokeKey({ keyId: maker.keyId }),
    ];
    for (const end of ends) {
      const app = await connected(maker);
      const { code } = await connect(maker);
      await end(app);
      expect(await stateOf(app.accessToken)).toBe('invalid_key');
      expect(await codeOf(refresh(app.refreshToken))).toBe('invalid_key');
      if (end !== ends[0]) expect(await codeOf(exchange(code))).toBe('invalid_key');
    }
    expect(await codeOf(connect(maker))).not.toBe('ok');
    const app = await connected();
    await admin.addMember({ teamSlug: 'acme', handle: 'bo', role: MemberRole.ADMIN });
    await admin.removeMember({ teamSlug: 'acme', handle: 'ada' });
    expect(await stateOf(app.accessToken)).toBe('invalid_key');
    expect(await codeOf(refresh(app.refreshToken))).toBe('invalid_key');
  });

  test('either token revokes the app, only for the app that has it, and a token that is none is no error', async () => {
    const [one, two] = [await connected(), await connected()];
    await gateway.revokeAppToken({ clientId: 'https://evil.example/', token: one.accessToken });
    await gateway.revokeAppToken({ clientId, token: 'none' });
    await gateway.revokeAppToken({ clientId, token: one.code });
    expect(await stateOf(one.accessToken)).toBe('ok');
    await gateway.revokeAppToken({ clientId, token: one.accessToken });
    await gateway.revokeAppToken({ clientId, token: two.refreshToken });
    await gateway.revokeAppToken({ clientId, token: two.refreshToken });
    for (const { accessToken } of [one, two]) expect(await stateOf(accessToken)).toBe('invalid_key');
  });

  test('60 exchanges a minute of one app are refused beyond, and of no other app', async () => {
    const app = await connected();
    let { refreshToken } = app;
    for (let n = 1; n < 60; n += 1) refreshToken = (await refresh(refreshToken)).refreshToken;
    expect(await codeOf(refresh(refreshToken))).toBe('rate_limited');
    expect(await stateOf((await connected()).accessToken)).toBe('ok');
    now += minuteMs;
    expect(await stateOf((await refresh(refreshToken)).accessToken)).toBe('ok');
  });

  test('only the gateway asks for these, for its own callers', async () => {
    const { principal } = await holder();
    const direct = testClient(service, { ...principal, direct: true });
    const foreign = testClient(service, { kind: 'service', name: 'gateway', scopes: [], direct: true });
    const wanted = {
      clientId,
      redirectUri,
      codeChallenge,
      resource,
      access: Access.READ,
      lifetimeSeconds: 60,
    };
    for (const client of [direct, foreign, gateway, admin]) {
      expect(await codeOf(client.connectApp(wanted))).toBe('permission_denied');
    }
    for (const client of [direct, foreign, admin]) {
      expect(await codeOf(client.issueAppTokens({ clientId }))).toBe('permission_denied');
      expect(await codeOf(client.revokeAppToken({ clientId }))).toBe('permission_denied');
    }
  });
});
