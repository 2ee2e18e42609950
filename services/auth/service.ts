import { randomInt } from 'node:crypto';
import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import { createAuditLog } from '@teammemory/audit/audit-log.ts';
import { createRestore } from '@teammemory/backup/restore.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { TokenSigner } from '@teammemory/rpc/auth/caller-token.ts';
import { auditHandlers, createAudit, refusalsTo } from '@teammemory/rpc/server/audit-handlers.ts';
import { backupHandlers } from '@teammemory/rpc/server/backup-handlers.ts';
import { rpcService, type ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createApps } from './domain/apps.ts';
import { createLastUse } from './domain/authentication.ts';
import { maxExchangesPerMinute } from './domain/credential-exchange.ts';
import { createInvitations } from './domain/invitations.ts';
import { createKeys } from './domain/keys.ts';
import { createMembers } from './domain/members.ts';
import { findOperators } from './domain/operators.ts';
import { createRefusals } from './domain/refusals.ts';
import { createRegisteredApps } from './domain/registered-apps.ts';
import { createServiceCredentials, type ServiceCredentials } from './domain/service-credentials.ts';
import { createSessions } from './domain/sessions.ts';
import { createSignInAddresses } from './domain/sign-in-addresses.ts';
import { createTeams } from './domain/teams.ts';
import { connectAppHandler, issueAppTokensHandler, revokeAppTokenHandler } from './rpc/apps.ts';
import { authenticateHandler, exchangeCredentialHandler } from './rpc/authentication.ts';
import { createLookUpCredential, lookUpCredentialHandler } from './rpc/credential-states.ts';
import {
  createInvitationHandler,
  findInvitationHandler,
  listInvitationsHandler,
  revokeInvitationHandler,
} from './rpc/invitations.ts';
import { createKeyHandler, listKeysHandler, revokeKeyHandler, rotateKeyHandler } from './rpc/keys.ts';
import {
  addMemberHandler,
  findMemberHandler,
  listMembersHandler,
  removeMemberHandler,
  setMemberRoleHandler,
} from './rpc/members.ts';
import { createOperatorHandler, listOperatorsHandler, revokeOperatorHandler } from './rpc/operators.ts';
import { listRefusalsHandler, recordRefusalsHandler } from './rpc/refusals.ts';
import { findRegisteredAppHandler, registerAppHandler } from './rpc/registered-apps.ts';
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
  /** Where teams, members, keys, service credentials, sessions, sign-in links and invitations are stored. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Gets background failures and the services that exchanged a credential. */
  log: Log;
  /** How long the entries of the audit log are kept, in milliseconds; unset: 400 days. */
  auditKeptMs?: number;
  /** Nobody is an administrator by the token that the installation was set up with. */
  needsOperator?: boolean;
  /** Signs the tokens that credentials are exchanged for. */
  signer: TokenSigner;
}

