import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';

/** A connection that keeps account of what is asked of its collections. */
export interface RecordedMongo {
  connection: MongoConnection;
  /** The calls since it was made, or since this list was emptied, such as `findOne items`. */
  asked: string[];
}

/** Wraps a connection for tests of how often a store asks the server, which its answers do not show. */
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

/** The same object, with each of its methods as `replace` makes it from the bound one. */
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
