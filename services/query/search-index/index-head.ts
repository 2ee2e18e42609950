import type { FeedPositions } from '../domain/passages/feeds.ts';
import { type IndexDatabase, keptJson, openIndexDatabase } from './index-database.ts';

export { programFingerprint } from './index-database.ts';

/** What a file says of itself. */
export interface IndexHead {
  program: string;
  teamId: string;
  /** The model of its vectors; '' where it has none. */
  embeddingModel: string;
  /** Every row up to here is in it; undefined until it has had all rows once. */
  positions?: FeedPositions;
}

/** Returns the head of an index; undefined where the index is new. */
export function readHead({ sql }: IndexDatabase): IndexHead | undefined {
  const row = sql("SELECT value FROM meta WHERE name = 'head'").get();
  return row && keptJson<IndexHead>(row.value);
}

/** Writes what a file says of itself. */
export function writeHead({ sql }: IndexDatabase, head: IndexHead): void {
  sql("INSERT OR REPLACE INTO meta (name, value) VALUES ('head', ?)").run(JSON.stringify(head));
}

/** Returns the head of the index in a file; undefined where the index is new or damaged. */
export function headOfFile(path: string): IndexHead | undefined {
  try {
    const database = openIndexDatabase(path, { isMade: false });
    try {
      return readHead(database);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
