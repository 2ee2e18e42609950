/** Codes of the failures of a scan. */
export type ScanErrorCode = 'bad_settings' | 'no_repository' | 'git_failed' | 'too_large';

/** A failure that the user can do something about. `message` is a whole sentence. */
export class ScanError extends Error {
  readonly code: ScanErrorCode;

  constructor(code: ScanErrorCode, message: string) {
    super(message);
    this.name = 'ScanError';
    this.code = code;
  }
}
