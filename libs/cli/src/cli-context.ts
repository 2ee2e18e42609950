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

/** What a command ends with. */
export interface CommandResult {
  /** Printed with `--json`; names in snake_case. */
  json: object;
  /** Printed without it, a line feed is added; undefined where the command has printed already. */
  text?: string;
  /** Whether the exit code is 1 all the same, as when some of the files were refused. */
  failed?: boolean;
}

/** What a command is given. */
export interface CommandHost {
  context: CliContext;
  /** Takes the result, once. */
  finish(result: CommandResult): void;
}
