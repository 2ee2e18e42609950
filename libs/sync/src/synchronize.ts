import type { SyncClient } from './service.ts';
import type { SyncOptions, SyncSummary } from './summary.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

/**
 * Brings a workspace and the service in step. A file that cannot be handled is reported and does not stop the others.
 * Throws SyncError `empty_root`, `too_many_removals` and `missing_root` before anything is changed, and what the client
 * throws; whatever was done by then stays done, and the next run goes on.
 */
export async function synchronize(
  _workspace: Workspace,
  _client: SyncClient,
  _options: SyncOptions,
): Promise<SyncSummary> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
