import type { CliContext } from './cli-context.ts';

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
