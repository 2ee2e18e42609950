import { Argument, type Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { workspaceOrigin } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import {
  briefHooks,
  type HookClient,
  type HookMoment,
  hookClients,
  hookFormats,
  hookMoments,
  type OwnHooks,
  putHooks,
  removeHooks,
} from '../hooks/hook-file.ts';
import { putRules, removeRules, rulesPath } from '../hooks/rules.ts';
import { userPlaces } from '../mcp-clients/clients.ts';
import { readConfiguration } from '../mcp-clients/configuration-file.ts';
import { loadSettings } from '../settings.ts';
import { line, lines } from '../terminal.ts';
import { changeWithConsent, type MadeChange } from './mcp-clients.ts';

interface HookOptions {
  rules?: boolean;
  yes?: boolean;
}

/**
 * Adds `tms hooks install`, `uninstall` and `run`. The first two print `{ client, files: [{ file, change, backup, patch }] }`,
 * with `change`, `backup` and `patch` as of `tms mcp install`.
 */
export function addHooks(program: Command, { context, finish }: CommandHost): void {
  const hooks = program
    .command('hooks')
    .description(
      'give the sessions of agents a brief at their start, and a nudge to write down what was learned',
    );
  const client = () => new Argument('<client>', 'the program that runs agents').choices(hookClients);
  for (const [name, description] of [
    ['install', 'add the hooks to your configuration of a program that runs agents'],
    ['uninstall', 'remove the hooks from that configuration'],
  ] as const) {
    hooks
      .command(name)
      .description(description)
      .addArgument(client())
      .option('--rules', 'also the rules on when to search and to write, in a file of the working directory')
      .option('-y, --yes', 'do not ask')
      .action(async (chosen: HookClient, _: HookOptions, command: Command) => {
        finish(await change(name, chosen, command.optsWithGlobals<GlobalOptions & HookOptions>(), context));
      });
  }
  hooks
    .command('run')
    .description('what the hooks run: prints for the program what a session is told, and never fails')
    .addArgument(client())
    .addArgument(new Argument('<moment>', 'the moment of the session').choices(hookMoments))
    .action(async (chosen: HookClient, moment: HookMoment, _: object, command: Command) => {
      const { runHook } = await import('../hooks/run-hook.ts');
      const flags = command.optsWithGlobals<GlobalOptions>();
      const told = await runHook({ client: chosen, moment }, flags, context);
      finish({ json: told ?? {}, ...(told === undefined ? {} : { text: JSON.stringify(told) }) });
    });
}

async function change(
  name: 'install' | 'uninstall',
  client: HookClient,
  flags: GlobalOptions & HookOptions,
  context: CliContext,
): Promise<CommandResult> {
  const isInstalled = name === 'install';
  // A hook says nothing of what it lacks, so it is said here.
  if (isInstalled)
    await loadSettings(flags, context, await workspaceOrigin(context.cwd), { forAgents: true });
  const files = [await changeHooks(name, briefHooks(client), flags, context)];
  if (flags.rules) {
    const path = rulesPath(client, context.cwd);
    // A repository gets no copy: what is taken out again leaves the text of before, byte for byte.
    const rules = { ...(await readConfiguration(context.cwd, path, 'project')), backup: undefined };
    const text = isInstalled ? putRules(rules.text) : rules.text && removeRules(rules.text);
    files.push(await changeWithConsent(rules, text, flags, context));
  }
  const { title } = hookFormats[client];
  return {
    json: { client, files },
    text: lines([
      ...files.map(
        ({ file, change }) => line`${title}: ${file} ${change === 'none' ? 'is as it should be' : change}.`,
      ),
      ...files.flatMap(({ backup }) => (backup === null ? [] : [line`What it was is in ${backup}.`])),
    ]),
  };
}

/**
 * Puts hooks into the configuration of a program, or takes them out, as `changeWithConsent` does. Without them the file is
 * what it was before the installation if nothing else has changed it.
 * @throws CliError `bad_file`; else as `changeWithConsent`, `readConfiguration` and `putHooks`.
 */
export async function changeHooks(
  name: 'install' | 'uninstall',
  hooks: OwnHooks,
  flags: GlobalOptions & { yes?: boolean },
  context: CliContext,
): Promise<MadeChange> {
  const { folder, path } = hookFormats[hooks.client].file(userPlaces(context));
  const file = await readConfiguration(folder, path, 'user');
  const wanted =
    name === 'install' ? putHooks(hooks, file, context.program) : uninstalled(hooks, file, context);
  return changeWithConsent(file, wanted, flags, context);
}

function uninstalled(
  hooks: OwnHooks,
  { path, text, backupText }: { path: string; text: string | undefined; backupText: string | undefined },
  { program }: CliContext,
): string | undefined {
  if (text === undefined) return undefined;
  const without = removeHooks(hooks, { path, text });
  if (without === text) return text;
  try {
    const hadNone = backupText === undefined || removeHooks(hooks, { path, text: backupText }) === backupText;
    const installed = putHooks(hooks, { path, text: backupText }, program);
    if (hadNone && removeHooks(hooks, { path, text: installed }) === without) return backupText;
  } catch {
    // A backup may be anything.
  }
  return without;
}
