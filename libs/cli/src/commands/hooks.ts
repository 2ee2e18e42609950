import { Argument, type Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { workspaceOrigin } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import {
  type HookClient,
  type HookMoment,
  hookClients,
  hookFormats,
  hookMoments,
  putHooks,
  removeHooks,
} from '../hooks/hook-file.ts';
import { putRules, removeRules, rulesPath } from '../hooks/rules.ts';
import { userPlaces } from '../mcp-clients/clients.ts';
import { type ConfigurationFile, readConfiguration } from '../mcp-clients/configuration-file.ts';
import { loadSettings } from '../settings.ts';
import { line, lines } from '../terminal.ts';
import { changeWithConsent } from './mcp-clients.ts';

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
  const { title, file } = hookFormats[client];
  const { folder, path } = file(userPlaces(context));
  const configuration = await readConfiguration(folder, path, 'user');
  const wanted: [ConfigurationFile, string | undefined][] = [
    [
      configuration,
      isInstalled
        ? putHooks(client, configuration, context.program)
        : uninstalled(client, configuration, context),
    ],
  ];
  if (flags.rules) {
    const rules = await readConfiguration(context.cwd, rulesPath(client, context.cwd), 'project');
    wanted.push([rules, isInstalled ? putRules(rules.text) : rules.text && removeRules(rules.text)]);
  }
  const files: Awaited<ReturnType<typeof changeWithConsent>>[] = [];
  for (const [before, text] of wanted) files.push(await changeWithConsent(before, text, flags, context));
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

/** Returns what the file was before the installation if nothing else has changed it, else the text without our hooks. */
function uninstalled(
  client: HookClient,
  { path, text, backupText }: ConfigurationFile,
  { program }: CliContext,
): string | undefined {
  if (text === undefined) return undefined;
  const without = removeHooks(client, { path, text });
  if (without === text) return text;
  try {
    if (putHooks(client, { path, text: backupText }, program) === text) return backupText;
  } catch {
    // A backup may be anything.
  }
  return without;
}
