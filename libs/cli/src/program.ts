import { Command, CommanderError } from 'commander';
import type { CliContext, CommandHost, CommandResult } from './cli-context.ts';
import { describeError, errorText, failedExitCode, usageError } from './cli-error.ts';
import { addAnalyticsCommands } from './commands/admin-analytics.ts';
import { addKeyCommands } from './commands/admin-keys.ts';
import { addProjectCommands } from './commands/admin-projects.ts';
import { addQueryCommands } from './commands/admin-query.ts';
import { addServiceCredentialCommands } from './commands/admin-service-credentials.ts';
import { addSkippedCommands } from './commands/admin-skipped.ts';
import { addTeamCommands } from './commands/admin-teams.ts';
import { addAsk } from './commands/ask.ts';
import { addAdminDecisionCommands, addMemberDecisionCommands } from './commands/decisions.ts';
import { addPull } from './commands/pull.ts';
import { addPush } from './commands/push.ts';
import { addGlobalOptions } from './settings.ts';
import { printable, printableJson } from './terminal.ts';

/**
 * Runs the program with its arguments and returns the exit code: 0, 1 for a failure, 2 for wrong usage. With `--json`
 * it prints exactly one JSON object on stdout, for a failure `{ "error": { code, detail, … } }`. It never throws.
 */
export async function runProgram(args: readonly string[], context: CliContext): Promise<number> {
  const json = wantsJson(args);
  let result: CommandResult | undefined;
  let said = '';
  const host: CommandHost = {
    context,
    finish: (given) => {
      result = given;
    },
  };
  try {
    await createProgram(host, (text) => {
      said += text;
    }).parseAsync(args, { from: 'user' });
    if (result === undefined) throw new Error('the command ended without a result');
    print(json, result.json, result.text, context);
    return result.failed ? failedExitCode : 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      print(json, { help: said }, said.trimEnd(), context);
      return 0;
    }
    const { error, exitCode } = describeError(
      thrown instanceof CommanderError ? fromCommander(thrown, said) : thrown,
    );
    context.stderr.write(`tms: ${errorText(error)}\n`);
    if (json) print(json, { error }, undefined, context);
    return exitCode;
  }
}

/** Looks for `--json` before the arguments are parsed, so that mistakes in them are printed as JSON, too. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** `say` receives what the argument parser prints: help and errors. */
function createProgram(host: CommandHost, say: (text: string) => void): Command {
  const program = new Command('tms')
    .description("a team's shared memory: push, pull, ask, decide")
    .exitOverride()
    // Most commands of `tms admin` need --team, so every help shows the global options.
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: say, writeErr: say });
  addGlobalOptions(program);
  addPush(program, host);
  addPull(program, host);
  addAsk(program, host);
  addMemberDecisionCommands(program, host);
  const admin = program
    .command('admin')
    .description(
      'teams, members, keys, services, decisions, projects, skipped texts, scores, usage and search indexes',
    );
  addTeamCommands(admin, host);
  addKeyCommands(admin, host);
  addServiceCredentialCommands(admin, host);
  addAdminDecisionCommands(admin, host);
  addProjectCommands(admin, host);
  addSkippedCommands(admin, host);
  addAnalyticsCommands(admin, host);
  addQueryCommands(admin, host);
  return program;
}

/** Returns the parser's error as a usage error. If no command was given, it has the help. */
function fromCommander(error: CommanderError, said: string): Error {
  const message = error.code === 'commander.help' ? `No command was given.\n\n${said}` : error.message;
  return usageError(message.replace(/^error: /, '').trimEnd());
}

function print(json: boolean, value: object, text: string | undefined, { stdout }: CliContext): void {
  if (json) stdout.write(`${printableJson(value)}\n`);
  else if (text !== undefined) stdout.write(`${printable(text)}\n`);
}
