/** 0 is success. */
export const failedExitCode = 1;
export const usageExitCode = 2;

/** A failure that the person at the terminal can do something about. `message` is a whole sentence. */
export class CliError extends Error {
  /** Stable, snake_case, as in the answers of the service. */
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = failedExitCode) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The command line or its settings are wrong. */
export function usageError(message: string): CliError {
  return new CliError('usage', message, usageExitCode);
}
