import { randomInt } from 'node:crypto';
import { createRestore } from '@teammemory/backup/restore.ts';
import type { Log } from '@teammemory/log/log.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { backupHandlers } from '@teammemory/rpc/server/backup-handlers.ts';
import { rpcService, type ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createLastUse } from './domain/authentication.ts';
import { createExchangeLimit } from './domain/credential-exchange.ts';
import { createKeys } from './domain/keys.ts';
import { createMembers } from './domain/members.ts';
import { createRefusals } from './domain/refusals.ts';
import { createServiceCredentials } from './domain/service-credentials.ts';
import { createSessions } from './domain/sessions.ts';
import { createSignInAddresses } from './domain/sign-in-addresses.ts';
import { createTeams } from './domain/teams.ts';
import { authenticateHandler, exchangeCredentialHandler } from './rpc/authentication.ts';
import { createKeyHandler, listKeysHandler, revokeKeyHandler, rotateKeyHandler } from './rpc/keys.ts';
import {
  addMemberHandler,
  findMemberHandler,
  listMembersHandler,
  removeMemberHandler,
  setMemberRoleHandler,
} from './rpc/members.ts';
import { listRefusalsHandler, recordRefusalsHandler } from './rpc/refusals.ts';
import {
  createServiceCredentialHandler,
  listServiceCredentialsHandler,
  revokeServiceCredentialHandler,
} from './rpc/service-credentials.ts';
import {
  createSignInLinkHandler,
  endSessionHandler,
  endSessionsHandler,
  openSessionHandler,
} from './rpc/sessions.ts';
import {
  addSignInAddressHandler,
  listSignInAddressesHandler,
  removeSignInAddressHandler,
} from './rpc/sign-in-addresses.ts';
import { createTeamHandler, getTeamHandler, listTeamsHandler } from './rpc/teams.ts';
import { openAuthStores, type Storage } from './store/open-stores.ts';

export interface AuthServiceOptions {
  /** Where teams, members, keys, service credentials, sessions and sign-in links are stored. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Gets background failures and the services that exchanged a credential. */
  log: Log;
  /** Signs the tokens that credentials are exchanged for. */
  signer: TokenSigner;
}

/** Assembles the auth service. Throws what opening its stores throws. */
export async function createAuthService(options: AuthServiceOptions): Promise<ServiceInstance> {
  const { storage, clock, log, signer } = options;
  const stores = await openAuthStores(storage);
  const restore = await createRestore(stores.backup);
  const teams = createTeams({ store: stores.teams, clock });
  const members = createMembers({
    store: stores.members,
    keys: stores.keys,
    addresses: stores.signInAddresses,
    clock,
  });
  const keys = createKeys({ store: stores.keys, members: stores.members, clock, randomInt });
  const serviceCredentials = createServiceCredentials({ store: stores.serviceCredentials, clock, randomInt });
  const lastUse = createLastUse({
    store: stores.keys,
    onFailure: (error) => log.warn({ err: error }, 'the last use of a key was not noted'),
  });

  const authentication = { store: stores.keys, lastUse, clock };
  const addresses = createSignInAddresses({
    ...{ store: stores.signInAddresses, teams: stores.teams, members: stores.members },
    ...{ keys, clock },
  });
  const sessions = createSessions({
    links: stores.signInLinks,
    sessions: stores.sessions,
    keys: authentication,
    addresses,
    randomInt,
  });
  const refusals = createRefusals({ store: stores.refusals });
  const limit = createExchangeLimit({ clock });

  return {
    rpc: rpcService(
      AuthService,
      {
        ...backupHandlers(stores.backup, restore),
        exchangeCredential: exchangeCredentialHandler({
          keys: authentication,
          members: stores.members,
          serviceCredentials,
          limit,
          signer,
          clock,
          log,
        }),
        authenticate: authenticateHandler({
          keys: authentication,
          sessions,
          members: stores.members,
        }),
        createSignInLink: createSignInLinkHandler(sessions),
        openSession: openSessionHandler(sessions),
        endSession: endSessionHandler(sessions),
        endSessions: endSessionsHandler(sessions),
        addSignInAddress: addSignInAddressHandler({ teams, members, addresses }),
        removeSignInAddress: removeSignInAddressHandler({ teams, addresses }),
        listSignInAddresses: listSignInAddressesHandler({ teams, addresses }),
        findMember: findMemberHandler(members),
        createTeam: createTeamHandler(teams),
        getTeam: getTeamHandler(teams),
        listTeams: listTeamsHandler(teams),
        addMember: addMemberHandler({ teams, members }),
        removeMember: removeMemberHandler({ teams, members }),
        setMemberRole: setMemberRoleHandler({ teams, members }),
        listMembers: listMembersHandler({ teams, members }),
        createKey: createKeyHandler({ teams, members, keys }),
        revokeKey: revokeKeyHandler(keys),
        rotateKey: rotateKeyHandler(keys),
        listKeys: listKeysHandler({ teams, keys }),
        recordRefusals: recordRefusalsHandler(refusals),
        listRefusals: listRefusalsHandler({ teams, refusals }),
        createServiceCredential: createServiceCredentialHandler(serviceCredentials),
        revokeServiceCredential: revokeServiceCredentialHandler(serviceCredentials),
        listServiceCredentials: listServiceCredentialsHandler(serviceCredentials),
      },
      restore.assertOpen,
    ),
    async ready() {
      await stores.ready();
      await restore.ready();
    },
    async close() {
      await lastUse.settled();
      await stores.close();
    },
  };
}
