import type { SyncClient } from './service.ts';
import type { SyncOptions, SyncSummary } from './summary.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

export interface WatchOptions extends Omit<SyncOptions, 'dryRun' | 'paths'> {
  /** Called after every run that did something or found something new to tell. */
  finished(summary: SyncSummary): void;
}

/**
 * Keeps a workspace and the service in step until the signal aborts, then resolves. Throws what a run throws, except that
 * it waits and tries again while the service cannot be reached.
 */
export async function watchWorkspace(
  _workspace: Workspace,
  _client: SyncClient,
  _options: WatchOptions,
): Promise<void> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
