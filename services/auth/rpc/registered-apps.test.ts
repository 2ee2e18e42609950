import type { Client } from '@connectrpc/connect';
import { type AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberOf, testClient, testService } from '../test-client.fixture.ts';

const start = Date.UTC(2026, 10, 21, 6, 27, 0, 123);
const dayMs = 24 * 60 * 60_000;
const redirectUris = ['http://127.0.0.1/callback', 'https://app.example/callback'];

describeEachEngine('apps that registered themselves', (engine) => {
  let service: ServiceInstance;
  let now: number;
  let gateway: Client<typeof AuthService>;

  beforeEach(async () => {
    now = start;
    service = await testService({ storage: engine.storage(), clock: () => now });
    gateway = testClient(service, { kind: 'service', name: 'gateway', scopes: ['auth:read'] });
  });
  afterEach(() => service.close());

  const register = async (name = 'Otter') =>
    (await gateway.registerApp({ name, redirectUris })).app?.clientId ?? '';
  const stateOf = (clientId: string) => codeOf(gateway.findRegisteredApp({ clientId }));

  /** Lets an app act as a member does. */
  async function connect(clientId: string) {
    const admin = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    await admin.createTeam({ slug: 'acme', name: 'Acme' });
    await admin.addMember({ teamSlug: 'acme', handle: 'ada', role: MemberRole.MEMBER });
    const { secretKey } = await admin.createKey({ teamSlug: 'acme', memberHandle: 'ada', tier: Tier.TEAM });
    const { caller } = await gateway.authenticate({ key: secretKey });
    await testClient(service, memberOf(caller)).connectApp({
      clientId,
      redirectUri: redirectUris[0],
      codeChallenge: 'c'.repeat(43),
      resource: 'https://memory.example.com/mcp',
      access: Access.READ,
      lifetimeSeconds: 60,
    });
  }

  test('an app is found by the id that it got, for 24 hours; once it was let act, for longer', async () => {
    const [unused, used] = [await register(), await register('Heron')];
    expect(used).toMatch(/^registered-[0-9A-Za-z]{24}$/);
    const { app } = await gateway.findRegisteredApp({ clientId: used });
    expect(app).toMatchObject({ clientId: used, name: 'Heron', redirectUris });
    await connect(used);
    now += dayMs - 1;
    expect(await stateOf(unused)).toBe('ok');
    now += 1;
    expect(await stateOf(unused)).toBe('not_found');
    await register();
    expect([await stateOf(unused), await stateOf(used)]).toEqual(['not_found', 'ok']);
  });

  test('an app without an address, with an empty one or with too long a one or a name is refused', async () => {
    const refused = [
      { name: 'x', redirectUris: [] },
      { name: 'x', redirectUris: [''] },
      { name: 'x', redirectUris: ['x'.repeat(2_049)] },
      { name: 'x', redirectUris: Array.from({ length: 21 }, () => 'https://app.example/') },
      { name: 'x'.repeat(101), redirectUris },
    ];
    for (const app of refused) expect(await codeOf(gateway.registerApp(app))).toBe('invalid_request');
  });
});
