import { AppError } from '@teammemory/errors/app-error.ts';
import { isSlug } from '@teammemory/vocabulary/formats.ts';
import { invalidKey } from './authentication.ts';
import { createKeyText, hashSecret, type KeyPrefix, parseKeyText, secretMatches } from './key-text.ts';
import { checkedExpiry, isActive } from './keys.ts';
import { invalidRequest, type Page, readPage } from './request-rules.ts';

/** A credential of an external service, or of an operator, without its secret. It belongs to no team. */
export interface ServiceCredential {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  credentialId: string;
  /** Unique, also among revoked ones, so that a name in a log means one credential. Never changes. */
  name: string;
  /** At least one, without duplicates, sorted: for all teams, or with `@` and the slug of the team that it is for. */
  scopes: readonly string[];
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Null: it is not revoked. */
  revokedAt: number | null;
}

/** Returns `name` as it is, or throws AppError `invalid_request`. */
function checkedServiceName(name: string): string {
  if (isSlug(name)) return name;
  throw invalidRequest(
    '/name',
    'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit',
  );
}

/** Names by which the parts of the service call each other. In a log such a name must mean the part. */
const partNames: readonly string[] = ['gateway', 'auth', 'content', 'query', 'analytics'];

/** Returns the scopes sorted, each once, or throws AppError `invalid_request` if there is none. */
function checkedScopes(scopes: readonly string[]): string[] {
  if (scopes.length > 0) return [...new Set(scopes)].sort();
  throw invalidRequest('/scopes', 'must have at least one scope');
}

/** A service credential and the hash of its secret. */
export interface StoredServiceCredential {
  credential: ServiceCredential;
  /** 64 lower-case hex digits. */
  secretHash: string;
}

/** Stores service credentials. Every method may also throw AppError `unavailable`. */
export interface ServiceCredentialStore {
  /** Stores a new one durably. Throws AppError `already_exists` if its name or id is taken. */
  create(stored: StoredServiceCredential): Promise<void>;
  findById(credentialId: string): Promise<StoredServiceCredential | undefined>;
  findByName(name: string): Promise<ServiceCredential | undefined>;
  /** Up to `limit` by name, those after `afterName`; '' begins with the first. */
  list(afterName: string, limit: number): Promise<ServiceCredential[]>;
  /** Revokes at `at`, durably; an earlier revocation stays. Undefined if there is none of this name. */
  revoke(name: string, at: number): Promise<ServiceCredential | undefined>;
}

/** A service credential to be made. */
export interface WantedServiceCredential {
  name: string;
  scopes: readonly string[];
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
}

/** The use cases of service credentials. */
export interface ServiceCredentials {
  /**
   * `text` is the whole credential and exists only in this answer. Throws
   * AppError `invalid_request` or `already_exists`.
   */
  create(wanted: WantedServiceCredential): Promise<{ credential: ServiceCredential; text: string }>;
  /** The credential that `text` proves. Throws AppError `invalid_key`, the same for every reason. */
  authenticate(text: string): Promise<ServiceCredential>;
  /** Whether there is one of this name that is neither revoked nor expired. */
  isValid(name: string): Promise<boolean>;
  /** Revoking again changes nothing. Throws AppError `not_found`. */
  revoke(name: string): Promise<ServiceCredential>;
  /** By name, after `afterName`; '' begins with the first. */
  list(afterName: string, pageSize: number): Promise<Page<ServiceCredential>>;
}

export interface ServiceCredentialsDependencies {
  store: ServiceCredentialStore;
  /** What the credentials begin with. */
  prefix?: Extract<KeyPrefix, 'tmss' | 'tmso'>;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of service credentials. */
export function createServiceCredentials(dependencies: ServiceCredentialsDependencies): ServiceCredentials {
  const { store, prefix = 'tmss', clock, randomInt } = dependencies;
  return {
    async create({ name, scopes, expiresAt }) {
      if (prefix === 'tmss' && partNames.includes(name))
        throw invalidRequest('/name', 'must not be the name of a part of the service');
      const createdAt = clock();
      const { text, keyId, secret } = createKeyText(prefix, randomInt);
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
      const parts = parseKeyText(prefix, text);
      if (!parts) throw invalidKey();
      const stored = await store.findById(parts.keyId);
      // Compare first, and also if no key was found, so that every refusal takes the same time.
      const matches = secretMatches(parts.secret, stored?.secretHash);
      if (!stored || !matches || !isActive(stored.credential, clock())) throw invalidKey();
      return stored.credential;
    },

    async isValid(name) {
      const credential = await store.findByName(name);
      return credential !== undefined && isActive(credential, clock());
    },

    async revoke(name) {
      const revoked = await store.revoke(name, clock());
      if (!revoked) {
        throw new AppError(
          'not_found',
          `There is no such ${prefix === 'tmso' ? 'operator' : 'service credential'}.`,
        );
      }
      return revoked;
    },

    list: (afterName, pageSize) => readPage(pageSize, (limit) => store.list(afterName, limit)),
  };
}
