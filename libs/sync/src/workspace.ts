import { SyncError } from './sync-error.ts';

export interface WorkspaceSettings {
  /** Base address of the service. */
  url: string;
  /** Slug of the team. */
  team: string;
}

/** An open workspace. Only one process has it open for changes at a time. */
export interface Workspace {
  /** Absolute path of the folder that contains `.tms/`, without symbolic links. */
  readonly root: string;
  readonly settings: WorkspaceSettings;
  /** Frees the lock. */
  close(): Promise<void>;
}

/** Returns the nearest folder, from `startFolder` upwards, that contains `.tms/`. */
export async function findWorkspace(_startFolder: string): Promise<string | undefined> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/**
 * Makes `.tms/` in a folder, which is created if it is missing, and returns the root. Doing it again with the same
 * settings changes nothing. Throws SyncError `other_workspace`.
 */
export async function initWorkspace(_folder: string, _settings: WorkspaceSettings): Promise<string> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/**
 * Opens a workspace and takes its lock. With `readOnly` it needs no lock, writes nothing, and is for status and
 * differences only. Throws SyncError `no_workspace`, `missing_root`, `locked` and `bad_state`.
 */
export async function openWorkspace(_root: string, _options?: { readOnly?: boolean }): Promise<Workspace> {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}

/**
 * Returns the row_key of a path that a user typed: absolute, or relative to `workingDirectory`. The root itself is the empty
 * text. Throws SyncError `bad_path` for a path outside the workspace.
 */
export function rowKeyOf(_workspace: Workspace, _path: string, _workingDirectory: string): string {
  throw new SyncError('bad_state', 'Synchronising is not available yet.');
}
