import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { prepareSecantusdb } from './secantusdb.ts';

/** The MongoDB server that tests will run on; `name` is what the test run prints. */
export type MongodbChoice =
  | { name: string; url: string }
  | { name: string; program: string; args(options: MongodbOptions): string[] }
  | { reason: string };

/** Where a server listens and keeps its rows, and whether an acknowledged write must outlive its being killed. */
export interface MongodbOptions {
  port: number;
  directory: string;
  durable: boolean;
}

/** Finds a MongoDB server: `MONGODB_URL`, else `mongod` on the path, else SecantusDB; else says why there is none. */
export async function chooseMongodb(environment: NodeJS.ProcessEnv): Promise<MongodbChoice> {
  if (environment.MONGODB_URL) return { name: 'the server of MONGODB_URL', url: environment.MONGODB_URL };
  const mongod = findOnPath('mongod', environment.PATH ?? '');
  if (mongod !== undefined) {
    return {
      name: 'mongod',
      program: mongod,
      args: ({ port, directory }) => ['--bind_ip', '127.0.0.1', '--port', `${port}`, '--dbpath', directory],
    };
  }
  const secantusdb = await prepareSecantusdb();
  if ('reason' in secantusdb) return secantusdb;
  return {
    ...secantusdb,
    args: ({ port, directory, durable }) => [
      ...secantusdb.args,
      ...['--port', `${port}`, '--storage-path', directory, '--cache-size', '256M', '--log-level', 'ERROR'],
      // Syncing each commit keeps what `w: majority, j: true` promises, and makes every write several times slower.
      ...(durable ? ['--sync-on-commit'] : []),
    ],
  };
}

function findOnPath(program: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}
