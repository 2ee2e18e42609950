import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { AuthenticateRequest, AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { requireAnyScope } from '@teammemory/rpc/auth/caller-context.ts';
import { type TokenSigner, tokenLifetimeSeconds } from '@teammemory/rpc/auth/caller-token.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import type { Apps } from '../domain/apps.ts';
import { authenticate, invalidKey } from '../domain/authentication.ts';
import { type ExchangeDependencies, exchangeCredential, type Holder } from '../domain/credential-exchange.ts';
import type { Key } from '../domain/keys.ts';
import type { MemberStore } from '../domain/members.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { Sessions } from '../domain/sessions.ts';
import { isTeamAdministrator } from '../domain/team-administrators.ts';
import { scopesWithTeamIds } from '../domain/team-scopes.ts';
import type { Teams } from '../domain/teams.ts';
import { callerToProto, itemWritesToProto, optionalTimestampToProto } from './auth-proto.ts';

type Handlers = ServiceImpl<typeof AuthService>;

interface Dependencies extends ExchangeDependencies {
  sessions: Pick<Sessions, 'authenticate'>;
  apps: Pick<Apps, 'authenticate'>;
  members: Pick<MemberStore, 'findByHandle'>;
  teams: Pick<Teams, 'get'>;
  signer: TokenSigner;
  clock: () => number;
  log: Log;
}

/** Handles `Authenticate`. */
export function authenticateHandler({
  keys,
  sessions,
  apps,
  members,
}: Dependencies): Handlers['authenticate'] {
  /** The key that a request proves, and when what it proves it with expires. */
  async function prove(request: AuthenticateRequest): Promise<{ key: Key; expiresAt: number | null }> {
    const given = [request.key, request.session, request.accessToken].filter((text) => text !== '');
    if (given.length > 1) throw invalidRequest('/key', 'must be sent alone');
    if (request.accessToken !== '') return apps.authenticate(request.accessToken, request.resource);
    if (request.session === '') {
      const key = await authenticate(keys, request.key);
      return { key, expiresAt: key.expiresAt };
    }
    return sessions.authenticate(request.session);
  }

  return async (request, context) => {
    const teams = requireAnyScope(context, 'auth:read');
    const { key, expiresAt } = await prove(request);
    // To a service of other teams the key of this one is none.
    if (teams !== 'all' && !teams.includes(key.teamId)) throw invalidKey();
    return {
      caller: callerToProto(key, await isTeamAdministrator(members, key)),
      expiresAt: optionalTimestampToProto(expiresAt),
      ...itemWritesToProto(key),
    };
  };
}

/** The services that a token can be for. */
const audiences = ['analytics', 'auth', 'content', 'query'];

/** Handles `ExchangeCredential`. It needs no token: the credential identifies the caller. */
export function exchangeCredentialHandler({
  keys,
  serviceCredentials,
  operators,
  exchanges,
  members,
  teams,
  signer,
  clock,
  log,
}: Dependencies): Handlers['exchangeCredential'] {
  return async ({ credential, audience }) => {
    const holder = await exchangeCredential({ keys, serviceCredentials, operators, exchanges }, credential);
    if (!audiences.includes(audience)) {
      throw invalidRequest('/audience', `must be one of ${audiences.join(', ')}`);
    }
    if (holder.kind !== 'member') {
      const { name, scopes } = holder.credential;
      log.info({ [holder.kind]: name, scopes, audience }, 'a credential was exchanged');
    }
    // The token is signed a moment later, so it is valid at least until this time.
    const expiresAt = timestampFromMs((Math.floor(clock() / 1000) + tokenLifetimeSeconds) * 1000);
    const principal = await principalFrom(holder, { members, teams });
    return { token: await signer.sign(principal, audience), expiresAt };
  };
}

async function principalFrom(
  holder: Holder,
  { members, teams }: Pick<Dependencies, 'members' | 'teams'>,
): Promise<Principal> {
  if (holder.kind === 'operator') return { kind: 'administrator', name: holder.credential.name };
  if (holder.kind === 'service') {
    const { name, scopes } = holder.credential;
    return { kind: 'service', name, scopes: await scopesWithTeamIds(teams, scopes), direct: true };
  }
  const { teamId, teamSlug, memberId, memberHandle, tier, access, keyId } = holder.key;
  const caller = { teamId, teamSlug, memberId, memberHandle, tier, access, keyId };
  const isAdministrator = await isTeamAdministrator(members, holder.key);
  return {
    kind: 'member',
    caller: { ...caller, ...(isAdministrator && { isTeamAdministrator: true }) },
    direct: true,
  };
}
