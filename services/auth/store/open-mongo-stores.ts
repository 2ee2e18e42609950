import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { AuthStores } from './auth-stores.ts';
import { openMongoKeyStore } from './mongo-key-store.ts';
import { openMongoMemberStore } from './mongo-member-store.ts';
import { openMongoServiceCredentialStore } from './mongo-service-credential-store.ts';
import { openMongoTeamStore } from './mongo-team-store.ts';

/** Opens the auth service's stores in MongoDB, creating what is missing. */
export async function openMongoAuthStores(connection: MongoConnection): Promise<AuthStores> {
  return {
    teams: await openMongoTeamStore(connection),
    members: await openMongoMemberStore(connection),
    keys: await openMongoKeyStore(connection),
    serviceCredentials: await openMongoServiceCredentialStore(connection),
    ready: () => connection.ping(),
    async close() {},
  };
}
