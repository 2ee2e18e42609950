import { randomInt } from 'node:crypto';
import type { Log } from '@teammemory/log/log.ts';
import { AuthService as descriptor } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { createExchangeLimit } from './domain/exchange-limit.ts';
import { createKeys } from './domain/keys.ts';
import { createLastUse } from './domain/last-use.ts';
import { createMembers } from './domain/members.ts';
import { createServiceCredentials } from './domain/service-credentials.ts';
import { createTeams } from './domain/teams.ts';
import { addMemberHandler } from './rpc/add-member.ts';
import { authenticateHandler } from './rpc/authenticate.ts';
import { createKeyHandler } from './rpc/create-key.ts';
import { createServiceCredentialHandler } from './rpc/create-service-credential.ts';
import { createTeamHandler } from './rpc/create-team.ts';
import { exchangeCredentialHandler } from './rpc/exchange-credential.ts';
import { findMemberHandler } from './rpc/find-member.ts';
import { getTeamHandler } from './rpc/get-team.ts';
import { listKeysHandler } from './rpc/list-keys.ts';
import { listMembersHandler } from './rpc/list-members.ts';
import { listServiceCredentialsHandler } from './rpc/list-service-credentials.ts';
import { listTeamsHandler } from './rpc/list-teams.ts';
import { revokeKeyHandler } from './rpc/revoke-key.ts';
import { revokeServiceCredentialHandler } from './rpc/revoke-service-credential.ts';
import { openAuthStores, type Storage } from './store/open-stores.ts';

export interface AuthServiceOptions {
  /** Where teams, members, keys and service credentials are kept. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Told of what fails beside the calls, and which services came for a token. */
  log: Log;
  /** Signs the tokens that credentials are exchanged for. */
  signer: TokenSigner;
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
export async function createAuthService(options: AuthServiceOptions): Promise<AuthService> {
  const { storage, clock, log, signer } = options;
  const stores = await openAuthStores(storage);
  const teams = createTeams({ store: stores.teams, clock });
  const members = createMembers({ store: stores.members, clock });
  const keys = createKeys({ store: stores.keys, clock, randomInt });
  const serviceCredentials = createServiceCredentials({ store: stores.serviceCredentials, clock, randomInt });
  const lastUse = createLastUse({
    store: stores.keys,
    onFailure: (error) => log.warn({ err: error }, 'the last use of a key was not noted'),
  });

  const authentication = { store: stores.keys, lastUse, clock };
  const limit = createExchangeLimit({ clock });

  return {
    rpc: rpcService(descriptor, {
      exchangeCredential: exchangeCredentialHandler({
        keys: authentication,
        serviceCredentials,
        limit,
        signer,
        clock,
        log,
      }),
      authenticate: authenticateHandler(authentication),
      findMember: findMemberHandler(members),
      createTeam: createTeamHandler(teams),
      getTeam: getTeamHandler(teams),
      listTeams: listTeamsHandler(teams),
      addMember: addMemberHandler({ teams, members }),
      listMembers: listMembersHandler({ teams, members }),
      createKey: createKeyHandler({ teams, members, keys }),
      revokeKey: revokeKeyHandler(keys),
      listKeys: listKeysHandler({ teams, keys }),
      createServiceCredential: createServiceCredentialHandler(serviceCredentials),
      revokeServiceCredential: revokeServiceCredentialHandler(serviceCredentials),
      listServiceCredentials: listServiceCredentialsHandler(serviceCredentials),
    }),
    ready: stores.ready,
    async close() {
      await lastUse.settled();
      await stores.close();
    },
  };
}
