/** Why a synchronisation stopped, or could not begin. */
export type SyncErrorCode =
  /** No folder with `.tms/` here or above. */
  | 'no_workspace'
  /** The folder already belongs to another service or team. */
  | 'other_workspace'
  /** Another process works in this folder. */
  | 'locked'
  /** Another process took the lock over while this one worked. */
  | 'lock_lost'
  /** `.tms/` is damaged, or is not a folder of its own. */
  | 'bad_state'
  /** The folder is gone. */
  | 'missing_root'
  /** All files are gone: the folder is probably not the one that was meant. */
  | 'empty_root'
  /** More than a quarter of the files would be removed. */
  | 'too_many_removals'
  /** More files than a folder of notes has. */
  | 'too_many_files'
  /** A path outside the workspace, or one that no item can have. */
  | 'bad_path'
  /** There is no such file here. */
  | 'no_such_file'
  /** The file has no open conflict. */
  | 'no_conflict'
  /** A file is in the way. */
  | 'file_exists'
  /** The file changed while it was worked on. */
  | 'file_changed'
  /** Front matter that cannot be read. */
  | 'invalid_front_matter'
  /** Not UTF-8. */
  | 'invalid_encoding'
  /** An audience that is no tier. */
  | 'invalid_audience'
  /** A version that is needed is neither in `.tms/` nor on the service. */
  | 'missing_object';

/** A failure that the user can do something about. `message` is a whole sentence with the next step. */
export class SyncError extends Error {
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SyncError';
    this.code = code;
  }
}
