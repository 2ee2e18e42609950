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
import { maxOpenInvitations, maxTriedNames } from '../domain/invitations.ts';
import { memberOf, testClient, testService, tokenKey } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const sevenDaysMs = 7 * 24 * 60 * 60 * 1000;
const asMember = { role: MemberRole.MEMBER, tier: Tier.TEAM };

describeEachEngine('invitations', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let installation: Client<typeof AuthService>;
  let gateway: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    service = await testService({ storage: engine.storage(), clock: () => now });
    installation = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    for (const team of ['acme', 'rivers']) {
      await installation.createTeam({ slug: team, name: `The ${team}` });
      await installation.addMember({ teamSlug: team, handle: 'ada', role: MemberRole.ADMIN });
      await installation.addMember({ teamSlug: team, handle: 'bo', role: MemberRole.MEMBER });
    }
  });
  afterEach(() => service.close());

  /** A client that calls with the token that a key is exchanged for. */
  async function clientOf(credential: string) {
    const { token } = await testClient(service, undefined).exchangeCredential({
      credential,
      audience: 'auth',
    });
    const verifier = createTokenVerifier({ publicKeys: [tokenKey], clock: () => now });
    return testClient(service, (await verifier.verify(token, 'auth')).principal);
  }

  /** A key of a member, of tier team and access write unless told otherwise, and a client that calls with it. */
  async function keyOf(
    memberHandle: string,
    more: { teamSlug?: string; tier?: Tier; access?: Access; expiresAtMs?: number } = {},
  ) {
    const { teamSlug = 'acme', tier = Tier.TEAM, access = Access.WRITE, expiresAtMs } = more;
    const { key, secretKey } = await installation.createKey({
      teamSlug,
      memberHandle,
      tier,
      access,
      expiresAt: expiresAtMs === undefined ? undefined : timestampFromMs(expiresAtMs),
    });
    return { keyId: key?.keyId ?? '', client: await clientOf(secretKey) };
  }

  const invite = async (client: Client<typeof AuthService>, wanted: object = asMember) =>
    client.createInvitation({ teamSlug: 'acme', ...wanted });
  const take = (token: string, memberHandle: string) =>
    gateway.openSession({ credential: { case: 'invitation', value: { token, memberHandle } } });
  const find = (invitationToken: string) => gateway.findInvitation({ invitationToken });
  const handles = async () =>
    (await installation.listMembers({ teamSlug: 'acme' })).members.map(({ handle }) => handle);

  test('an invitation makes its holder a member, with a session and a key of the role, tier and access that it gives', async () => {
    const { client } = await keyOf('ada');
    const [member, admin] = [MemberRole.MEMBER, MemberRole.ADMIN];
    const wanted: [object, object][] = [
      [asMember, { role: member, tier: Tier.TEAM, access: Access.WRITE }],
      [
        { ...asMember, access: Access.READ },
        { role: member, tier: Tier.TEAM, access: Access.READ },
      ],
      [
        { ...asMember, tier: Tier.EXTERNAL },
        { role: member, tier: Tier.EXTERNAL, access: Access.OWN },
      ],
      [
        { ...asMember, role: admin },
        { role: admin, tier: Tier.TEAM, access: Access.WRITE },
      ],
    ];
    for (const [index, [asked, given]] of wanted.entries()) {
      const { invitation, invitationToken } = await invite(client, asked);
      expect(invitationToken).toMatch(/^tmsi_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}$/);
      expect(invitation).toMatchObject({
        ...given,
        madeBy: 'ada',
        expiresAt: timestampFromMs(start + sevenDaysMs),
      });
      const found = await find(invitationToken);
      expect(found.invitation).toEqual(invitation);
      expect(found.team).toMatchObject({ slug: 'acme', name: 'The acme' });
      const { session, secretKey } = await take(invitationToken, `New-${index}`);
      const { caller } = await gateway.authenticate({ session });
      expect(caller).toMatchObject({ memberHandle: `new-${index}`, teamSlug: 'acme' });
      expect((await gateway.authenticate({ key: secretKey })).caller).toEqual(caller);
      expect(given).toMatchObject({ tier: caller?.tier, access: caller?.access });
      expect(caller?.teamAdministrator).toBe(index === 3);
    }
    expect((await client.listInvitations({ teamSlug: 'acme' })).invitations).toEqual([]);
  });

  test('it is taken once, also by those who take it at the same time, and only within seven days', async () => {
    const { client } = await keyOf('ada');
    const { invitationToken } = await invite(client);
    const names = ['p', 'q', 'r', 's'];
    const codes = await Promise.all(names.map((name) => codeOf(take(invitationToken, name))));
    expect(codes.toSorted()).toEqual(['invalid_key', 'invalid_key', 'invalid_key', 'ok']);
    expect(await handles()).toHaveLength(3);
    expect(await codeOf(take(invitationToken, 'late'))).toBe('invalid_key');
    const [kept, late] = [await invite(client), await invite(client)];
    now = start + sevenDaysMs - 1;
    expect(await codeOf(take(kept.invitationToken, 'in-time'))).toBe('ok');
    now = start + sevenDaysMs;
    expect(await codeOf(take(late.invitationToken, 'late'))).toBe('invalid_key');
    expect(await codeOf(find(late.invitationToken))).toBe('invalid_key');
    expect(await handles()).not.toContain('late');
  });

  test('a name that the team has may be corrected, ten names in all, and another text is no name', async () => {
    const { client } = await keyOf('ada');
    const { invitationToken } = await invite(client);
    for (const name of ['', 'two words', '-x', 'x'.repeat(65), 'Ada\0']) {
      expect(await codeOf(take(invitationToken, name)), name).toBe('invalid_request');
    }
    expect(await codeOf(take(invitationToken, 'ADA'))).toBe('already_exists');
    expect(await codeOf(take(invitationToken, 'ada-2'))).toBe('ok');
    const tried = await invite(client);
    for (let n = 0; n < maxTriedNames; n += 1) {
      expect(await codeOf(take(tried.invitationToken, 'bo'))).toBe('already_exists');
    }
    expect(await codeOf(take(tried.invitationToken, 'free'))).toBe('invalid_key');
    expect(await codeOf(find(tried.invitationToken))).toBe('invalid_key');
    expect(await handles()).not.toContain('free');
  });

  test('it ends at once when its maker is no administrator any more, is removed, or the key of the call is revoked', async () => {
    await installation.addMember({ teamSlug: 'acme', handle: 'cy', role: MemberRole.ADMIN });
    const ends: ((keyId: string) => Promise<unknown>)[] = [
      (keyId) => installation.revokeKey({ keyId }),
      () => installation.setMemberRole({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER }),
      () => installation.removeMember({ teamSlug: 'acme', handle: 'ada' }),
    ];
    for (const end of ends) {
      const { keyId, client } = await keyOf('ada');
      const { invitationToken } = await invite(client);
      await end(keyId);
      expect(await codeOf(take(invitationToken, 'late'))).toBe('invalid_key');
      expect(await codeOf(find(invitationToken))).toBe('invalid_key');
      expect((await installation.listInvitations({ teamSlug: 'acme' })).invitations).toEqual([]);
      await installation
        .setMemberRole({ teamSlug: 'acme', handle: 'ada', role: MemberRole.ADMIN })
        .catch(() => 0);
      expect(await codeOf(take(invitationToken, 'late'))).toBe('invalid_key');
    }
  });

  test('it ends with the key that made it, when that expires or is replaced', async () => {
    const expiring = await keyOf('ada', { expiresAtMs: start + 1_000 });
    const replaced = await keyOf('ada');
    const [ofExpiring, ofReplaced] = [await invite(expiring.client), await invite(replaced.client)];
    expect(await codeOf(find(ofReplaced.invitationToken))).toBe('ok');
    await installation.rotateKey({ keyId: replaced.keyId, overlapSeconds: 0 });
    expect(await codeOf(take(ofReplaced.invitationToken, 'new'))).toBe('invalid_key');
    expect(await codeOf(find(ofExpiring.invitationToken))).toBe('ok');
    now = start + 1_000;
    expect((await installation.listInvitations({ teamSlug: 'acme' })).invitations).toEqual([]);
    expect(await codeOf(take(ofExpiring.invitationToken, 'new'))).toBe('invalid_key');
  });

  test('it ends when its maker signs out everywhere, though not with a key of tier external; those of others stay', async () => {
    await installation.addMember({ teamSlug: 'acme', handle: 'cy', role: MemberRole.ADMIN });
    const [own, others] = [await keyOf('ada'), await keyOf('cy')];
    const { invitationToken } = await invite(own.client);
    const { invitationToken: ofOther } = await invite(others.client);
    const guest = await keyOf('ada', { tier: Tier.EXTERNAL });
    await guest.client.endSessions({});
    expect(await codeOf(find(invitationToken))).toBe('ok');
    await own.client.endSessions({});
    expect(await codeOf(take(invitationToken, 'late'))).toBe('invalid_key');
    expect(await codeOf(take(ofOther, 'new'))).toBe('ok');
  });

  test('those that ended with their key leave room for others, up to a hundred', async () => {
    const { client } = await keyOf('ada', { expiresAtMs: start + 1_000 });
    for (let n = 0; n < maxOpenInvitations; n += 1) await invite(client);
    const { client: later } = await keyOf('ada');
    expect(await codeOf(invite(later))).toBe('conflict');
    now = start + 1_000;
    expect(await codeOf(invite(later))).toBe('ok');
  });

  test('it outlives the key of a sign-in, which ends after some hours and takes no rights away', async () => {
    await installation.addSignInAddress({
      teamSlug: 'acme',
      memberHandle: 'ada',
      address: 'ada@example.com',
    });
    const { session } = await gateway.openSession({
      credential: { case: 'verified', value: { teamSlug: 'acme', address: 'ada@example.com' } },
    });
    const { caller } = await gateway.authenticate({ session });
    const client = testClient(service, memberOf(caller));
    const { invitationToken } = await invite(client);
    now = start + sevenDaysMs - 1;
    expect(await codeOf(take(invitationToken, 'new'))).toBe('ok');
  });

  test('nobody but administrators of the team makes, sees or revokes one, each of the own team', async () => {
    const { client } = await keyOf('ada');
    const { invitation } = await invite(client);
    const invitationId = invitation?.invitationId ?? '';
    const acts: ((client: Client<typeof AuthService>) => Promise<unknown>)[] = [
      (by) => by.createInvitation({ teamSlug: 'acme', ...asMember }),
      (by) => by.listInvitations({ teamSlug: 'acme' }),
      (by) => by.revokeInvitation({ teamSlug: 'acme', invitationId }),
    ];
    const weak = [
      await keyOf('bo'),
      await keyOf('ada', { access: Access.READ }),
      await keyOf('ada', { access: Access.OWN }),
      await keyOf('ada', { tier: Tier.EXTERNAL, access: Access.WRITE }),
    ];
    for (const act of acts) {
      for (const other of weak) expect(await codeOf(act(other.client))).toBe('permission_denied');
      const { client: neighbour } = await keyOf('ada', { teamSlug: 'rivers' });
      expect(await codeOf(act(neighbour))).toBe('not_found');
      expect(await codeOf(act(gateway))).toBe('permission_denied');
    }
    const { client: neighbour } = await keyOf('ada', { teamSlug: 'rivers' });
    const taken = neighbour.revokeInvitation({ teamSlug: 'rivers', invitationId });
    expect(await codeOf(taken)).toBe('not_found');
    expect(await codeOf(client.findInvitation({ invitationToken: 'tmsi_' }))).toBe('permission_denied');
    expect(await codeOf(invite(installation))).toBe('permission_denied');
    expect((await installation.listInvitations({ teamSlug: 'acme' })).invitations).toEqual([invitation]);
    await installation.revokeInvitation({ teamSlug: 'acme', invitationId });
    expect(await codeOf(client.revokeInvitation({ teamSlug: 'acme', invitationId }))).toBe('not_found');
  });

  test('it is refused with rights that no key could have, and a team has at most 20 that are open', async () => {
    const { client } = await keyOf('ada');
    const tooMuch: object[] = [
      { role: MemberRole.ADMIN, tier: Tier.EXTERNAL },
      { role: MemberRole.ADMIN, tier: Tier.TEAM, access: Access.READ },
      { role: MemberRole.UNSPECIFIED, tier: Tier.TEAM },
      { role: MemberRole.MEMBER, tier: Tier.UNSPECIFIED },
    ];
    for (const wanted of tooMuch) expect(await codeOf(invite(client, wanted))).toBe('invalid_request');
    const made = [];
    for (let n = 0; n < maxOpenInvitations; n += 1) made.push(await invite(client));
    expect(await codeOf(invite(client))).toBe('conflict');
    const { client: neighbour } = await keyOf('ada', { teamSlug: 'rivers' });
    expect(await codeOf(neighbour.createInvitation({ teamSlug: 'rivers', ...asMember }))).toBe('ok');
    const invitationId = made[0]?.invitation?.invitationId ?? '';
    await client.revokeInvitation({ teamSlug: 'acme', invitationId });
    expect(await codeOf(take(made[0]?.invitationToken ?? '', 'late'))).toBe('invalid_key');
    expect(await codeOf(invite(client))).toBe('ok');
    now = start + sevenDaysMs;
    expect(await codeOf(invite(client))).toBe('ok');
  });

  test('its token proves nothing else, and nothing else proves it', async () => {
    const { client } = await keyOf('ada');
    const { invitationToken } = await invite(client);
    const other = (await invite(client)).invitationToken;
    const { signInToken } = await client.createSignInLink({});
    expect(await codeOf(gateway.authenticate({ key: invitationToken }))).toBe('invalid_key');
    expect(await codeOf(gateway.authenticate({ session: invitationToken }))).toBe('invalid_key');
    const asLink = gateway.openSession({ credential: { case: 'signInToken', value: invitationToken } });
    expect(await codeOf(asLink)).toBe('invalid_key');
    for (const text of [
      '',
      signInToken,
      `${invitationToken}x`,
      invitationToken.slice(0, 22) + other.slice(22),
    ]) {
      expect(await codeOf(take(text, 'new')), text).toBe('invalid_key');
    }
    expect(await codeOf(take(invitationToken, 'new'))).toBe('ok');
  });

  test('who made, took and revoked one is in the audit log, without a token', async () => {
    const { client } = await keyOf('ada');
    const made = [await invite(client), await invite(client)];
    await take(made[0]?.invitationToken ?? '', 'new');
    await client.revokeInvitation({
      teamSlug: 'acme',
      invitationId: made[1]?.invitation?.invitationId ?? '',
    });
    const { entries } = await installation.listAuditEntries({});
    const done = entries.filter(
      ({ action, outcome }) => action.startsWith('invitation.') && outcome === 'done',
    );
    expect(done.map(({ action, actor, object }) => [action, actor?.fullName, object])).toEqual([
      ['invitation.create', 'member:acme/ada', made[0]?.invitation?.invitationId],
      ['invitation.create', 'member:acme/ada', made[1]?.invitation?.invitationId],
      ['invitation.take', 'service:gateway', made[0]?.invitation?.invitationId],
      ['invitation.revoke', 'member:acme/ada', made[1]?.invitation?.invitationId],
    ]);
    expect(done[2]?.after).toMatchObject({ member: 'new', made_by: 'ada', role: 'member', tier: 'team' });
    expect(JSON.stringify(entries.map(({ text }) => text))).not.toMatch(/tmsi_/);
  });
});
