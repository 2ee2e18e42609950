import { invalidRequest } from './invalid-request.ts';

/** What the key's holder may see. */
export type KeyTier = 'team' | 'external';

/**
 * A member's key without its secret. It carries the slug and the handle, which
 * never change, so that authenticating is one read.
 */
export interface Key {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  keyId: string;
  teamId: string;
  teamSlug: string;
  memberId: string;
  memberHandle: string;
  tier: KeyTier;
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Null: it is not revoked. */
  revokedAt: number | null;
  /** Null: it was never used. Up to `lastUseIntervalMs` behind. */
  lastUsedAt: number | null;
}

/** 9999-12-31T23:59:59.999Z, the last moment that RFC 3339 and protobuf timestamps can write. */
const lastMomentMs = 253_402_300_799_999;

/** Whether the key still opens anything at `now`, in milliseconds since the epoch. */
export function isActive(key: Pick<Key, 'expiresAt' | 'revokedAt'>, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}

/** Returns the expiry as it is, or throws AppError `invalid_request` where it is not after `now`. */
export function checkedExpiry(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null;
  if (Number.isSafeInteger(expiresAt) && expiresAt > now && expiresAt <= lastMomentMs) return expiresAt;
  throw invalidRequest('/expires_at', 'must be in the future and before the year 10000');
}
