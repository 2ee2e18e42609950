import { AppError } from '@teammemory/errors/app-error.ts';
import { checkedExpiry, type Key, type KeyTier } from './key.ts';
import type { KeyPosition, KeyStore } from './key-store.ts';
import { createKeyText } from './key-text.ts';
import type { Member } from './member.ts';
import { type Page, readPage } from './page.ts';
import { hashSecret } from './secret-hash.ts';
import type { Team } from './team.ts';

/** A key to be made. */
export interface WantedKey {
  team: Team;
  member: Member;
  tier: KeyTier;
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
}

/** What can be done with keys. */
export interface Keys {
  /** `text` is the whole key and exists only in this answer. Throws AppError `invalid_request`. */
  create(wanted: WantedKey): Promise<{ key: Key; text: string }>;
  /** Revoking again changes nothing. Throws AppError `not_found`. */
  revoke(keyId: string): Promise<Key>;
  /** Keys of a team after a position, oldest first. */
  list(teamId: string, after: KeyPosition, pageSize: number): Promise<Page<Key>>;
}

export interface KeysDependencies {
  store: KeyStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Makes the use cases of keys. */
export function createKeys({ store, clock, randomInt }: KeysDependencies): Keys {
  return {
    async create({ team, member, tier, expiresAt }) {
      const createdAt = clock();
      const { text, keyId, secret } = createKeyText('tms', randomInt);
      const key = {
        keyId,
        teamId: team.teamId,
        teamSlug: team.slug,
        memberId: member.memberId,
        memberHandle: member.handle,
        tier,
        createdAt,
        expiresAt: checkedExpiry(expiresAt, createdAt),
        revokedAt: null,
        lastUsedAt: null,
      };
      await store.create(team.teamId, { key, secretHash: hashSecret(secret) });
      return { key, text };
    },

    async revoke(keyId) {
      const stored = await store.findById(keyId);
      const revoked = stored && (await store.revoke(stored.key.teamId, keyId, clock()));
      if (!revoked) throw new AppError('not_found', 'There is no such key.');
      return revoked;
    },

    list: (teamId, after, pageSize) => readPage(pageSize, (limit) => store.list(teamId, after, limit)),
  };
}
