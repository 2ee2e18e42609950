import { createClient } from '@connectrpc/connect';
import { createAuthService } from '@teammemory/auth/service.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { AuthService, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { createTokenSigner, generateSigningKeys } from '@teammemory/rpc/auth/caller-token.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach } from 'vitest';
import { createAnalyticsService } from './service.ts';
import type { AnalyticsStores } from './store/open-stores.ts';
import { openAnalyticsStores } from './store/open-stores.ts';
import { testClient } from './test-client.fixture.ts';

/** Saturday, 2026-11-21. */
const now = Date.UTC(2026, 10, 21);
export const administrator: Principal = { kind: 'administrator', name: 'bootstrap' };
export const reader: Principal = { kind: 'service', name: 'analytics', scopes: ['auth:read'] };
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const handles = ['ada', 'bob', 'cy'] as const;
type Member = Principal & { kind: 'member' };

/** The service and the real auth service, with a team `acme` of three, all new for each test. */
export interface Team {
  /** The running service; fields are good within a test. */
  service: ServiceInstance;
  teamId: string;
  /** Each as whom its key stands for. */
  members: Record<(typeof handles)[number], Member>;
  /** A client of a member. */
  as(handle: (typeof handles)[number]): ReturnType<typeof testClient>;
  asAdministrator(): ReturnType<typeof testClient>;
  /** Adds a member and gives its client. */
  newMember(handle: string, role: MemberRole): Promise<ReturnType<typeof testClient>>;
  /** Works on the stores while the service is down: rows that an older version left. */
  whileDown(work: (stores: AnalyticsStores) => Promise<unknown>): Promise<void>;
}

/** Makes and ends it around every test of a suite. */
export function teamForEachTest(engine: Engine): Team {
  let auth: ServiceInstance;
  const team = {
    as: (handle) => testClient(team.service, team.members[handle]),
    asAdministrator: () => testClient(team.service, administrator),
    newMember: async (handle, role) => testClient(team.service, await addMember(handle, role)),
    async whileDown(work) {
      await team.service.close();
      const stores = await openAnalyticsStores(engine.storage());
      await work(stores);
      await stores.close();
      team.service = await open();
    },
  } as Team;

  const open = () =>
    createAnalyticsService({
      storage: engine.storage(),
      clock: () => now,
      authTransport: transportAs(auth.rpc, reader),
      serviceToken: async () => 'token',
    });

  async function addMember(handle: string, role: MemberRole): Promise<Member> {
    const admin = createClient(AuthService, transportAs(auth.rpc, administrator));
    const { member } = await admin.addMember({ teamSlug: 'acme', handle, role });
    const key = { tier: 'team', access: 'write', keyId: 'k' } as const;
    const ids = { teamId: team.teamId, teamSlug: 'acme', ...key };
    return { kind: 'member', caller: { ...ids, memberId: member?.memberId ?? '', memberHandle: handle } };
  }

  async function addMembers(): Promise<void> {
    const admin = createClient(AuthService, transportAs(auth.rpc, administrator));
    team.teamId = (await admin.createTeam({ slug: 'acme', name: 'Acme' })).team?.teamId ?? '';
    team.members = {} as Team['members'];
    for (const handle of handles) team.members[handle] = await addMember(handle, MemberRole.MEMBER);
  }

  beforeEach(async () => {
    const { privateKey } = generateSigningKeys();
    const clock = () => now;
    const signer = createTokenSigner({ privateKey, clock });
    auth = await createAuthService({ storage: engine.storage(), clock, log: silentLog(), signer });
    team.service = await open();
    await addMembers();
  });
  afterEach(async () => {
    await team.service.close();
    await auth.close();
  });
  return team;
}

/** The same member, had its key been of another team. */
export function inTeam({ caller }: Member, teamId: string): Principal {
  return { kind: 'member', caller: { ...caller, teamId } };
}
