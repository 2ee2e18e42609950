import type { Command } from 'commander';
import {
  type Account,
  checkKey,
  findAccount,
  rememberAccount,
  typedOrigin,
  whoJson,
  whoText,
  withoutKey,
} from '../account.ts';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { openClient, workspaceOrigin } from '../clients.ts';
import { changeConfig, readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { findTarget, folderOrigin, type KeyUse, keyName, knowsUrl, spelledUrl } from '../settings.ts';
import { line, lines } from '../terminal.ts';

interface AgentsOption {
  agents?: boolean;
}

/** Adds `tms login`. Prints `{ url, team, member, tier, access, config }`. */
export function addLogin(program: Command, { context, finish }: CommandHost): void {
  program
    .command('login')
    .description('store the key of a team; --key - reads it from standard input')
    .option('--agents', 'store it as the key of agents, for tms mcp, tms brief and hooks; your own key stays')
    .action(async ({ agents }: AgentsOption, command: Command) => {
      finish(await login(command.optsWithGlobals<GlobalOptions>(), context, { forAgents: agents }));
    });
}

async function login(flags: GlobalOptions, context: CliContext, use: KeyUse): Promise<CommandResult> {
  const workspace = await workspaceOrigin(context.cwd);
  const account = await findAccount(flags, context, { newKey: true, workspace });
  await refuseForeignUrl(account, context, workspace?.root);
  const who = await checkKey(account, context);
  const config = await rememberAccount(account, who, context, use);
  const { url, team } = account;
  return {
    json: { url, team, ...whoJson(who), config },
    text: lines([
      line`${whoText(who)}`,
      line`The key ${use.forAgents ? 'of agents ' : ''}for team ${team} at ${url} is stored in ${config ?? ''}.`,
    ]),
  };
}

/** A folder may come from somebody else: a key that was not typed for its address, which the prompt shows, does not go there. */
async function refuseForeignUrl(
  { url, origin }: Account,
  context: CliContext,
  root: string | undefined,
): Promise<void> {
  if (root === undefined || origin.url !== folderOrigin(root) || origin.key === typedOrigin) return;
  if (knowsUrl(await readConfig(context), url)) return;
  throw usageError(
    `The folder ${root} names the address ${url}. If that is the one you mean, use --url ${url}.`,
  );
}

/** Adds `tms logout`. Prints `{ url, team, config }`. */
export function addLogout(program: Command, { context, finish }: CommandHost): void {
  program
    .command('logout')
    .description('forget the stored key of a team; the key itself stays valid')
    .option('--agents', 'forget the key of agents')
    .action(async ({ agents }: AgentsOption, command: Command) => {
      finish(await logout(command.optsWithGlobals<GlobalOptions>(), context, { forAgents: agents }));
    });
}

async function logout(
  flags: GlobalOptions,
  context: CliContext,
  { forAgents = false }: KeyUse,
): Promise<CommandResult> {
  const before = await readConfig(context);
  const target = findTarget(flags, context, before, await workspaceOrigin(context.cwd));
  const url = target.url.value;
  const team = target.team?.value;
  if (team === undefined) throw usageError('No team: use --team.');
  const list = forAgents ? 'agent_keys' : 'keys';
  const keys = withoutKey(before[list], url, team);
  const isPlainOfTarget =
    !forAgents && before.key !== undefined && before.team === team && spelledUrl(before.url ?? url) === url;
  if (Object.keys(keys).length === Object.keys(before[list] ?? {}).length && !isPlainOfTarget) {
    throw new CliError('no_key', `No key of team ${team} at ${url} is stored.`);
  }
  const config = await changeConfig(context, ({ key, ...others }) => ({
    ...others,
    ...(isPlainOfTarget || key === undefined ? {} : { key }),
    [list]: withoutKey(others[list], url, team),
  }));
  return {
    json: { url, team, config },
    text: `The key ${keyName(url, team)} is forgotten here. To end it for good: tms admin key revoke <key_id>`,
  };
}

/** Adds `tms whoami`. Prints the answer of `GET /api/v1/whoami`, and `url`. */
export function addWhoami(program: Command, { context, finish }: CommandHost): void {
  program
    .command('whoami')
    .description('show who you are for the service, and what your key allows')
    .action(async (_: object, command: Command) => {
      const { client, settings } = await openClient(command.optsWithGlobals<GlobalOptions>(), context);
      const who = await client.whoami({ signal: context.signal });
      const { url, origin } = settings;
      const expiry = who.expires_at === null ? 'never' : who.expires_at;
      finish({
        json: { ...who, url },
        text: lines([
          line`${who.member} of team ${who.team} at ${url} (from ${origin.url})`,
          line`tier ${who.tier}, access ${who.access}, ${who.item_writes_per_minute} writes a minute`,
          line`key ${who.key_id} (from ${origin.key}), expires ${expiry}`,
        ]),
      });
    });
}
