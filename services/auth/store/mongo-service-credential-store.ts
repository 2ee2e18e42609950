import { AppError } from '@teammemory/errors/app-error.ts';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type {
  ServiceCredential,
  ServiceCredentialStore,
  StoredServiceCredential,
} from '../domain/service-credentials.ts';

interface ServiceCredentialDocument {
  /** The credential's id. */
  _id: string;
  name: string;
  scopes: string[];
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** Creates the store of service credentials, or of operators, in MongoDB and ensures its indexes. */
export async function createMongoServiceCredentialStore(
  connection: MongoConnection,
  table: 'service_credentials' | 'operators',
): Promise<ServiceCredentialStore> {
  const { db, call, ensureIndexes } = connection;
  const credentials = db.collection<ServiceCredentialDocument>(table);
  await ensureIndexes(table, [{ key: { name: 1 }, name: 'name', unique: true }]);

  return {
    async create(stored) {
      try {
        await call((deadline) => credentials.insertOne(documentFrom(stored), deadline));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('already_exists', 'The name was given before.', {
          cause: error,
        });
      }
    },

    async findById(credentialId) {
      const document = await call((deadline) => credentials.findOne({ _id: credentialId }, deadline));
      return document
        ? { credential: credentialFrom(document), secretHash: document.secret_hash }
        : undefined;
    },

    async findByName(name) {
      const document = await call((deadline) => credentials.findOne({ name }, deadline));
      return document ? credentialFrom(document) : undefined;
    },

    async list(afterName, limit) {
      const documents = await call((deadline) =>
        credentials
          .find({ name: { $gt: afterName } }, deadline)
          .sort({ name: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(credentialFrom);
    },

    async revoke(name, at) {
      // A pipeline, so that reading the earlier revocation and keeping it is one step.
      const keepEarlier = [{ $set: { revoked_at: { $ifNull: ['$revoked_at', at] } } }];
      const document = await call((deadline) =>
        credentials.findOneAndUpdate({ name }, keepEarlier, { returnDocument: 'after', ...deadline }),
      );
      return document ? credentialFrom(document) : undefined;
    },
  };
}

function documentFrom({ credential, secretHash }: StoredServiceCredential): ServiceCredentialDocument {
  return {
    _id: credential.credentialId,
    name: credential.name,
    scopes: [...credential.scopes],
    secret_hash: secretHash,
    created_at: credential.createdAt,
    expires_at: credential.expiresAt,
    revoked_at: credential.revokedAt,
  };
}

function credentialFrom(document: ServiceCredentialDocument): ServiceCredential {
  return {
    credentialId: document._id,
    name: document.name,
    scopes: document.scopes,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
  };
}
