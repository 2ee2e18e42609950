import type { Key } from './key.ts';

/** A key and what proves it. */
export interface StoredKey {
  key: Key;
  /** 64 lower-case hex digits. */
  secretHash: string;
}

/** A place in a team's keys, which are ordered by creation, then by id. */
export interface KeyPosition {
  /** Milliseconds since the epoch. */
  createdAt: number;
  keyId: string;
}

/** Where keys are kept. Every method may also throw AppError `unavailable`. */
export interface KeyStore {
  /** Keeps a new key, durably. Throws AppError `already_exists` where its id is taken. */
  create(teamId: string, stored: StoredKey): Promise<void>;
  /** The only look-up without a team, because a key is what tells the team. */
  findById(keyId: string): Promise<StoredKey | undefined>;
  /** Up to `limit` keys, oldest first, those after `after`. */
  list(teamId: string, after: KeyPosition, limit: number): Promise<Key[]>;
  /** Revokes at `at`, durably; an earlier revocation stays. Undefined where the team has no such key. */
  revoke(teamId: string, keyId: string, at: number): Promise<Key | undefined>;
  /** Notes a use at `at`, unless one is noted that is later than `at` minus `intervalMs`. */
  recordUse(teamId: string, keyId: string, at: number, intervalMs: number): Promise<void>;
}
