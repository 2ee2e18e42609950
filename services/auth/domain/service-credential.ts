import { isSlug } from '@teammemory/vocabulary/slug.ts';
import { invalidRequest } from './invalid-request.ts';

/** What a service of others proves itself with, without its secret. It belongs to no team. */
export interface ServiceCredential {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  credentialId: string;
  /** Unique, also among revoked ones, so that a name in a log means one credential. Never changes. */
  name: string;
  /** What it opens: at least one, each once, sorted. */
  scopes: readonly string[];
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Null: it is not revoked. */
  revokedAt: number | null;
}

/** Returns `name` as it is, or throws AppError `invalid_request`. */
export function checkedServiceName(name: string): string {
  if (isSlug(name)) return name;
  throw invalidRequest(
    '/name',
    'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit',
  );
}

/** Returns the scopes sorted, each once, or throws AppError `invalid_request` where there is none. */
export function checkedScopes(scopes: readonly string[]): string[] {
  if (scopes.length > 0) return [...new Set(scopes)].sort();
  throw invalidRequest('/scopes', 'must have at least one scope');
}
