import { randomInt } from 'node:crypto';
import type { Log } from '@teammemory/log/log.ts';
import { AuthService as descriptor } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/rpc-service.ts';
import { createKeys } from './domain/keys.ts';
import { createLastUse } from './domain/last-use.ts';
import { createMembers } from './domain/members.ts';
import { createTeams } from './domain/teams.ts';
import { addMemberHandler } from './rpc/add-member.ts';
import { authenticateHandler } from './rpc/authenticate.ts';
import { createKeyHandler } from './rpc/create-key.ts';
import { createTeamHandler } from './rpc/create-team.ts';
import { findMemberHandler } from './rpc/find-member.ts';
import { getTeamHandler } from './rpc/get-team.ts';
import { listKeysHandler } from './rpc/list-keys.ts';
import { listMembersHandler } from './rpc/list-members.ts';
import { listTeamsHandler } from './rpc/list-teams.ts';
import { revokeKeyHandler } from './rpc/revoke-key.ts';
import { openAuthStores, type Storage } from './store/open-stores.ts';

export interface AuthServiceOptions {
  /** Where teams, members and keys are kept. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Told of what fails beside the calls. */
  log: Log;
}

export interface AuthService {
  /** The interface with its handlers, to be served or called directly. */
  rpc: RpcService;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends what is under way and closes the stores. To be called once, after the last call. */
  close(): Promise<void>;
}

/** Assembles the auth service. Throws what opening its stores throws. */
export async function createAuthService({ storage, clock, log }: AuthServiceOptions): Promise<AuthService> {
  const stores = await openAuthStores(storage);
  const teams = createTeams({ store: stores.teams, clock });
  const members = createMembers({ store: stores.members, clock });
  const keys = createKeys({ store: stores.keys, clock, randomInt });
  const lastUse = createLastUse({
    store: stores.keys,
    onFailure: (error) => log.warn({ err: error }, 'the last use of a key was not noted'),
  });

  return {
    rpc: rpcService(descriptor, {
      authenticate: authenticateHandler({ store: stores.keys, lastUse, clock }),
      findMember: findMemberHandler(members),
      createTeam: createTeamHandler(teams),
      getTeam: getTeamHandler(teams),
      listTeams: listTeamsHandler(teams),
      addMember: addMemberHandler({ teams, members }),
      listMembers: listMembersHandler({ teams, members }),
      createKey: createKeyHandler({ teams, members, keys }),
      revokeKey: revokeKeyHandler(keys),
      listKeys: listKeysHandler({ teams, keys }),
    }),
    ready: stores.ready,
    async close() {
      await lastUse.settled();
      await stores.close();
    },
  };
}
