import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

/**
 * Makes a directory and its parents, for this user alone. Node's own recursive mkdir never returns where a parent exists
 * but refuses to have children, as in /proc.
 * @throws the error of the file system.
 */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process makes it as well.
    if (!existsSync(path)) throw error;
  }
  syncDirectory(dirname(path));
}
