import { join } from 'node:path';
import { type EntryTarget, keyVariable } from '@teammemory/vocabulary/mcp-entries.ts';
import { Argument, type Command } from 'commander';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { workspaceOrigin } from '../clients.ts';
import { readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { askLine, canAsk } from '../input.ts';
import {
  type ClientName,
  clientNames,
  type KnownClient,
  knownClients,
  userPlaces,
} from '../mcp-clients/clients.ts';
import {
  type ConfigurationFile,
  changeConfiguration,
  keptBackup,
  readConfiguration,
} from '../mcp-clients/configuration-file.ts';
import { type Plan, planInstall, planUninstall } from '../mcp-clients/plan.ts';
import { findTarget, loadSettings, spelledUrl, type WorkspaceOrigin } from '../settings.ts';
import { createPaint, line, lines, paintPatch } from '../terminal.ts';

interface ChangeOptions {
  user?: boolean;
  yes?: boolean;
}

/**
 * Adds `tms mcp install` and `tms mcp uninstall`. Both print `{ client, file, entry, change, backup, patch }`: `change` is
 * added, changed, removed or none, and `backup` null if none was kept.
 */
export function addClientCommands(mcp: Command, { context, finish }: CommandHost): void {
  const client = () => new Argument('<client>', 'the program that runs agents').choices(clientNames);
  mcp
    .command('install')
    .description('add this server to the configuration of a program that runs agents')
    .addArgument(client())
    .option('--user', 'for all your folders; default: only the folder made by tms init')
    .option('--http', `use the HTTP endpoint, with the key in ${keyVariable}, instead of a local program`)
    .option('-y, --yes', 'do not ask')
    .action(async (name: ClientName, options: ChangeOptions & { http?: boolean }, command: Command) => {
      finish(await install(name, options, command.optsWithGlobals<GlobalOptions>(), context));
    });
  mcp
    .command('uninstall')
    .description('remove this server from that configuration')
    .addArgument(client())
    .option('--user', 'from your own configuration; default: from that of the folder')
    .option('-y, --yes', 'do not ask')
    .action(async (name: ClientName, options: ChangeOptions, command: Command) => {
      finish(await uninstall(name, options, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

type Flags = GlobalOptions & ChangeOptions;

async function install(
  name: ClientName,
  { user, http = false }: ChangeOptions & { http?: boolean },
  flags: Flags,
  context: CliContext,
): Promise<CommandResult> {
  const client = knownClients[name];
  const workspace = await workspaceOrigin(context.cwd);
  const target = http
    ? await targetOf(flags, context, workspace)
    : await targetWithKey(flags, context, workspace);
  requireFolderTarget(target, client, { user, workspace });
  const file = await openFile(client, { user, workspace }, context);
  const plan = planInstall(client, file, target, { http, program: context.program });
  return carryOut(name, file, plan, flags, context);
}

async function uninstall(
  name: ClientName,
  { user }: ChangeOptions,
  flags: Flags,
  context: CliContext,
): Promise<CommandResult> {
  const client = knownClients[name];
  const workspace = await workspaceOrigin(context.cwd);
  const target = await targetOf(flags, context, workspace);
  const file = await openFile(client, { user, workspace }, context);
  return carryOut(name, file, planUninstall(client, file, target, context.program), flags, context);
}

async function targetOf(
  flags: Flags,
  context: CliContext,
  workspace: WorkspaceOrigin | undefined,
): Promise<EntryTarget> {
  const { url, team } = findTarget(flags, context, await readConfig(context), workspace);
  if (team === undefined) {
    throw usageError(
      'No team: use --team, set TMS_TEAM, run tms login, or work in a folder made by tms init.',
    );
  }
  return { url: url.value, team: team.value };
}

/** Returns the target of a local program, which finds the key as every other command does. */
async function targetWithKey(
  flags: Flags,
  context: CliContext,
  workspace: WorkspaceOrigin | undefined,
): Promise<EntryTarget> {
  const { url, team, origin } = await loadSettings(flags, context, workspace, { forAgents: true });
  if (origin.key === '--key' || origin.key === 'TMS_KEY') {
    context.stderr.write(
      `tms: warning: the key comes from ${origin.key}, which the program may not hand on. Store it: tms login --agents --url ${url} --team ${team}\n`,
    );
  }
  return { url, team };
}

interface Place {
  user?: boolean | undefined;
  workspace: WorkspaceOrigin | undefined;
}

/** What is written into a folder is for the team of that folder. */
function requireFolderTarget(
  { url, team }: EntryTarget,
  { projectFile }: KnownClient,
  { user, workspace }: Place,
): void {
  if (user || projectFile === undefined || workspace === undefined) return;
  if (workspace.team === team && spelledUrl(workspace.url) === url) return;
  throw usageError(
    `${workspace.root} belongs to team ${workspace.team} at ${workspace.url}, not to ${team} at ${url}. Use --user, or another folder.`,
  );
}

async function openFile(
  client: KnownClient,
  { user, workspace }: Place,
  context: CliContext,
): Promise<ConfigurationFile> {
  const { projectFile, title } = client;
  if (user || projectFile === undefined) {
    const { folder, path } = client.userFile(userPlaces(context));
    return readConfiguration(folder, path, 'user');
  }
  if (workspace === undefined) {
    throw usageError(
      `${context.cwd} is not in a folder made by tms init. Use --user for the configuration of ${title} in all your folders.`,
    );
  }
  return readConfiguration(workspace.root, join(workspace.root, projectFile), 'project');
}

/** Shows a change, asks and makes it. */
async function carryOut(
  client: ClientName,
  file: ConfigurationFile,
  { change, name, text }: Plan,
  flags: Flags,
  context: CliContext,
): Promise<CommandResult> {
  const { path } = file;
  const { title } = knownClients[client];
  const said = { client, file: path, entry: name };
  if (change === 'none') {
    return {
      json: { ...said, change, backup: null, patch: null },
      text: line`Nothing to do: see ${name} in ${path}.`,
    };
  }
  const { backup, patch } = await changeWithConsent(file, text, flags, context);
  return {
    json: { ...said, change, backup, patch },
    text: lines([
      line`${title}: ${name} ${change}, in ${path}.`,
      ...(backup === null ? [] : [line`What it was is in ${backup}.`]),
      line`Start ${title} anew, and see there whether it runs.`,
    ]),
  };
}

/** What was done to a configuration file. */
export interface MadeChange {
  file: string;
  change: 'added' | 'changed' | 'removed' | 'none';
  /** Where the file of before is kept; null if it is not. */
  backup: string | null;
  patch: string | null;
}

/**
 * Shows a change of a configuration file, asks and makes it.
 * @throws CliError `cancelled`, `changed_meanwhile`; a usage error where nobody can be asked.
 */
export async function changeWithConsent(
  file: ConfigurationFile,
  text: string | undefined,
  { yes, quiet }: Pick<Flags, 'yes' | 'quiet'>,
  context: CliContext,
): Promise<MadeChange> {
  const { path } = file;
  if (text === file.text) return { file: path, change: 'none', backup: null, patch: null };
  const patch = patchOf(file, text);
  if (!yes || !quiet) {
    const paint = createPaint(context.env, context.stderr);
    context.stderr.write(`${lines(paintPatch(patch, paint))}\n`);
  }
  if (!yes) await requireConsent(path, context);
  await changeConfiguration(file, text);
  const change = file.text === undefined ? 'added' : text === undefined ? 'removed' : 'changed';
  return { file: path, change, backup: keptBackup(file, text), patch };
}

/** Lines around a change could have secrets of other servers, so the diff has only the next ones. */
function patchOf({ path, text: before = '' }: ConfigurationFile, after = ''): string {
  const options = { context: 1, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(path, path, before, after, 'now', 'then', options);
}

async function requireConsent(path: string, context: CliContext): Promise<void> {
  if (!canAsk(context)) {
    throw usageError(`Nothing was changed: nobody can be asked here. Use --yes to make this change.`);
  }
  const answer = await askLine(context, `Change ${path} like this? [y/N]`);
  if (!/^y(es)?$/i.test(answer)) throw new CliError('cancelled', 'Nothing was changed.');
}
