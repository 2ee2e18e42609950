import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineStorage } from './describe-each-engine.ts';

/** Returns all that a store keeps: the bytes of every file, freed pages and logs included, or of every document. */
export async function storedBytes(storage: EngineStorage): Promise<Buffer> {
  if (storage.engine === 'sqlite') return filesBelow(storage.directory);
  const { db } = storage.connection;
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const raw = await Promise.all(
    collections.map(({ name }) => db.collection(name).find({}, { raw: true }).toArray()),
  );
  return Buffer.concat(raw.flat() as unknown as Uint8Array[]);
}

/** Returns the bytes of every file below a directory. */
export async function filesBelow(directory: string): Promise<Buffer> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
  );
}
