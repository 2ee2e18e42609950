import { join } from 'node:path';
import { preparePythonEnvironment } from './python-environment.ts';

/** The version the contract suites were written against; a newer one is a change to try, not to pick up. */
const version = '0.7.0b3';

/** How to start SecantusDB, or why that cannot be. */
export type PreparedSecantusdb = { name: string; program: string; args: string[] } | { reason: string };

/**
 * Installs SecantusDB, a server that speaks MongoDB's protocol over WiredTiger,
 * into a virtual environment below `.servers/`; does nothing when it is there.
 */
export async function prepareSecantusdb(): Promise<PreparedSecantusdb> {
  const environment = await preparePythonEnvironment({
    name: `secantusdb-${version}`,
    packages: [`SecantusDB==${version}`],
    purpose: 'the MongoDB half of the tests',
  });
  if ('reason' in environment) {
    return { reason: `no MONGODB_URL, no mongod on the path, and no SecantusDB: ${environment.reason}` };
  }
  const program = join(import.meta.dirname, 'secantusd.py');
  return { name: `SecantusDB ${version}`, program: environment.python, args: [program] };
}
