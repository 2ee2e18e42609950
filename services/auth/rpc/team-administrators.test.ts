import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createTokenVerifier } from '@teammemory/rpc/auth/caller-token.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testClient, testService, tokenKey } from '../test-client.fixture.ts';

const now = Date.UTC(2026, 10, 23);

describeEachEngine('administrators of a team', (engine) => {
  let service: ServiceInstance;
  let installation: Client<typeof AuthService>;

  beforeEach(async () => {
    service = await testService({ storage: engine.storage(), clock: () => now });
    installation = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    for (const team of ['acme', 'rivers']) {
      await installation.createTeam({ slug: team, name: team });
      await installation.addMember({ teamSlug: team, handle: 'ada', role: MemberRole.ADMIN });
      await installation.addMember({ teamSlug: team, handle: 'bo', role: MemberRole.MEMBER });
    }
  });
  afterEach(() => service.close());

  /** A key of a member, and a client that calls with the token that it is exchanged for. */
  async function keyOf(teamSlug: string, memberHandle: string, more: { tier?: Tier; access?: Access } = {}) {
    const { key, secretKey } = await installation.createKey({
      teamSlug,
      memberHandle,
      tier: Tier.TEAM,
      access: Access.WRITE,
      ...more,
    });
    const { token } = await testClient(service, undefined).exchangeCredential({
      credential: secretKey,
      audience: 'auth',
    });
    const verifier = createTokenVerifier({ publicKeys: [tokenKey], clock: () => now });
    const { principal } = await verifier.verify(token, 'auth');
    return { keyId: key?.keyId ?? '', client: testClient(service, principal) };
  }

  /** What administrators of a team may do, each on a team. */
  const acts: Record<string, (client: Client<typeof AuthService>, teamSlug: string) => Promise<unknown>> = {
    listMembers: (client, teamSlug) => client.listMembers({ teamSlug }),
    addMember: (client, teamSlug) => client.addMember({ teamSlug, handle: 'new', role: MemberRole.MEMBER }),
    listKeys: (client, teamSlug) => client.listKeys({ teamSlug }),
    createKey: (client, teamSlug) => client.createKey({ teamSlug, memberHandle: 'bo', tier: Tier.TEAM }),
    addSignInAddress: (client, teamSlug) =>
      client.addSignInAddress({ teamSlug, memberHandle: 'bo', address: 'bo@example.com' }),
    listSignInAddresses: (client, teamSlug) => client.listSignInAddresses({ teamSlug }),
    removeSignInAddress: (client, teamSlug) =>
      client.removeSignInAddress({ teamSlug, address: 'bo@example.com' }),
    setMemberRole: (client, teamSlug) =>
      client.setMemberRole({ teamSlug, handle: 'bo', role: MemberRole.MEMBER }),
    removeMember: (client, teamSlug) => client.removeMember({ teamSlug, handle: 'new' }),
  };

  test('look after the members, keys and addresses of their own team', async () => {
    const { client } = await keyOf('acme', 'ada');
    for (const [name, act] of Object.entries(acts))
      expect([name, await codeOf(act(client, 'acme'))]).toEqual([name, 'ok']);
    const { keyId } = await keyOf('acme', 'bo');
    expect((await client.revokeKey({ keyId })).key?.revokedAt).toBeDefined();
  });

  test('cannot tell another team from one that does not exist', async () => {
    const { client } = await keyOf('acme', 'ada');
    for (const [name, act] of Object.entries(acts)) {
      for (const team of ['rivers', 'nowhere']) {
        expect([name, team, await codeOf(act(client, team))]).toEqual([name, team, 'not_found']);
      }
    }
    const { keyId } = await keyOf('rivers', 'bo');
    expect(await codeOf(client.revokeKey({ keyId }))).toBe('not_found');
    expect(await codeOf(client.rotateKey({ keyId }))).toBe('not_found');
    const { keys } = await installation.listKeys({ teamSlug: 'rivers' });
    expect(keys.filter(({ revokedAt }) => revokedAt !== undefined)).toEqual([]);
  });

  test.for<[string, string, { tier?: Tier; access?: Access }]>([
    ['a member', 'bo', {}],
    ['a guest key of an administrator', 'ada', { tier: Tier.EXTERNAL }],
    ['a key of an administrator that only reads', 'ada', { access: Access.READ }],
    ['a key of an administrator for own items', 'ada', { access: Access.OWN }],
  ])('are not: %s', async ([, member, more]) => {
    const { client, keyId } = await keyOf('acme', member, more);
    const isOwnKeys = member === 'bo';
    for (const [name, act] of Object.entries(acts)) {
      // Any key lists and revokes keys of apps that it connected; these have none.
      const isAllowed = name === 'listKeys' || (isOwnKeys && /Keys?$/.test(name));
      const expected = isAllowed ? 'ok' : 'permission_denied';
      expect([name, await codeOf(act(client, 'acme'))]).toEqual([name, expected]);
    }
    expect(await codeOf(client.rotateKey({ keyId }))).toBe('permission_denied');
    if (!isOwnKeys) expect((await client.listKeys({ teamSlug: 'acme' })).keys).toEqual([]);
    expect(await codeOf(client.revokeKey({ keyId }))).toBe(isOwnKeys ? 'ok' : 'not_found');
  });

  test('change roles, and never leave their team without an administrator', async () => {
    const { client } = await keyOf('acme', 'ada');
    const demote = (handle: string, by = client) =>
      codeOf(by.setMemberRole({ teamSlug: 'acme', handle, role: MemberRole.MEMBER }));
    expect(await demote('ada')).toBe('conflict');
    expect(await codeOf(client.removeMember({ teamSlug: 'acme', handle: 'ada' }))).toBe('conflict');
    const { member } = await client.setMemberRole({ teamSlug: 'acme', handle: 'BO', role: MemberRole.ADMIN });
    expect(member?.role).toBe(MemberRole.ADMIN);
    expect(await demote('ada')).toBe('ok');
    expect(await demote('bo', installation)).toBe('ok');
    expect(await demote('nobody', installation)).toBe('not_found');
  });

  test('of two who demote each other at the same time, one or both remain', async () => {
    await installation.setMemberRole({ teamSlug: 'acme', handle: 'bo', role: MemberRole.ADMIN });
    const [ada, bo] = [await keyOf('acme', 'ada'), await keyOf('acme', 'bo')];
    const role = MemberRole.MEMBER;
    await Promise.all([
      codeOf(ada.client.setMemberRole({ teamSlug: 'acme', handle: 'bo', role })),
      codeOf(bo.client.setMemberRole({ teamSlug: 'acme', handle: 'ada', role })),
    ]);
    const { members } = await installation.listMembers({ teamSlug: 'acme' });
    expect(members.some((member) => member.role === MemberRole.ADMIN)).toBe(true);
  });

  test('replace a key by one like it, and the old one works on for as long as they said', async () => {
    const { client } = await keyOf('acme', 'ada');
    const made = await installation.createKey({
      teamSlug: 'acme',
      memberHandle: 'bo',
      tier: Tier.EXTERNAL,
      access: Access.READ,
      itemWritesPerMinute: 7,
      expiresAt: timestampFromMs(now + 1_000_000),
    });
    const rotated = await client.rotateKey({ keyId: made.key?.keyId ?? '', overlapSeconds: 60 });
    expect(rotated.key).toMatchObject({
      memberHandle: 'bo',
      tier: Tier.EXTERNAL,
      access: Access.READ,
      itemWritesPerMinute: 7,
      expiresAt: timestampFromMs(now + 1_000_000),
    });
    expect(rotated.replaced?.expiresAt).toEqual(timestampFromMs(now + 60_000));
    const gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    for (const key of [made.secretKey, rotated.secretKey])
      expect(await codeOf(gateway.authenticate({ key }))).toBe('ok');
    const next = await client.rotateKey({ keyId: rotated.key?.keyId ?? '', overlapSeconds: 0 });
    expect(await codeOf(gateway.authenticate({ key: rotated.secretKey }))).toBe('invalid_key');
    expect(await codeOf(gateway.authenticate({ key: next.secretKey }))).toBe('ok');
  });

  test('replace no key that is not valid any more, and let none overlap for more than 30 days', async () => {
    const { client } = await keyOf('acme', 'ada');
    const { keyId } = await keyOf('acme', 'bo');
    const overlapSeconds = 30 * 24 * 3_600 + 1;
    expect(await codeOf(client.rotateKey({ keyId, overlapSeconds }))).toBe('invalid_request');
    await client.revokeKey({ keyId });
    expect(await codeOf(client.rotateKey({ keyId }))).toBe('conflict');
    expect(await codeOf(client.rotateKey({ keyId: 'unknown' }))).toBe('not_found');
  });

  test('do not make, list or read teams, nor look after service credentials', async () => {
    const { client } = await keyOf('acme', 'ada');
    const calls = [
      client.createTeam({ slug: 'more', name: 'More' }),
      client.listTeams({}),
      client.getTeam({ slug: 'acme' }),
      client.createServiceCredential({ name: 'search', scopes: ['feed:read'] }),
      client.listServiceCredentials({}),
      client.revokeServiceCredential({ name: 'search' }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'permission_denied'));
  });

  test('are told so to the gateway, which asks for every key', async () => {
    const gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    const told = async (memberHandle: string, tier: Tier) => {
      const { secretKey } = await installation.createKey({ teamSlug: 'acme', memberHandle, tier });
      return (await gateway.authenticate({ key: secretKey })).caller?.teamAdministrator;
    };
    expect(await told('ada', Tier.TEAM)).toBe(true);
    expect(await told('ada', Tier.EXTERNAL)).toBe(false);
    expect(await told('bo', Tier.TEAM)).toBe(false);
  });

  test('are not who got the handle of a removed administrator, with a key from before', async () => {
    const { client } = await keyOf('acme', 'ada');
    await installation.removeMember({ teamSlug: 'acme', handle: 'ada' });
    await installation.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER });
    const next = await keyOf('acme', 'ada');
    expect(await codeOf(next.client.listMembers({ teamSlug: 'acme' }))).toBe('permission_denied');
    // Nor do the keys of the one before belong to the member of the same name.
    const { keys } = await next.client.listKeys({ teamSlug: 'acme' });
    expect(keys.map(({ keyId }) => keyId)).toEqual([next.keyId]);
    // A token lives for a minute at most, in which it may only look.
    expect(await codeOf(client.listKeys({ teamSlug: 'acme' }))).toBe('ok');
  });

  test('change nothing any more with a token from before they were demoted, or their key revoked', async () => {
    const changes = Object.entries(acts).filter(([name]) => !name.startsWith('list'));
    const { client, keyId } = await keyOf('acme', 'ada');
    const { keyId: keyOfBo } = await keyOf('acme', 'bo');
    const all: [string, () => Promise<unknown>][] = [
      ...changes.map(([name, act]): [string, () => Promise<unknown>] => [name, () => act(client, 'acme')]),
      ['revokeKey', () => client.revokeKey({ keyId: keyOfBo })],
      ['rotateKey', () => client.rotateKey({ keyId: keyOfBo })],
    ];
    const codes = async () =>
      Object.fromEntries(await Promise.all(all.map(async ([name, act]) => [name, await codeOf(act())])));
    // To a member the keys of others do not exist.
    const demoted = {
      ...Object.fromEntries(all.map(([name]) => [name, 'permission_denied'])),
      revokeKey: 'not_found',
    };
    const each = (code: string) => Object.fromEntries(all.map(([name]) => [name, code]));
    await installation.setMemberRole({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER });
    expect(await codes()).toEqual(demoted);
    expect(await codeOf(client.createSignInLink({}))).toBe('ok');
    await installation.setMemberRole({ teamSlug: 'acme', handle: 'ada', role: MemberRole.ADMIN });
    await installation.revokeKey({ keyId });
    expect(await codes()).toEqual(each('invalid_key'));
    expect(await codeOf(client.createSignInLink({}))).toBe('invalid_key');
    expect(await codeOf(client.endSessions({}))).toBe('invalid_key');
  });

  test('of the installation make nothing that lasts once their token is revoked', async () => {
    await installation.createOperator({ name: 'eve' });
    const eve = testClient(service, { kind: 'administrator', name: 'eve' });
    expect(await codeOf(eve.createTeam({ slug: 'first', name: 'First' }))).toBe('ok');
    await installation.revokeOperator({ name: 'eve' });
    const calls = [
      eve.createOperator({ name: 'mallory' }),
      eve.createServiceCredential({ name: 'search', scopes: ['feed:read'] }),
      eve.createTeam({ slug: 'more', name: 'More' }),
      eve.createKey({ teamSlug: 'acme', memberHandle: 'ada', tier: Tier.TEAM }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'unauthenticated'));
  });
});
