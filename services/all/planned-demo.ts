import { readdirSync } from 'node:fs';
import type { DataDirectory } from '@teammemory/process/data-directory.ts';

/** Kept in the data directory from the first start until the demo is made: a later start goes on where one was cut off. */
export const plannedDemoFile = 'demo-planned.json';

/**
 * Notes whether the demo is to be made without a question: only where nothing was stored before. To be called before
 * anything is.
 */
export function planDemo(directory: DataDirectory, isWanted: boolean): void {
  if (!isWanted) directory.removeSecret(plannedDemoFile);
  else if (!readdirSync(directory.path).some((name) => name.endsWith('.sqlite')))
    directory.writeSecret(plannedDemoFile, {});
}
