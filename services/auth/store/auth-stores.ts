import type { KeyStore } from '../domain/key-store.ts';
import type { MemberStore } from '../domain/member-store.ts';
import type { ServiceCredentialStore } from '../domain/service-credential-store.ts';
import type { TeamStore } from '../domain/team-store.ts';

/** Everything that the service keeps. */
export interface AuthStores {
  teams: TeamStore;
  members: MemberStore;
  keys: KeyStore;
  serviceCredentials: ServiceCredentialStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}
