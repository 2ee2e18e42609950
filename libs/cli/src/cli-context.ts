import type { Command } from 'commander';
import type { Paint, TerminalText, TextStream } from './terminal.ts';

/** An input stream. `isTTY` decides whether the user can be asked. */
export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean };

/** Everything outside of the program that it uses, so that a test can replace it. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** What starts this program: Node and the script, both as absolute paths. */
  program: readonly [node: string, script: string];
  stdin: InputStream;
  /** For results only. */
  stdout: TextStream;
  /** For messages to the user: progress, waits, errors. */
  stderr: TextStream;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  now(): Date;
  /** Resolves after `ms`. Rejects if the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Set when a client is opened, so that an error can name the address. */
  tried?: Attempt;
}

/** The address that a command used, and where it found that. */
export interface Attempt {
  port: 'api' | 'rpc';
  url: string;
  /** Such as `TMS_URL` or the path of a file. */
  urlFrom: string;
  team?: string;
  /** Where the key came from; undefined for administrative commands. */
  keyFrom?: string;
  /** When the key expires, in RFC 3339, if that is stored with it. */
  keyExpiresAt?: string | undefined;
}

/** The result of a command. */
export interface CommandResult {
  /** Printed with `--json`. Names are in snake_case. */
  json: object;
  /**
   * Printed without `--json`, with a line feed at the end. Control characters are taken out of a string; `TerminalText`
   * may have colours. Undefined if the command has printed already, or if there is nothing to say.
   */
  text?: string | TerminalText;
  /** True if the exit code is 1 although there is a result, for example because some files were rejected. */
  failed?: boolean;
}

/** What the program gives to each command. */
export interface CommandHost {
  context: CliContext;
  /** Colours for standard output, where it shows them. */
  paint: Paint;
  /** Makes the program with the code of all commands, for completion. */
  wholeProgram(): Promise<Command>;
  /** Takes the result. A command calls it once. */
  finish(result: CommandResult): void;
}
