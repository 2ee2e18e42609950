import { Command, CommanderError } from 'commander';
import type { CliContext } from './cli-context.ts';
import { failedExitCode, usageError } from './cli-error.ts';
import type { CommandHost, CommandResult } from './command-host.ts';
import { addKeyCreate } from './commands/admin-key-create.ts';
import { addKeyList } from './commands/admin-key-list.ts';
import { addKeyRevoke } from './commands/admin-key-revoke.ts';
import { addMemberAdd } from './commands/admin-member-add.ts';
import { addProjectCreate } from './commands/admin-project-create.ts';
import { addProjectRemove } from './commands/admin-project-remove.ts';
import { addRescore } from './commands/admin-rescore.ts';
import { addRollup } from './commands/admin-rollup.ts';
import { addServiceCreate } from './commands/admin-service-create.ts';
import { addServiceList } from './commands/admin-service-list.ts';
import { addServiceRevoke } from './commands/admin-service-revoke.ts';
import { addSkippedList } from './commands/admin-skipped-list.ts';
import { addTeamCreate } from './commands/admin-team-create.ts';
import { addUsage } from './commands/admin-usage.ts';
import { addAsk } from './commands/ask.ts';
import { addDecisionCommands } from './commands/decision-commands.ts';
import { addPull } from './commands/pull.ts';
import { addPush } from './commands/push.ts';
import { complaintText } from './complaint-text.ts';
import { decisionsAsAdministrator } from './decisions-as-administrator.ts';
import { decisionsAsMember } from './decisions-as-member.ts';
import { describeError } from './describe-error.ts';
import { addGlobalOptions } from './global-options.ts';
import { printable, printableJson } from './printable.ts';

/**
 * Runs the program with the arguments behind its name and returns its exit code:
 * 0, 1 failed, 2 usage. With `--json` it prints exactly one JSON object on stdout,
 * `{ "error": { code, detail, … } }` where it failed. Never throws.
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
    context.stderr.write(`tms: ${complaintText(error)}\n`);
    if (json) print(json, { error }, undefined, context);
    return exitCode;
  }
}

/** Known before parsing, so that a mistake in the arguments is told as JSON, too. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** `say` takes what the argument parser would print: help and complaints. */
function createProgram(host: CommandHost, say: (text: string) => void): Command {
  const program = new Command('tms')
    .description("a team's shared memory: push, pull, ask, decide")
    .exitOverride()
    // Of every command: most that are for administrators need --team.
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: say, writeErr: say });
  addGlobalOptions(program);
  addPush(program, host);
  addPull(program, host);
  addAsk(program, host);
  addDecisionCommands(program, host, decisionsAsMember);
  const admin = program
    .command('admin')
    .description('teams, members, keys, services, decisions, projects, skipped texts, scores and usage');
  addTeamCreate(admin.command('team').description('teams'), host);
  addMemberAdd(admin.command('member').description('members'), host);
  const key = admin.command('key').description('keys');
  addKeyCreate(key, host);
  addKeyRevoke(key, host);
  addKeyList(key, host);
  const service = admin.command('service').description('credentials of services');
  addServiceCreate(service, host);
  addServiceRevoke(service, host);
  addServiceList(service, host);
  addDecisionCommands(admin, host, decisionsAsAdministrator);
  const project = admin.command('project').description('projects');
  addProjectCreate(project, host);
  addProjectRemove(project, host);
  addSkippedList(admin.command('skipped').description('texts that make no tasks'), host);
  addRollup(admin, host);
  addRescore(admin, host);
  addUsage(admin, host);
  return program;
}

/** The parser's complaint, or, where no command was given at all, its help. */
function fromCommander(error: CommanderError, said: string): Error {
  const complaint = error.code === 'commander.help' ? `No command was given.\n\n${said}` : error.message;
  return usageError(complaint.replace(/^error: /, '').trimEnd());
}

function print(json: boolean, value: object, text: string | undefined, { stdout }: CliContext): void {
  if (json) stdout.write(`${printableJson(value)}\n`);
  else if (text !== undefined) stdout.write(`${printable(text)}\n`);
}
