import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxOwnKeys } from '../domain/keys.ts';
import { memberOf, testClient, testService } from '../test-client.fixture.ts';

const now = Date.UTC(2026, 10, 23);
const dayMs = 24 * 60 * 60 * 1_000;
const teamSlug = 'acme';

describeEachEngine('members', (engine) => {
  let service: ServiceInstance;
  let installation: Client<typeof AuthService>;

  beforeEach(async () => {
    service = await testService({ storage: engine.storage(), clock: () => now });
    installation = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    await installation.createTeam({ slug: teamSlug, name: teamSlug });
    for (const handle of ['bo', 'cy']) {
      await installation.addMember({ teamSlug, handle, role: MemberRole.MEMBER });
    }
  });
  afterEach(() => service.close());

  const gateway = () => testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });

  /** A client that calls with a key as the gateway calls for its holder. */
  async function holderOf(key: string) {
    const { caller } = await gateway().authenticate({ key });
    return { keyId: caller?.keyId ?? '', client: testClient(service, memberOf(caller)) };
  }

  async function member(
    memberHandle: string,
    more: { expiresAt?: number; itemWritesPerMinute?: number } = {},
  ) {
    const { expiresAt, ...limit } = more;
    const { secretKey } = await installation.createKey({
      teamSlug,
      memberHandle,
      tier: Tier.TEAM,
      ...(expiresAt !== undefined && { expiresAt: timestampFromMs(expiresAt) }),
      ...limit,
    });
    return holderOf(secretKey);
  }

  test('make, list and revoke their own keys, and see no sign of those of others', async () => {
    const [bo, cy] = [await member('bo'), await member('cy')];
    const wanted = { teamSlug, memberHandle: 'BO', tier: Tier.TEAM, access: Access.READ };
    const { key, secretKey } = await bo.client.createKey(wanted);
    expect(key).toMatchObject({ memberHandle: 'bo', access: Access.READ });
    expect((await gateway().authenticate({ key: secretKey })).caller?.memberHandle).toBe('bo');
    const listed = await bo.client.listKeys({ teamSlug, memberHandle: 'cy' });
    expect(listed.keys.map(({ keyId }) => keyId).sort()).toEqual([bo.keyId, key?.keyId].sort());
    const made = key?.keyId ?? '';
    for (const keyId of [cy.keyId, 'unknown']) {
      expect(await codeOf(bo.client.revokeKey({ keyId }))).toBe('not_found');
    }
    expect(await codeOf(cy.client.revokeKey({ keyId: made }))).toBe('not_found');
    expect(await codeOf(bo.client.createKey({ ...wanted, memberHandle: 'cy' }))).toBe('permission_denied');
    expect(await codeOf(bo.client.createKey({ ...wanted, teamSlug: 'rivers' }))).toBe('not_found');
    expect(await codeOf(bo.client.revokeKey({ keyId: made }))).toBe('ok');
    expect(await codeOf(gateway().authenticate({ key: secretKey }))).toBe('invalid_key');
    const ofCy = await installation.listKeys({ teamSlug, memberHandle: 'cy' });
    expect(ofCy.keys.map(({ keyId }) => keyId)).toEqual([cy.keyId]);
  });

  test('give a key at most the rights of their own: its end and its limit of writes', async () => {
    const bo = await member('bo', { expiresAt: now + 30 * dayMs, itemWritesPerMinute: 7 });
    const wanted = { teamSlug, memberHandle: 'bo', tier: Tier.TEAM };
    const { key } = await bo.client.createKey(wanted);
    expect(key?.itemWritesPerMinute).toBe(7);
    expect(key?.expiresAt && timestampMs(key.expiresAt)).toBe(now + 30 * dayMs);
    const later = { ...wanted, expiresAt: timestampFromMs(now + 30 * dayMs + 1) };
    expect(await codeOf(bo.client.createKey(later))).toBe('invalid_request');
    const faster = { ...wanted, itemWritesPerMinute: 7 };
    expect(await codeOf(bo.client.createKey(faster))).toBe('permission_denied');
    await installation.revokeKey({ keyId: bo.keyId });
    expect(await codeOf(bo.client.createKey(wanted))).toBe('invalid_key');
  });

  test('who signed in with an address make keys for a year at most', async () => {
    await installation.addSignInAddress({ teamSlug, memberHandle: 'bo', address: 'bo@example.com' });
    const verified = { address: 'bo@example.com', teamSlug };
    const { session } = await gateway().openSession({ credential: { case: 'verified', value: verified } });
    const { caller } = await gateway().authenticate({ session });
    const client = testClient(service, memberOf(caller));
    const { key } = await client.createKey({ teamSlug, memberHandle: 'bo', tier: Tier.TEAM });
    expect(key?.expiresAt && timestampMs(key.expiresAt)).toBe(now + 365 * dayMs);
  });

  test('have a bounded number of valid keys', async () => {
    const bo = await member('bo');
    const make = () => codeOf(bo.client.createKey({ teamSlug, memberHandle: 'bo', tier: Tier.EXTERNAL }));
    for (let made = 1; made < maxOwnKeys; made++) expect(await make()).toBe('ok');
    expect(await make()).toBe('conflict');
    const { keys } = await bo.client.listKeys({ teamSlug });
    // Keys of one moment are listed in the order of their random ids: the last may be the one that is in use.
    const other = keys.find(({ keyId }) => keyId !== bo.keyId);
    await bo.client.revokeKey({ keyId: other?.keyId ?? '' });
    expect(await make()).toBe('ok');
  });
});
