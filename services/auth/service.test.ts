import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testClient, testService } from './test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const administrator: Principal = { kind: 'administrator', name: 'bootstrap' };
const gateway: Principal = { kind: 'service', name: 'gateway', scopes: ['auth:read'] };

describeEachEngine('the auth service', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let admin: Client<typeof AuthService>;
  let reader: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    service = await testService({ storage: engine.storage(), clock: () => now });
    admin = testClient(service, administrator);
    reader = testClient(service, gateway);
  });
  afterEach(() => service.close());

  /** Makes team `acme` with member `ada` and one key of hers. */
  async function createKey() {
    const { team } = await admin.createTeam({ slug: 'acme', name: 'Acme' });
    const { member } = await admin.addMember({ teamSlug: 'acme', handle: 'Ada', role: MemberRole.ADMIN });
    const { key } = await admin.createKey({
      teamSlug: 'acme',
      memberHandle: 'ADA',
      tier: Tier.EXTERNAL,
    });
    return { team, member, keyId: key?.keyId ?? '' };
  }

  test('revoking again succeeds and does not move the revocation', async () => {
    const { keyId } = await createKey();
    const first = await admin.revokeKey({ keyId });
    now += 1_000;
    expect((await admin.revokeKey({ keyId })).key?.revokedAt).toEqual(timestampFromMs(start));
    expect(first.key?.revokedAt).toEqual(timestampFromMs(start));
  });

  test('revoking a service credential again does not move the revocation, and its name stays taken', async () => {
    const wanted = { name: 'search', scopes: ['feed:read'] };
    await admin.createServiceCredential(wanted);
    await admin.revokeServiceCredential({ name: 'search' });
    now += 1_000;
    const again = await admin.revokeServiceCredential({ name: 'search' });
    expect(again.serviceCredential?.revokedAt).toEqual(timestampFromMs(start));
    expect(await codeOf(admin.createServiceCredential(wanted))).toBe('already_exists');
  });

  test('of many who create the same team at the same time exactly one does', async () => {
    const attempts = Array.from({ length: 16 }, () => admin.createTeam({ slug: 'acme', name: 'Acme' }));
    const codes = await Promise.all(attempts.map(codeOf));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'already_exists')).toHaveLength(15);
  });

  test('a taken handle is refused in any case of its letters', async () => {
    await createKey();
    const again = { teamSlug: 'acme', handle: 'aDa', role: MemberRole.MEMBER };
    expect(await codeOf(admin.addMember(again))).toBe('already_exists');
  });

  test('a key has the access and the limit it was made with, else those of its tier', async () => {
    await createKey();
    const made = async (wanted: { tier: Tier; access?: Access; itemWritesPerMinute?: number }) => {
      const { key, secretKey } = await admin.createKey({ teamSlug: 'acme', memberHandle: 'ada', ...wanted });
      const { caller, itemWritesPerMinute } = await reader.authenticate({ key: secretKey });
      expect([key?.access, key?.itemWritesPerMinute]).toEqual([caller?.access, itemWritesPerMinute]);
      return [caller?.access, itemWritesPerMinute];
    };
    expect(await made({ tier: Tier.TEAM })).toEqual([Access.WRITE, undefined]);
    expect(await made({ tier: Tier.EXTERNAL })).toEqual([Access.OWN, undefined]);
    const access = Access.READ;
    expect(await made({ tier: Tier.TEAM, access, itemWritesPerMinute: 1 })).toEqual([Access.READ, 1]);
    const itemWritesPerMinute = 1_000_000;
    expect(await made({ tier: Tier.EXTERNAL, access: Access.WRITE, itemWritesPerMinute })).toEqual([
      ...[Access.WRITE, 1_000_000],
    ]);
    const listed = (await admin.listKeys({ teamSlug: 'acme' })).keys;
    expect(listed.map((key) => key.itemWritesPerMinute).toSorted()).toEqual([
      1,
      1_000_000,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a removed member has no valid key, and a later member of the same handle is another', async () => {
    const { member } = await createKey();
    const named = { teamSlug: 'acme', memberHandle: 'ada', tier: Tier.TEAM };
    const { secretKey } = await admin.createKey(named);
    expect(await admin.removeMember({ teamSlug: 'acme', handle: 'ADA' })).toMatchObject({ revokedKeys: 2 });
    expect(await codeOf(reader.authenticate({ key: secretKey }))).toBe('invalid_key');
    expect(await codeOf(reader.exchangeCredential({ credential: secretKey, audience: 'content' }))).toBe(
      'invalid_key',
    );
    expect(await codeOf(admin.createKey(named))).toBe('not_found');
    expect(await codeOf(admin.removeMember({ teamSlug: 'acme', handle: 'ada' }))).toBe('not_found');
    const again = await admin.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER });
    expect(again.member?.memberId).not.toBe(member?.memberId);
    expect(await codeOf(reader.authenticate({ key: secretKey }))).toBe('invalid_key');
  });

  test('no key that is made while its member is removed stays valid', async () => {
    await createKey();
    const named = { teamSlug: 'acme', memberHandle: 'ada', tier: Tier.TEAM };
    const made = Array.from({ length: 8 }, () => admin.createKey(named).catch(() => undefined));
    const removed = admin.removeMember({ teamSlug: 'acme', handle: 'ada' });
    const more = Array.from({ length: 8 }, () => admin.createKey(named).catch(() => undefined));
    await Promise.all([removed, ...made, ...more]);
    const { keys } = await admin.listKeys({ teamSlug: 'acme' });
    expect(keys.filter(({ revokedAt }) => revokedAt === undefined)).toEqual([]);
  });

  test('a member is found by handle in its own team only', async () => {
    const { team, member } = await createKey();
    const other = await admin.createTeam({ slug: 'other', name: 'Other' });
    expect((await reader.findMember({ teamId: team?.teamId, handle: 'ADA' })).member).toEqual(member);
    expect(await codeOf(reader.findMember({ teamId: other.team?.teamId, handle: 'ada' }))).toBe('not_found');
    expect(await codeOf(reader.findMember({ teamId: team?.teamId, handle: '$ne' }))).toBe('not_found');
  });

  test('lists are read page by page, without a gap and without a repetition', async () => {
    await createKey();
    for (const slug of ['b', 'c']) await admin.createTeam({ slug, name: slug });
    for (const handle of ['b', 'c']) {
      await admin.addMember({ teamSlug: 'acme', handle, role: MemberRole.MEMBER });
      now += 1;
      await admin.createKey({ teamSlug: 'acme', memberHandle: handle, tier: Tier.TEAM });
    }
    const teams = await everyPage(
      (page) => admin.listTeams(page),
      ({ teams }) => teams,
    );
    expect(teams.map(({ slug }) => slug)).toEqual(['acme', 'b', 'c']);
    const members = await everyPage(
      (page) => admin.listMembers({ teamSlug: 'acme', ...page }),
      ({ members }) => members,
    );
    expect(members.map(({ handle }) => handle)).toEqual(['ada', 'b', 'c']);
    const keys = await everyPage(
      (page) => admin.listKeys({ teamSlug: 'acme', ...page }),
      ({ keys }) => keys,
    );
    expect(keys.map(({ memberHandle }) => memberHandle)).toEqual(['ada', 'b', 'c']);
    for (const name of ['c', 'a', 'b']) {
      await admin.createServiceCredential({ name, scopes: ['feed:read', 'auth:read', 'feed:read'] });
    }
    const credentials = await everyPage(
      (page) => admin.listServiceCredentials(page),
      ({ serviceCredentials }) => serviceCredentials,
    );
    expect(credentials.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(credentials[0]?.scopes).toEqual(['auth:read', 'feed:read']);
  });

  test('a page token is good for its own list only', async () => {
    await createKey();
    await admin.addMember({ teamSlug: 'acme', handle: 'b', role: MemberRole.MEMBER });
    await admin.createTeam({ slug: 'other', name: 'Other' });
    const { nextPageToken: pageToken } = await admin.listMembers({ teamSlug: 'acme', pageSize: 1 });
    expect(pageToken).not.toBe('');
    expect(await codeOf(admin.listMembers({ teamSlug: 'other', pageToken }))).toBe('invalid_cursor');
    expect(await codeOf(admin.listKeys({ teamSlug: 'acme', pageToken }))).toBe('invalid_cursor');
    expect(await codeOf(admin.listTeams({ pageToken }))).toBe('invalid_cursor');
  });

  test('what does not exist is not found', async () => {
    await admin.createTeam({ slug: 'acme', name: 'Acme' });
    const [role, tier] = [MemberRole.MEMBER, Tier.TEAM];
    const calls = [
      admin.getTeam({ slug: 'none' }),
      admin.addMember({ teamSlug: 'none', handle: 'ada', role }),
      admin.listMembers({ teamSlug: 'none' }),
      admin.listKeys({ teamSlug: 'none' }),
      admin.createKey({ teamSlug: 'none', memberHandle: 'ada', tier }),
      admin.createKey({ teamSlug: 'acme', memberHandle: 'ada', tier }),
      admin.removeMember({ teamSlug: 'none', handle: 'ada' }),
      admin.removeMember({ teamSlug: 'acme', handle: '$ne' }),
      admin.revokeKey({ keyId: '0123456789ABCDEF' }),
      admin.revokeServiceCredential({ name: 'none' }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'not_found'));
  });

  test('bad input is refused and leaves nothing behind', async () => {
    await createKey();
    const [role, tier] = [MemberRole.MEMBER, Tier.TEAM];
    const key = { teamSlug: 'acme', memberHandle: 'ada' };
    const calls = [
      admin.createTeam({ slug: 'Not A Slug', name: 'x' }),
      admin.createTeam({ slug: 'b', name: '' }),
      admin.addMember({ teamSlug: 'acme', handle: 'b c', role }),
      admin.addMember({ teamSlug: 'acme', handle: 'b' }),
      admin.createKey(key),
      admin.createKey({ ...key, tier, expiresAt: timestampFromMs(start) }),
      admin.createKey({ ...key, tier, expiresAt: { seconds: 2n ** 62n, nanos: 0 } }),
      admin.createKey({ ...key, tier, access: 5 as Access }),
      admin.createKey({ ...key, tier, itemWritesPerMinute: 0 }),
      admin.createKey({ ...key, tier, itemWritesPerMinute: 1_000_001 }),
      admin.createServiceCredential({ name: 'Not A Name', scopes: ['feed:read'] }),
      admin.createServiceCredential({ name: 'search', scopes: [] }),
      // In a log it would be taken for the gateway.
      admin.createServiceCredential({ name: 'gateway', scopes: ['feed:read'] }),
      admin.createServiceCredential({ name: 'search', scopes: ['feed:read', 'feed:write'] }),
      admin.createServiceCredential({
        name: 'search',
        scopes: ['feed:read'],
        expiresAt: timestampFromMs(start),
      }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'invalid_request'));
    expect((await admin.listTeams({})).teams).toHaveLength(1);
    expect((await admin.listMembers({ teamSlug: 'acme' })).members).toHaveLength(1);
    expect((await admin.listKeys({ teamSlug: 'acme' })).keys).toHaveLength(1);
    expect((await admin.listServiceCredentials({})).serviceCredentials).toHaveLength(0);
  });

  test('every method refuses everyone but those it is for', async () => {
    const first = testClient(service, administrator);
    const { team } = await first.createTeam({ slug: 'guarded', name: 'Guarded' });
    await first.addMember({ teamSlug: 'guarded', handle: 'ada', role: MemberRole.MEMBER });
    const { key } = await first.createKey({ teamSlug: 'guarded', memberHandle: 'ada', tier: Tier.TEAM });
    const caller = {
      teamId: team?.teamId ?? '',
      teamSlug: 'guarded',
      memberId: 'm',
      memberHandle: 'ada',
      tier: 'team',
      access: 'write',
      keyId: key?.keyId ?? '',
    } as const;
    const member: Principal = { kind: 'member', caller };
    const otherService: Principal = { ...gateway, name: 'search', scopes: ['feed:read'] };
    const sameName: Principal = { ...gateway, direct: true };
    const everyone = { administrator, gateway, member, otherService, sameName };
    const readers: (keyof typeof everyone)[] = ['gateway', 'sameName'];
    const isFor: Record<string, (keyof typeof everyone)[]> = {
      Authenticate: readers,
      LookUpCredential: readers,
      FindMember: readers,
      CreateSignInLink: ['member'],
      OpenSession: ['gateway'],
      EndSession: ['gateway'],
      FindInvitation: ['gateway'],
      EndSessions: ['member'],
      ConnectApp: ['member'],
      IssueAppTokens: ['gateway'],
      RevokeAppToken: ['gateway'],
      RegisterApp: ['gateway'],
      FindRegisteredApp: ['gateway'],
      RecordRefusals: ['gateway'],
      ListRefusals: ['administrator', 'member'],
      CreateKey: ['administrator', 'member'],
      ListKeys: ['administrator', 'member'],
      RevokeKey: ['administrator', 'member'],
      // Of administrators of a team; this member is none, and an administrator of the installation has no team.
      ListTeamAuditEntries: [],
      CreateInvitation: [],
    };
    // Whom that one is for, its credential says.
    const guarded = AuthService.methods.filter(({ name }) => name !== 'ExchangeCredential');
    const call = (principal: Principal | undefined, localName: string) =>
      (testClient(service, principal) as unknown as Record<string, (request: object) => Promise<unknown>>)[
        localName
      ]?.({}) ?? Promise.resolve();
    for (const { name, localName } of guarded) {
      const allowed = isFor[name] ?? ['administrator'];
      for (const [who, principal] of Object.entries(everyone)) {
        const isRefused = (await codeOf(call(principal, localName))) === 'permission_denied';
        expect([name, who, isRefused]).toEqual([name, who, !allowed.some((one) => one === who)]);
      }
      expect(await codeOf(call(undefined, localName)), name).toBe('unauthenticated');
    }
  });
});

/** Reads a list to its end, two rows at a time. */
async function everyPage<Answer extends { nextPageToken: string }, Row>(
  read: (page: { pageSize: number; pageToken: string }) => Promise<Answer>,
  rowsOf: (answer: Answer) => Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  let pageToken = '';
  do {
    const answer = await read({ pageSize: 2, pageToken });
    expect(rowsOf(answer).length).toBeLessThanOrEqual(2);
    rows.push(...rowsOf(answer));
    pageToken = answer.nextPageToken;
  } while (pageToken !== '');
  return rows;
}
