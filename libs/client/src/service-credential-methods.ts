import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { type ServiceCredentialRecord, serviceCredentialFromProto } from './admin-records.ts';
import type { CallOptions } from './call-options.ts';
import { everyPage, given, translated } from './rpc-answer.ts';

/** The most that the service gives at once. */
const credentialsPerPage = 200;

export interface NewServiceCredential {
  /** Unique, also among revoked ones. */
  name: string;
  /** What it opens, such as `feed:read`. */
  scopes: string[];
  /** Without it the credential never expires. */
  expiresAt?: Date;
}

/** What administrators do with the credentials of services. Every method throws RpcError. */
export interface ServiceCredentialMethods {
  /** The answer is the only place where `credential`, the whole credential, is ever shown. */
  createServiceCredential(
    credential: NewServiceCredential,
    options?: CallOptions,
  ): Promise<ServiceCredentialRecord & { credential: string }>;
  /** Success also when it was revoked before. */
  revokeServiceCredential(name: string, options?: CallOptions): Promise<ServiceCredentialRecord>;
  /** Yields them page by page, by name, without their secrets. */
  listServiceCredentials(options?: CallOptions): AsyncGenerator<ServiceCredentialRecord[]>;
}

export function serviceCredentialMethods(auth: Client<typeof AuthService>): ServiceCredentialMethods {
  return {
    createServiceCredential: ({ name, scopes, expiresAt }, options) =>
      translated(async () => {
        const request = { name, scopes, expiresAt: expiresAt && timestampFromDate(expiresAt) };
        const answer = await auth.createServiceCredential(request, options);
        const record = serviceCredentialFromProto(given(answer.serviceCredential));
        return { ...record, credential: answer.secretCredential };
      }),
    revokeServiceCredential: (name, options) =>
      translated(async () => {
        const { serviceCredential } = await auth.revokeServiceCredential({ name }, options);
        return serviceCredentialFromProto(given(serviceCredential));
      }),
    async *listServiceCredentials(options) {
      const pages = everyPage((pageToken) =>
        auth.listServiceCredentials({ pageSize: credentialsPerPage, pageToken }, options),
      );
      for await (const page of pages) yield page.serviceCredentials.map(serviceCredentialFromProto);
    },
  };
}
