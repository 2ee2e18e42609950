import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

/**
 * Renames a file or folder and remembers that, so that the next push renames it on the service even if it was edited since.
 * Returns the renamed row_keys. Throws SyncError `no_such_file`, `file_exists` and `bad_path`.
 */
export async function moveFile(
  _workspace: Workspace,
  _from: string,
  _to: string,
): Promise<{ from: string; to: string }[]> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/**
 * Removes files, or all files below folders, here; the next push removes them from the service. With `keepLocal` the files
 * stay here and only the team's copies go. Returns the row_keys. Throws SyncError `no_such_file` and `bad_path`.
 */
export async function removeFiles(
  _workspace: Workspace,
  _rowKeys: readonly string[],
  _options?: { keepLocal?: boolean },
): Promise<string[]> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
