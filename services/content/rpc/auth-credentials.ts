import { createClient, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { LookUpCredential } from '@teammemory/rpc/auth/authenticate.ts';
import { requestIdHeaders } from '@teammemory/rpc/auth/call-origin.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';

/** A look-up takes milliseconds. If it takes longer than this, auth counts as unavailable. */
const callTimeoutMs = 5_000;

/** How the auth service is reached. */
export interface AuthAccess {
  transport: Transport;
  /** A token for calls to that service, with the scope auth:read. */
  serviceToken: (audience: 'auth') => Promise<string>;
}

/** Asks the auth service what credentials are worth, with the identity of `serviceToken`. */
export function createAuthCredentials({ transport, serviceToken }: AuthAccess): LookUpCredential {
  const auth = createClient(AuthService, transport);
  return async (credential) => {
    const headers = { authorization: `Bearer ${await serviceToken('auth')}`, ...requestIdHeaders() };
    const request =
      'keyId' in credential
        ? ({ case: 'keyId', value: credential.keyId } as const)
        : ({ case: 'operator', value: credential.operator } as const);
    try {
      const answer = await auth.lookUpCredential(
        { credential: request },
        { headers, timeoutMs: callTimeoutMs },
      );
      return { isValid: answer.valid, isTeamAdministrator: answer.teamAdministrator };
    } catch (thrown) {
      const error = appErrorFromRpc(thrown);
      if (error.code === 'unavailable') throw error;
      // A refusal of our own token must not look like a refusal of the caller's.
      throw new AppError('internal', 'Something went wrong on our side.', { cause: error });
    }
  };
}
