import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { CredentialState, LookUpCredential } from '@teammemory/rpc/auth/authenticate.ts';
import { requireAnyScope } from '@teammemory/rpc/auth/caller-context.ts';
import { isInForce, type KeyStore } from '../domain/keys.ts';
import type { MemberStore } from '../domain/members.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { ServiceCredentials } from '../domain/service-credentials.ts';
import { isTeamAdministrator } from '../domain/team-administrators.ts';

type Handlers = ServiceImpl<typeof AuthService>;

const notValid: CredentialState = { isValid: false, isTeamAdministrator: false };

export interface CredentialStateDependencies {
  keys: Pick<KeyStore, 'findById'>;
  members: Pick<MemberStore, 'findByHandle'>;
  operators: Pick<ServiceCredentials, 'isValid'>;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Reads from the stores what a credential is worth now, for keys of `teams` only. */
export function createLookUpCredential(
  { keys, members, operators, clock }: CredentialStateDependencies,
  teams: 'all' | readonly string[] = 'all',
): LookUpCredential {
  return async (credential) => {
    if ('operator' in credential) {
      const isValid = teams === 'all' && (await operators.isValid(credential.operator));
      return { isValid, isTeamAdministrator: false };
    }
    const key = (await keys.findById(credential.keyId))?.key;
    if (key === undefined || !(await isInForce(keys, key, clock()))) return notValid;
    if (teams !== 'all' && !teams.includes(key.teamId)) return notValid;
    return { isValid: true, isTeamAdministrator: await isTeamAdministrator(members, key) };
  };
}

/** Handles `LookUpCredential`. To a service of other teams the key of this one is not valid. */
export function lookUpCredentialHandler({
  keys,
  members,
  operators,
  clock,
}: CredentialStateDependencies): Handlers['lookUpCredential'] {
  return async ({ credential }, context) => {
    const lookUp = createLookUpCredential(
      { keys, members, operators, clock },
      requireAnyScope(context, 'auth:read'),
    );
    if (credential.case === undefined) throw invalidRequest('/credential', 'must be a key id or an operator');
    const { isValid, isTeamAdministrator } = await lookUp(
      credential.case === 'keyId' ? { keyId: credential.value } : { operator: credential.value },
    );
    return { valid: isValid, teamAdministrator: isTeamAdministrator };
  };
}
