import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

/**
 * Ends an open conflict. `mine`: the file as it is here replaces the other version at the next push. `theirs`: the other
 * version replaces the file now. `merged`: the file here is the two put together; it is pushed like `mine`. The copy of the
 * other version is removed. Throws SyncError `no_conflict` and `missing_object`.
 */
export async function resolveConflict(
  _workspace: Workspace,
  _rowKey: string,
  _choice: 'mine' | 'theirs' | 'merged',
): Promise<void> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
