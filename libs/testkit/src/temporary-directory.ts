import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, and the way to be rid of it. */
export interface TemporaryDirectory {
  path: string;
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>;
}

/** Makes an empty folder that only this user may enter, below the system's own for temporary files. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'teammemory-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
