import type { ServiceCredential } from './service-credential.ts';

/** A service credential and what proves it. */
export interface StoredServiceCredential {
  credential: ServiceCredential;
  /** 64 lower-case hex digits. */
  secretHash: string;
}

/** Where service credentials are kept. Every method may also throw AppError `unavailable`. */
export interface ServiceCredentialStore {
  /** Keeps a new one, durably. Throws AppError `already_exists` where its name or id is taken. */
  create(stored: StoredServiceCredential): Promise<void>;
  findById(credentialId: string): Promise<StoredServiceCredential | undefined>;
  /** Up to `limit` by name, those after `afterName`; '' begins with the first. */
  list(afterName: string, limit: number): Promise<ServiceCredential[]>;
  /** Revokes at `at`, durably; an earlier revocation stays. Undefined where there is none of this name. */
  revoke(name: string, at: number): Promise<ServiceCredential | undefined>;
}
