import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';

/** A connection that records the calls to its collections. */
export interface RecordedMongo {
  connection: MongoConnection;
  /** Calls such as `findOne items`, in order; a test may empty the list. */
  asked: string[];
}

/** Wraps a connection for tests that count how often a store asks the server. */
export function recordedMongo(connection: MongoConnection): RecordedMongo {
  const asked: string[] = [];
  const db = intercept(connection.db, (method, collection) => {
    if (method !== 'collection') return collection;
    return (name: string) =>
      intercept(collection(name) as object, (operation, call) => (...given: unknown[]) => {
        asked.push(`${operation} ${name}`);
        return call(...given);
      });
  });
  return { connection: { ...connection, db }, asked };
}

type Method = (...given: never[]) => unknown;

/** Returns the same object, each method replaced by what `replace` makes of the bound method. */
function intercept<Target extends object>(
  target: Target,
  replace: (name: string, method: (...given: unknown[]) => unknown) => Method,
): Target {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? replace(String(name), value.bind(target)) : value;
    },
  });
}
