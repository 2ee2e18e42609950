import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDirectory } from '@teammemory/process/data-directory.ts';

/** Kept in the data directory; its presence says that the demo was made or declined. */
export const demoFile = 'demo.json';
/** Kept in the data directory from the first start until the demo is made: a later start goes on where one was cut off. */
export const plannedDemoFile = 'demo-planned.json';

/**
 * Notes whether the demo is to be made without a question: only where nothing was stored before. To be called before
 * anything is.
 */
export function planDemo(directory: DataDirectory, isWanted: boolean): void {
  if (!isWanted || existsSync(join(directory.path, demoFile))) directory.removeSecret(plannedDemoFile);
  else if (!readdirSync(directory.path).some((name) => name.endsWith('.sqlite')))
    directory.writeSecret(plannedDemoFile, {});
}