/** Assembles the auth service. Throws what opening its stores throws. */
export async function createAuthService(options: AuthServiceOptions): Promise<ServiceInstance> {
  const { storage, clock, log, signer } = options;
  const stores = await openAuthStores(storage);
  const restore = await createRestore(stores.backup);
  const auditLog = createAuditLog({ store: stores.audit, clock, keptMs: options.auditKeptMs, log });
  const audit = createAudit(auditLog);
  const teams = createTeams({ store: stores.teams, clock });
  const members = createMembers({
    store: stores.members,
    keys: stores.keys,
    addresses: stores.signInAddresses,
    invitations: stores.invitations,
    clock,
  });
  const keys = createKeys({
    store: stores.keys,
    invitations: stores.invitations,
    members: stores.members,
    clock,
    randomInt,
  });
  const invitations = createInvitations({
    store: stores.invitations,
    memberStore: stores.members,
    keyStore: stores.keys,
    members,
    keys,
    clock,
    randomInt,
  });
  const serviceCredentials = createServiceCredentials({ store: stores.serviceCredentials, clock, randomInt });
  const operators = createServiceCredentials({
    store: stores.operators,
    prefix: 'tmso',
    clock,
    randomInt,
  });
  if (options.needsOperator) await requireOperator(operators, { now: clock(), log });
  const lastUse = createLastUse({
    store: stores.keys,
    onFailure: (error) => log.warn({ err: error }, 'the last use of a key was not noted'),
  });

  const authentication = { store: stores.keys, lastUse, clock };
  const addresses = createSignInAddresses({
    store: stores.signInAddresses,
    teams: stores.teams,
    members: stores.members,
    keys,
    clock,
  });
  const sessions = createSessions({
    links: stores.signInLinks,
    sessions: stores.sessions,
    keys: authentication,
    addresses,
    randomInt,
  });
  const refusals = createRefusals({ store: stores.refusals });
  const exchanges = createRollingWindow({ clock, limit: maxExchangesPerMinute });
  const registered = createRegisteredApps({ store: stores.registeredApps, clock, randomInt });
  const apps = createApps({
    tokens: stores.appTokens,
    keys,
    keyStore: stores.keys,
    authentication,
    exchanges,
    randomInt,
  });
  const credentialStates = { keys: stores.keys, members: stores.members, operators, clock };
  const dependencies = {
    audit,
    clock,
    teams,
    members,
    keys,
    addresses,
    sessions,
    apps,
    registered,
    invitations,
    refusals,
    operators,
    serviceCredentials,
    signer,
    log,
    needsOperator: options.needsOperator ?? false,
  };
  const authenticating = { ...dependencies, keys: authentication, members: stores.members, exchanges };

  return {
    rpc: rpcService(
      AuthService,
      {
        ...auditHandlers(auditLog),
        ...backupHandlers(stores.backup, restore, audit),
        exchangeCredential: exchangeCredentialHandler(authenticating),
        authenticate: authenticateHandler(authenticating),
        lookUpCredential: lookUpCredentialHandler(credentialStates),
        createSignInLink: createSignInLinkHandler(dependencies),
        openSession: openSessionHandler(dependencies),
        endSession: endSessionHandler(dependencies),
        endSessions: endSessionsHandler(dependencies),
        connectApp: connectAppHandler(dependencies),
        issueAppTokens: issueAppTokensHandler(dependencies),
        revokeAppToken: revokeAppTokenHandler(dependencies),
        registerApp: registerAppHandler(dependencies),
        findRegisteredApp: findRegisteredAppHandler(dependencies),
        createInvitation: createInvitationHandler(dependencies),
        listInvitations: listInvitationsHandler(dependencies),
        revokeInvitation: revokeInvitationHandler(dependencies),
        findInvitation: findInvitationHandler(dependencies),
        addSignInAddress: addSignInAddressHandler(dependencies),
        removeSignInAddress: removeSignInAddressHandler(dependencies),
        listSignInAddresses: listSignInAddressesHandler(dependencies),
        findMember: findMemberHandler(dependencies),
        createTeam: createTeamHandler(dependencies),
        getTeam: getTeamHandler(dependencies),
        listTeams: listTeamsHandler(dependencies),
        addMember: addMemberHandler(dependencies),
        removeMember: removeMemberHandler(dependencies),
        setMemberRole: setMemberRoleHandler(dependencies),
        listMembers: listMembersHandler(dependencies),
        createKey: createKeyHandler(dependencies),
        revokeKey: revokeKeyHandler(dependencies),
        rotateKey: rotateKeyHandler(dependencies),
        listKeys: listKeysHandler(dependencies),
        recordRefusals: recordRefusalsHandler(dependencies),
        listRefusals: listRefusalsHandler(dependencies),
        createServiceCredential: createServiceCredentialHandler(dependencies),
        revokeServiceCredential: revokeServiceCredentialHandler(dependencies),
        listServiceCredentials: listServiceCredentialsHandler(dependencies),
        createOperator: createOperatorHandler(dependencies),
        revokeOperator: revokeOperatorHandler(dependencies),
        listOperators: listOperatorsHandler(dependencies),
      },
      {
        assertOpen: restore.assertOpen,
        onRefused: refusalsTo(auditLog),
        lookUpCredential: createLookUpCredential(credentialStates),
      },
    ),
    async ready() {
      await stores.ready();
      await restore.ready();
    },
    async close() {
      await lastUse.settled();
      await auditLog.close();
      await stores.close();
    },
  };
}

/**
 * Logs an error if no operator's token is valid any more: the service goes on for members, and a start that fails would only
 * add to the trouble. Throws AppError `invalid_request`, a sentence for people, if there never was an operator.
 */
async function requireOperator(
  operators: ServiceCredentials,
  { now, log }: { now: number; log: Log },
): Promise<void> {
  const { isAnyActive, isAny } = await findOperators(operators, { now });
  if (isAnyActive) return;
  const remedy = 'Start it once with BOOTSTRAP_TOKEN=on, and make one: tms admin operator create.';
  if (isAny) {
    log.error(`Nobody can administer the installation: all operators have expired or are revoked. ${remedy}`);
    return;
  }
  throw new AppError(
    'invalid_request',
    `BOOTSTRAP_TOKEN is off and there is no operator, so nobody could administer the installation. ${remedy}`,
  );
}
