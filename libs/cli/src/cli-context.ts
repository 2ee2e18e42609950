/** Where text goes. `isTTY` decides whether a progress bar makes sense. */
export type TextStream = NodeJS.WritableStream & { isTTY?: boolean };

/** All that the program touches outside of itself, so that a test can give it another world. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Results, and nothing else. */
  stdout: TextStream;
  /** Everything said to the person: progress, waits, errors. */
  stderr: TextStream;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  now(): Date;
  /** Resolves after `ms`, rejects when the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
