import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { changeConfig, readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { findTarget, spelledUrl } from '../settings.ts';
import { line, lines } from '../terminal.ts';

/** A service and a team whose key is stored. */
interface StoredAccount {
  url: string;
  team: string;
}

/** Adds `tms use`. Prints `{ url, team, config }`; without a name `{ accounts: [{ url, team, current }] }`. */
export function addUse(program: Command, { context, finish }: CommandHost): void {
  program
    .command('use')
    .description('switch to another service or team whose key is stored; without a name, list them')
    .argument('[names...]', 'the address or host of the service, the team, or both')
    .action(async (names: string[], _: object, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions>();
      finish(names.length === 0 ? await list(flags, context) : await use(names, flags, context));
    });
}

async function storedAccounts(context: CliContext): Promise<StoredAccount[]> {
  const { keys = {} } = await readConfig(context);
  return Object.keys(keys).map((name) => {
    const [url = '', team = ''] = name.split(/\s+/);
    return { url: spelledUrl(url), team };
  });
}

async function list(flags: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { url, team } = findTarget(flags, context, await readConfig(context));
  const accounts = (await storedAccounts(context)).map((each) => ({
    ...each,
    current: each.url === url.value && each.team === team?.value,
  }));
  const texts = accounts.map((each) => line`${each.current ? '*' : ' '} ${each.url} ${each.team}`);
  if (texts.length === 0) texts.push(line`No key is stored: tms login stores one.`);
  return { json: { accounts }, text: lines(texts) };
}

async function use(
  names: readonly string[],
  flags: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const accounts = await storedAccounts(context);
  const [account, ...others] = accounts.filter((each) => names.every((name) => isNamed(each, name)));
  if (account === undefined) {
    const what = names.join(' ');
    throw new CliError(
      'no_key',
      `No key is stored for ${what}. tms use lists the stored ones; tms login adds one.`,
    );
  }
  if (others.length > 0) {
    const fitting = [account, ...others].map(({ url, team }) => `${url} ${team}`);
    throw usageError(`More than one fits: ${fitting.join(', ')}. Name the service and the team.`);
  }
  const { url, team } = account;
  const config = await changeConfig(context, (before) => ({ ...before, url, team }));
  const found = findTarget(flags, context, await readConfig(context));
  const overriding = [found.url, found.team].filter((each) => each !== undefined && each.from !== config);
  return {
    json: { url, team, config },
    text: lines([
      line`Commands outside of a folder made by tms init now use team ${team} at ${url}.`,
      ...overriding.map((each) => line`Only ${each?.from ?? ''} still comes before it.`),
    ]),
  };
}

function isNamed({ url, team }: StoredAccount, name: string): boolean {
  return name === team || spelledUrl(name) === url || spelledUrl(name) === url.replace(/^https?:\/\//, '');
}
