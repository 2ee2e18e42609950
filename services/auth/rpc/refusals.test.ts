import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testClient, testService } from '../test-client.fixture.ts';

const now = Date.UTC(2026, 10, 23);

describeEachEngine('refusals', (engine) => {
  let service: ServiceInstance;
  let installation: Client<typeof AuthService>;
  let gateway: Client<typeof AuthService>;
  const ids = new Map<string, string>();

  beforeEach(async () => {
    service = await testService({ storage: engine.storage(), clock: () => now });
    installation = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
    for (const slug of ['acme', 'rivers']) {
      const { team } = await installation.createTeam({ slug, name: slug });
      ids.set(slug, team?.teamId ?? '');
      await installation.addMember({ teamSlug: slug, handle: 'ada', role: MemberRole.ADMIN });
    }
  });
  afterEach(() => service.close());

  const record = (team: string, member: string, details: readonly string[]) =>
    gateway.recordRefusals({
      refusals: details.map((detail, index) => ({
        teamId: ids.get(team) ?? '',
        memberId: `id-of-${member}`,
        refusal: {
          at: timestampFromMs(now + index),
          memberHandle: member,
          keyId: 'k',
          request: 'POST /api/v1/items',
          code: 'invalid_request',
          detail,
          rowKey: 'a.md',
        },
      })),
    });
  const member = (fields: Partial<Caller> = {}): Client<typeof AuthService> => {
    const names = { teamId: ids.get('acme') ?? '', teamSlug: 'acme', memberHandle: 'ada', keyId: 'k' };
    const caller: Caller = { ...names, memberId: 'id-of-ada', tier: 'team', access: 'write', ...fields };
    return testClient(service, { kind: 'member', caller });
  };
  const listed = async (client: Client<typeof AuthService>, teamSlug = 'acme') =>
    (await client.listRefusals({ teamSlug })).refusals.map(({ detail }) => detail);

  test('are kept as the gateway tells them, newest first', async () => {
    await record('acme', 'ada', ['first', 'second']);
    const { refusals } = await installation.listRefusals({ teamSlug: 'acme' });
    expect(refusals.map(({ detail }) => detail)).toEqual(['second', 'first']);
    expect(refusals[1]).toMatchObject({
      at: timestampFromMs(now),
      memberHandle: 'ada',
      keyId: 'k',
      request: 'POST /api/v1/items',
      code: 'invalid_request',
      detail: 'first',
      rowKey: 'a.md',
    });
  });

  test('administrators see those of their team, other members their own, nobody those of another team', async () => {
    await record('acme', 'ada', ['of ada']);
    await record('acme', 'bo', ['of bo']);
    await record('rivers', 'ada', ['of rivers']);
    expect((await listed(member({ isTeamAdministrator: true }))).sort()).toEqual(['of ada', 'of bo']);
    expect(await listed(member())).toEqual(['of ada']);
    expect(await listed(member({ memberId: 'id-of-bo' }))).toEqual(['of bo']);
    expect(await listed(member({ memberId: 'id-of-cy' }))).toEqual([]);
    for (const team of ['rivers', 'nowhere']) {
      expect(await codeOf(listed(member({ isTeamAdministrator: true }), team))).toBe('not_found');
      expect(await codeOf(listed(member(), team))).toBe('not_found');
    }
  });

  test('guests see none, not even their own', async () => {
    await record('acme', 'ada', ['of ada']);
    expect(await codeOf(listed(member({ tier: 'external' })))).toBe('forbidden_tier');
  });

  test('only the gateway of this installation records them', async () => {
    const others: Principal[] = [
      { kind: 'administrator', name: 'bootstrap' },
      { kind: 'service', name: 'gateway', scopes: ['auth:read'], direct: true },
      { kind: 'service', name: 'query', scopes: ['auth:read', 'feed:read'] },
    ];
    for (const principal of others) {
      expect(await codeOf(testClient(service, principal).recordRefusals({}))).toBe('permission_denied');
    }
    expect(await codeOf(member({ isTeamAdministrator: true }).recordRefusals({}))).toBe('permission_denied');
  });

  test('a team keeps its last 100, and a call brings at most 200', async () => {
    const names = (count: number, word: string) =>
      Array.from({ length: count }, (_, index) => `${word} ${index}`);
    await record('acme', 'ada', names(60, 'old'));
    await record('acme', 'bo', names(200, 'new'));
    const details = await listed(installation);
    expect(details).toHaveLength(100);
    expect(details[0]).toBe('new 199');
    expect(await codeOf(record('acme', 'ada', names(201, 'more')))).toBe('invalid_request');
  });
});
