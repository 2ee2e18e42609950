import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { everyPage, given } from './rpc-calls.ts';

/** The credential of a service that calls RPCs, without its secret. */
export interface ServiceCredentialRecord {
  credential_id: string;
  name: string;
  scopes: string[];
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface NewServiceCredential {
  /** Unique, even among revoked credentials. */
  name: string;
  /** What it permits, such as `feed:read`. */
  scopes: string[];
  /** If it is missing, the credential never expires. */
  expiresAt?: Date;
}

/** What administrators do with the credentials of services. Every method throws RpcError. */
export interface ServiceCredentialMethods {
  /** Makes a credential. Only this result ever contains `credential`, the whole credential. */
  createServiceCredential(
    credential: NewServiceCredential,
    options?: CallOptions,
  ): Promise<ServiceCredentialRecord & { credential: string }>;
  /** Revokes a credential. Succeeds again if it was revoked before. */
  revokeServiceCredential(name: string, options?: CallOptions): Promise<ServiceCredentialRecord>;
  /** Yields the credentials page by page, ordered by name, without their secrets. */
  listServiceCredentials(options?: CallOptions): AsyncGenerator<ServiceCredentialRecord[]>;
}

export function serviceCredentialMethods(auth: RecordClient<typeof AuthService>): ServiceCredentialMethods {
  return {
    async createServiceCredential({ name, scopes, expiresAt }, options) {
      const request = { name, scopes, expiresAt: expiresAt && timestampFromDate(expiresAt) };
      const answer = await auth.createServiceCredential(request, options);
      return { ...given(answer.service_credential), credential: answer.secret_credential };
    },
    revokeServiceCredential: async (name, options) =>
      given((await auth.revokeServiceCredential({ name }, options)).service_credential),
    async *listServiceCredentials(options) {
      const pages = everyPage((pageToken) =>
        auth.listServiceCredentials({ pageSize: maxPageRows, pageToken }, options),
      );
      for await (const page of pages) yield page.service_credentials;
    },
  };
}
