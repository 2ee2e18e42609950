import type { Interceptor } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { limitsOf } from '../method-limits.ts';
import { bootstrapName } from './authentication-interceptor.ts';
import { principalKey } from './caller-context.ts';
import type { Principal } from './principal.ts';

/** Whose credential is looked up: a key by its id, an operator's token by its name. */
export type Credential = { keyId: string } | { operator: string };

/** What a credential is worth at this moment, whatever a token from before says. */
export interface CredentialState {
  isValid: boolean;
  /** Whether it is a key that may administer its team. */
  isTeamAdministrator: boolean;
}

/** Reads the store of the auth service. @throws AppError `unavailable`. */
export type LookUpCredential = (credential: Credential) => Promise<CredentialState>;

/** A service that has such methods, and was given nobody to ask, refuses them. */
const nobodyAnswers: LookUpCredential = async () => ({ isValid: false, isTeamAdministrator: false });

/**
 * Asks the store again, before methods whose proto says `confirms_caller`, what the caller may do now. A token lives on for
 * a minute after a demotion or a revocation, in which its holder could make a key that lasts.
 */
export function createConfirmationInterceptor(lookUp: LookUpCredential = nobodyAnswers): Interceptor {
  return (next) => async (request) => {
    const principal = request.contextValues.get(principalKey);
    if (principal !== undefined && limitsOf(request.method).confirmsCaller) {
      request.contextValues.set(principalKey, await confirmed(principal, lookUp));
    }
    return next(request);
  };
}

/**
 * Returns the caller as the store knows it now.
 * @throws AppError `invalid_key` for a member, whose gateway must not take it for a refusal of its own tokens,
 *   `unauthenticated` for others, `unavailable`.
 */
async function confirmed(principal: Principal, lookUp: LookUpCredential): Promise<Principal> {
  const credential = credentialOf(principal);
  if (credential === undefined) return principal;
  const { isValid, isTeamAdministrator } = await lookUp(credential);
  if (!isValid && principal.kind === 'member')
    throw new AppError('invalid_key', 'The key is missing or not valid.');
  if (!isValid) throw new AppError('unauthenticated', 'The caller token is missing or not valid.');
  if (principal.kind !== 'member') return principal;
  const { isTeamAdministrator: _, ...caller } = principal.caller;
  return { ...principal, caller: isTeamAdministrator ? { ...caller, isTeamAdministrator } : caller };
}

/** Undefined for the token that the installation was set up with, and for services: neither can be taken back. */
function credentialOf(principal: Principal): Credential | undefined {
  if (principal.kind === 'member') return { keyId: principal.caller.keyId };
  if (principal.kind === 'service' || principal.name === bootstrapName) return undefined;
  return { operator: principal.name };
}
