import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createTokenVerifier } from '@teammemory/rpc/auth/caller-token.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testClient, testService, tokenKey } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);

describeEachEngine('ExchangeCredential', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let admin: Client<typeof AuthService>;
  let anyone: Client<typeof AuthService>;
  const log = silentLog();
  const logged = vi.spyOn(log, 'info');

  beforeEach(async () => {
    now = start;
    logged.mockClear();
    service = await testService({ storage: engine.storage(), clock: () => now, log });
    admin = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    anyone = testClient(service, undefined);
  });
  afterEach(() => service.close());

  async function createKey(tier: Tier = Tier.TEAM) {
    const { team } = await admin.createTeam({ slug: 'acme', name: 'Acme' });
    const { member } = await admin.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER });
    const { key, secretKey } = await admin.createKey({ teamSlug: 'acme', memberHandle: 'ada', tier });
    return { team, member, keyId: key?.keyId ?? '', secretKey };
  }
  async function createCredential(scopes: string[], expiresAtMs?: number) {
    const expiresAt = expiresAtMs === undefined ? undefined : timestampFromMs(expiresAtMs);
    return (await admin.createServiceCredential({ name: 'search', scopes, expiresAt })).secretCredential;
  }
  const exchange = (credential: string, audience = 'content') =>
    anyone.exchangeCredential({ credential, audience });
  const verify = (token: string, audience: string) =>
    createTokenVerifier({ publicKeys: [tokenKey], clock: () => now }).verify(token, audience);

  test("a member's key becomes a token of this member who calls directly, for one service and a minute", async () => {
    const { team, member, keyId, secretKey } = await createKey(Tier.EXTERNAL);
    const { token, expiresAt } = await exchange(secretKey);
    expect(await verify(token, 'content')).toEqual({
      principal: {
        kind: 'member',
        direct: true,
        caller: {
          teamId: team?.teamId,
          teamSlug: 'acme',
          memberId: member?.memberId,
          memberHandle: 'ada',
          tier: 'external',
          access: 'own',
          keyId,
        },
      },
      expiresAtMs: start - 123 + 60_000,
    });
    expect(expiresAt).toEqual(timestampFromMs(start - 123 + 60_000));
    await expect(verify(token, 'query')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a service credential becomes a token with its name and its scopes, and the log has the name alone', async () => {
    const credential = await createCredential(['feed:read', 'auth:read']);
    expect(credential).toMatch(/^tmss_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
    for (const audience of ['analytics', 'auth', 'content', 'query']) {
      const { token } = await exchange(credential, audience);
      expect((await verify(token, audience)).principal).toEqual({
        kind: 'service',
        name: 'search',
        scopes: ['auth:read', 'feed:read'],
        direct: true,
      });
    }
    const lines = JSON.stringify(logged.mock.calls);
    expect(lines).toContain('"service":"search"');
    expect(lines).not.toContain(credential.slice(-43));
  });

  test('malformed, unknown, expired and revoked credentials get one and the same answer', async () => {
    const { keyId, secretKey } = await createKey();
    const credential = await createCredential(['feed:read'], start + 1_000);
    await admin.revokeKey({ keyId });
    now = start + 1_000;
    const id = credential.slice(5, 21);
    const refused = ['', 'tms_', 'tmss_', `tmss_${id}_${'a'.repeat(43)}`, 'x'.repeat(1_000_000)];
    refused.push(secretKey, credential, credential.replace('tmss_', 'tms_'), `${credential} `);
    const answers = refused.map((text) => exchange(text).catch(appErrorFromRpc));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({
        code: 'invalid_key',
        message: 'The API key is missing or not valid.',
        violations: [],
      });
    }
  });

  test('a revoked service credential is exchanged no more', async () => {
    const credential = await createCredential(['feed:read']);
    await exchange(credential);
    await admin.revokeServiceCredential({ name: 'search' });
    expect(await codeOf(exchange(credential))).toBe('invalid_key');
  });

  test('a token is for a service that there is', async () => {
    const { secretKey } = await createKey();
    for (const audience of ['', 'gateway', 'Content', '__proto__']) {
      expect(await codeOf(exchange(secretKey, audience)), audience).toBe('invalid_request');
    }
  });

  test('a credential is exchanged 60 times within any minute, without a cost to others', async () => {
    const { secretKey } = await createKey();
    const credential = await createCredential(['feed:read']);
    const codes = await Promise.all(Array.from({ length: 70 }, () => codeOf(exchange(credential))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(60);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(10);
    expect(await codeOf(exchange(secretKey))).toBe('ok');
    now += 60_000;
    expect(await codeOf(exchange(credential))).toBe('ok');
  });

  test('a service credential is no key: what the gateway asks does not take it', async () => {
    const gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    const key = await createCredential(['auth:read', 'feed:read']);
    expect(await codeOf(gateway.authenticate({ key }))).toBe('invalid_key');
  });

  test('the secret of a service credential is neither stored nor listed', async () => {
    const credential = await createCredential(['feed:read']);
    const listed = await admin.listServiceCredentials({});
    expect(listed.serviceCredentials).toMatchObject([
      { name: 'search', credentialId: credential.slice(5, 21) },
    ]);
    expect(
      JSON.stringify(listed, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(credential.slice(-43));
  });
});
