import { randomUUID } from 'node:crypto';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';

/** Returns the identity of the data, and makes it in a database that has none. If several processes do so at once, all get the same. */
export async function mongoIdentity({ db, call }: MongoConnection): Promise<string> {
  const identities = db.collection<{ _id: 'identity'; uuid: string }>('content_identity');
  const find = () => call((deadline) => identities.findOne({ _id: 'identity' }, deadline));
  const make = () =>
    call((deadline) =>
      identities.updateOne(
        { _id: 'identity' },
        { $setOnInsert: { uuid: randomUUID() } },
        { upsert: true, ...deadline },
      ),
    );
  const known = await find();
  if (known !== null) return known.uuid;
  // The one that came second fails for its duplicate key, and finds the other's.
  const failure = await make().then(
    () => undefined,
    (error: unknown) => error,
  );
  const made = await find();
  if (made === null) throw failure;
  return made.uuid;
}
