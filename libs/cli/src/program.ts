import { buildVersion as version } from '@teammemory/config/product-version.ts';
import { Command, CommanderError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from './cli-context.ts';
import {
  CliError,
  type ErrorDescription,
  errorText,
  failedExitCode,
  lostReaderExitCode,
  usageError,
} from './cli-error.ts';
import { commandTable } from './command-table.ts';
import { addGlobalOptions, type GlobalOptions, wantsJson } from './global-options.ts';
import { hasLostReader, writeOutput } from './output.ts';
import { createPaint, line, printableJson, type TerminalText } from './terminal.ts';

/**
 * Runs the program with its arguments and returns the exit code: 0, 1 for a failure, 2 for wrong usage, 141 in silence if
 * the reader of stdout has gone. With `--json` it prints exactly one JSON object on stdout, for a failure
 * `{ "error": { code, detail, … } }`. It never throws.
 */
export async function runProgram(args: readonly string[], given: CliContext): Promise<number> {
  const json = wantsJson(args);
  const [name, flags] = readAhead(args);
  const context = { ...given, env: environmentFor(given.env, flags) };
  let result: CommandResult | undefined;
  let said = '';
  const host: CommandHost = {
    context,
    paint: createPaint(json ? { NO_COLOR: '1' } : context.env, context.stdout),
    wholeProgram: () => createWholeProgram(host),
    finish: (finished) => {
      result = finished;
    },
  };
  try {
    const program = await createProgram(host, name, (text) => {
      said += text;
    });
    if (asksForHelp(args)) await addExamples(program);
    const printed = await program.parseAsync(args, { from: 'user' }).then(() => undefined, helpOrVersion);
    if (printed !== undefined) {
      result = { json: printed === 'version' ? { version } : { help: said }, text: said.trimEnd() };
    }
    if (result === undefined) throw new Error('the command ended without a result');
    await print(json, result.json, result.text, context);
    return result.failed ? failedExitCode : 0;
  } catch (thrown) {
    if (hasLostReader(thrown) || hasLostReader(context.signal.reason)) return lostReaderExitCode;
    const failure = thrown instanceof CommanderError ? fromCommander(thrown, said) : thrown;
    const { error, exitCode } = await describeError(failure, context);
    context.stderr.write(`tms: ${errorText(error)}\n`);
    // If that cannot be written either, the exit code still tells.
    if (json) await print(json, { error }, undefined, context).catch(() => undefined);
    return exitCode;
  }
}

/** Says what the parser ended with instead of a command. Throws what is a failure. */
function helpOrVersion(thrown: unknown): 'help' | 'version' {
  if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
  return thrown.code === 'commander.version' ? 'version' : 'help';
}

/** Finds the name of the command and the global flags by the parser's own rules, before anything is loaded. */
function readAhead(args: readonly string[]): [name: string | undefined, flags: GlobalOptions] {
  try {
    const scout = addGlobalOptions(new Command())
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    const [first, second] = scout.parseOptions([...args]).operands;
    return [first === 'help' ? second : first, scout.opts<GlobalOptions>()];
  } catch {
    return [undefined, {}]; // a flag without its value, which the parser refuses later
  }
}

/** `--config` is the same as `TMS_CONFIG`, for all who read settings. */
function environmentFor(env: CliContext['env'], { config }: GlobalOptions): CliContext['env'] {
  return config ? { ...env, TMS_CONFIG: config } : env;
}

/**
 * Makes the program, with the code of the command `used` and only the summary of the others. `say` receives what the
 * argument parser prints: help and errors.
 */
async function createProgram(
  host: CommandHost,
  used: string | undefined,
  say: (text: string) => void,
): Promise<Command> {
  const program = new Command('tms')
    .description("a team's shared memory in folders: sync, ask, decide")
    .exitOverride()
    // Most commands of `tms admin` need --team, so every help shows the global options.
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: say, writeErr: say });
  addGlobalOptions(program);
  const chosen = commandTable.find(
    ({ name, alias }) => used !== undefined && (name === used || alias === used),
  );
  // Otherwise the parser would take the `--version 3` of a command for its own.
  if (!chosen?.takesVersion) program.version(version, '-V, --version', 'print the version');
  for (const entry of commandTable) {
    if (entry === chosen) (await entry.load())(program, host);
    else program.command(entry.name).description(entry.summary);
  }
  return program;
}

/** Makes the program with the code of all commands, for completion and for tests. */
export async function createWholeProgram(host: CommandHost): Promise<Command> {
  const program = addGlobalOptions(new Command('tms'));
  for (const { load } of commandTable) (await load())(program, host);
  return program;
}

function asksForHelp(args: readonly string[]): boolean {
  return args.length === 0 || args.some((arg) => arg === '--help' || arg === '-h' || arg === 'help');
}

/** Adds the examples to the help of a command and of all below it. */
async function addExamples(program: Command): Promise<void> {
  const { examples } = await import('./examples.ts');
  const visit = (command: Command, words: readonly string[]) => {
    const own = examples[words.join(' ')] ?? [];
    if (own.length > 0) {
      command.addHelpText('after', `\nExamples:\n${own.map((each) => `  ${each}`).join('\n')}`);
    }
    for (const child of command.commands) visit(child, [...words, child.name()]);
  };
  visit(program, []);
}

/** Returns the parser's error as a usage error. If no command was given, it has the help. */
function fromCommander(error: CommanderError, said: string): Error {
  const message = error.code === 'commander.help' ? `No command was given.\n\n${said}` : error.message;
  return usageError(message.replace(/^error: /, '').trimEnd());
}

/** Describes any failure with the codes of the public API, and returns the exit code. */
async function describeError(
  thrown: unknown,
  { tried, now }: CliContext,
): Promise<{ error: ErrorDescription; exitCode: number }> {
  if (thrown instanceof CliError) {
    return { error: { code: thrown.code, detail: thrown.message }, exitCode: thrown.exitCode };
  }
  const { describeFailure } = await import('./describe-error.ts');
  return { error: describeFailure(thrown, tried, now()), exitCode: failedExitCode };
}

async function print(
  json: boolean,
  value: object,
  text: string | TerminalText | undefined,
  { stdout }: CliContext,
): Promise<void> {
  if (json) await writeOutput(stdout, `${printableJson(value)}\n`);
  else if (text !== undefined) await writeOutput(stdout, line`${text}\n`.value);
}
