import type { SyncClient } from './service.ts';
import type { OpenConflict, SkippedFile, TierChange } from './summary.ts';
import { SyncError } from './sync-error.ts';
import type { Workspace } from './workspace.ts';

/** What changed here since the last synchronisation. All lists have row_keys, sorted. */
export interface LocalStatus {
  added: string[];
  changed: string[];
  removed: string[];
  renamed: { from: string; to: string }[];
  conflicts: OpenConflict[];
  /** Private notes, which stay here. */
  private: string[];
  /** Files that were pushed once and are private now. */
  turned_private: string[];
  /** Markdown files that ignore rules leave out; a folder that is left out whole ends in a slash. */
  ignored: string[];
  skipped: SkippedFile[];
  /** Number of files that are as they were last in step. */
  unchanged: number;
}

/** What changed on the service since the last synchronisation. */
export interface RemoteStatus {
  added: string[];
  changed: string[];
  removed: string[];
  tier_changes: TierChange[];
  skipped: SkippedFile[];
}

/** Compares the files with what was last in step. Needs no network. */
export async function localStatus(_workspace: Workspace): Promise<LocalStatus> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/** Compares the service with what was last in step. Throws what the client throws. */
export async function remoteStatus(
  _workspace: Workspace,
  _client: SyncClient,
  _options: { signal: AbortSignal },
): Promise<RemoteStatus> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/** Both texts of a file; undefined where there is none. */
export interface LocalDifference {
  row_key: string;
  /** The text that was last in step, or the other version of an open conflict. */
  base: string | undefined;
  local: string | undefined;
}

/** Returns the two texts that `tms diff` compares. Throws SyncError `bad_path` and `no_such_file`. */
export async function localDifference(_workspace: Workspace, _rowKey: string): Promise<LocalDifference> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
