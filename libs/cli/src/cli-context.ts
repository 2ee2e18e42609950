/** An output stream. `isTTY` decides whether a progress bar is shown. */
export type TextStream = NodeJS.WritableStream & { isTTY?: boolean };

/** Everything outside of the program that it uses, so that a test can replace it. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** For results only. */
  stdout: TextStream;
  /** For messages to the user: progress, waits, errors. */
  stderr: TextStream;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  now(): Date;
  /** Resolves after `ms`. Rejects if the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The result of a command. */
export interface CommandResult {
  /** Printed with `--json`. Names are in snake_case. */
  json: object;
  /** Printed without `--json`, with a line feed at the end. Undefined if the command has printed already. */
  text?: string;
  /** True if the exit code is 1 although there is a result, for example because some files were rejected. */
  failed?: boolean;
}

/** What the program gives to each command. */
export interface CommandHost {
  context: CliContext;
  /** Takes the result. A command calls it once. */
  finish(result: CommandResult): void;
}
