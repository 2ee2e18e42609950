import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type ServiceCredential as ProtoServiceCredential,
  ServiceCredentialSchema,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { scopes as knownScopes, type Scope } from '@teammemory/rpc/auth/principal.ts';
import { invalidRequest } from '../domain/invalid-request.ts';
import type { ServiceCredential } from '../domain/service-credential.ts';
import { optionalTimestampToProto } from './timestamp-proto.ts';

/** A service credential as RPC writes it. */
export function serviceCredentialToProto(credential: ServiceCredential): ProtoServiceCredential {
  const { credentialId, name, scopes, createdAt, expiresAt, revokedAt } = credential;
  return create(ServiceCredentialSchema, {
    credentialId,
    name,
    scopes: [...scopes],
    createdAt: timestampFromMs(createdAt),
    expiresAt: optionalTimestampToProto(expiresAt),
    revokedAt: optionalTimestampToProto(revokedAt),
  });
}

/** Scopes from a request; throws AppError `invalid_request` for one that is not known. */
export function scopesFromProto(scopes: readonly string[]): readonly Scope[] {
  if (scopes.every(isScope)) return scopes;
  throw invalidRequest('/scopes', `must be of ${knownScopes.join(', ')}`);
}

function isScope(scope: string): scope is Scope {
  return (knownScopes as readonly string[]).includes(scope);
}
