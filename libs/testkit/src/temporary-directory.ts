import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder and the function that removes it. */
export interface TemporaryDirectory {
  path: string;
  /** Removes the folder and everything in it. */
  remove(): Promise<void>;
}

/** Makes an empty folder in the system's temporary directory that only this user may enter. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'teammemory-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
