import { dirname, resolve } from 'node:path';
import { initWorkspace } from '@teammemory/sync/state/workspace.ts';
import type { Command } from 'commander';
import { checkKey, findAccount, rememberAccount, whoJson, whoText } from '../account.ts';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import type { GlobalOptions } from '../global-options.ts';
import { line, lines } from '../terminal.ts';
import { findRoot, shownPath } from '../workspace-command.ts';

/** Adds `tms init`. Prints `{ root, url, team, member, tier, access, config }`; `config` is null if no file was changed. */
export function addInit(program: Command, { context, finish }: CommandHost): void {
  program
    .command('init')
    .description('make a folder that stays in step with a team')
    .argument('[folder]', 'created if it does not exist; default: the working directory')
    .action(async (folder: string | undefined, _: object, command: Command) => {
      finish(await init(folder ?? '.', command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function init(folder: string, flags: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const path = resolve(context.cwd, folder);
  const outer = await findRoot(dirname(path));
  if (outer !== undefined) {
    throw usageError(
      `${path} lies in ${outer}, which is such a folder already. Use that one, or another place.`,
    );
  }
  const account = await findAccount(flags, context);
  const who = await checkKey(account, context);
  const { url, team } = account;
  const root = await initWorkspace(path, { url, team });
  const config = await rememberAccount(account, who, context);
  const next = shownPath(root, '', context) === '.' ? 'tms sync' : `tms sync ${shownPath(root, '', context)}`;
  return {
    json: { root, url, team, ...whoJson(who), config: config ?? null },
    text: lines([
      line`${root} is a folder of team ${team} at ${url}.`,
      line`${whoText(who)}`,
      ...(config === undefined ? [] : [line`Stored in ${config}.`]),
      line`Next: ${next}`,
    ]),
  };
}
