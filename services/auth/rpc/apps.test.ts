import { hash } from 'node:crypto';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testClient, testService } from '../test-client.fixture.ts';

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
  let admin: Client<typeof AuthService>;
  let gateway: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    service = await testService({ storage: engine.storage(), clock: () => now });
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
    const { caller } = await gateway.authenticate({ key: secretKey });
    const { teamId = '', teamSlug = '', memberId = '', memberHandle = '', keyId = '' } = caller ?? {};
    const words = { [Access.READ]: 'read', [Access.OWN]: 'own', [Access.WRITE]: 'write' } as const;
    const principal = {
      kind: 'member',
      caller: {
        teamId,
        teamSlug,
        memberId,
        memberHandle,
        keyId,
        tier: tier === Tier.TEAM ? 'team' : 'external',
        access: words[access],
      } satisfies Caller,
    } satisfies Principal;
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

  test('of many who exchange a code at once at most one gets tokens, and a second use ends the app', async () => {
    const { code } = await connect(await holder());
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(code)));
    const given = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { accessToken, refreshToken } of given) {
      expect(await stateOf(accessToken)).toBe('invalid_key');
      expect(await codeOf(refresh(refreshToken))).toBe('invalid_key');
    }
    const later = await connected();
    now += 2 * minuteMs;
    expect(await codeOf(exchange(later.code, { codeVerifier: 'w'.repeat(43) }))).toBe('invalid_key');
    expect(await stateOf(later.accessToken)).toBe('invalid_key');
  });

  test('a refresh token is good once and for 30 seconds more; after that its use ends the app', async () => {
    const first = await connected();
    const second = await refresh(first.refreshToken);
    now += 29 * secondMs;
    const again = await refresh(first.refreshToken);
    for (const { accessToken } of [first, second, again]) expect(await stateOf(accessToken)).toBe('ok');
    expect(await codeOf(refresh(second.refreshToken, { clientId: 'https://evil.example/' }))).toBe(
      'invalid_key',
    );
    expect(await codeOf(refresh(second.refreshToken, { resource: 'https://evil.example/' }))).toBe(
      'invalid_key',
    );
    now += secondMs;
    expect(await codeOf(refresh(first.refreshToken))).toBe('invalid_key');
    for (const { accessToken } of [first, second, again])
      expect(await stateOf(accessToken)).toBe('invalid_key');
    expect(await codeOf(refresh(second.refreshToken))).toBe('invalid_key');
    const { entries } = await admin.listAuditEntries({});
    const revoked = entries.filter(({ action, object }) => action === 'key.revoke' && object === first.keyId);
    expect(revoked.length).toBeGreaterThan(0);
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
