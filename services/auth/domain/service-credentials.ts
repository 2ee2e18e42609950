import { AppError } from '@teammemory/errors/app-error.ts';
import { invalidKey } from './invalid-key.ts';
import { checkedExpiry, isActive } from './key.ts';
import { createKeyText, parseKeyText } from './key-text.ts';
import { type Page, readPage } from './page.ts';
import { hashSecret, secretMatches } from './secret-hash.ts';
import { checkedScopes, checkedServiceName, type ServiceCredential } from './service-credential.ts';
import type { ServiceCredentialStore } from './service-credential-store.ts';

/** A service credential to be made. */
export interface WantedServiceCredential {
  name: string;
  scopes: readonly string[];
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
}

/** What can be done with service credentials. */
export interface ServiceCredentials {
  /**
   * `text` is the whole credential and exists only in this answer. Throws
   * AppError `invalid_request` or `already_exists`.
   */
  create(wanted: WantedServiceCredential): Promise<{ credential: ServiceCredential; text: string }>;
  /** The credential that `text` proves. Throws AppError `invalid_key`, the same for every reason. */
  authenticate(text: string): Promise<ServiceCredential>;
  /** Revoking again changes nothing. Throws AppError `not_found`. */
  revoke(name: string): Promise<ServiceCredential>;
  /** By name, after `afterName`; '' begins with the first. */
  list(afterName: string, pageSize: number): Promise<Page<ServiceCredential>>;
}

export interface ServiceCredentialsDependencies {
  store: ServiceCredentialStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Makes the use cases of service credentials. */
export function createServiceCredentials(dependencies: ServiceCredentialsDependencies): ServiceCredentials {
  const { store, clock, randomInt } = dependencies;
  return {
    async create({ name, scopes, expiresAt }) {
      const createdAt = clock();
      const { text, keyId, secret } = createKeyText('tmss', randomInt);
      const credential = {
        credentialId: keyId,
        name: checkedServiceName(name),
        scopes: checkedScopes(scopes),
        createdAt,
        expiresAt: checkedExpiry(expiresAt, createdAt),
        revokedAt: null,
      };
      await store.create({ credential, secretHash: hashSecret(secret) });
      return { credential, text };
    },

    async authenticate(text) {
      const parts = parseKeyText('tmss', text);
      if (!parts) throw invalidKey();
      const stored = await store.findById(parts.keyId);
      // Compared before anything else is looked at, and also where nothing was found: equal time for all.
      const matches = secretMatches(parts.secret, stored?.secretHash);
      if (!stored || !matches || !isActive(stored.credential, clock())) throw invalidKey();
      return stored.credential;
    },

    async revoke(name) {
      const revoked = await store.revoke(name, clock());
      if (!revoked) throw new AppError('not_found', 'There is no such service credential.');
      return revoked;
    },

    list: (afterName, pageSize) => readPage(pageSize, (limit) => store.list(afterName, limit)),
  };
}
