import type { Whoami } from '@teammemory/client/whoami.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { clientFor } from './clients.ts';
import { changeConfig, readConfig, withExpiry } from './config-file.ts';
import type { GlobalOptions } from './global-options.ts';
import { askLine, askSecret, canAsk, readStandardInput } from './input.ts';
import {
  findKey,
  findTarget,
  type KeyUse,
  keyName,
  knowsUrl,
  type Settings,
  type WorkspaceOrigin,
} from './settings.ts';

/** A key has 64 characters; what is longer was not meant. */
const maxKeyBytes = 4_096;

/** Where something came from that was typed at a prompt. */
export const typedOrigin = 'your answer';

/** An address, a team and a key, and whether the key should be stored. */
export interface Account extends Settings {
  /** True if the user gave the key for this command: by a flag, on standard input or at the prompt. */
  isNew: boolean;
}

/**
 * Finds server, team and key, and asks on the terminal for what is missing. With `newKey` a stored key does not count.
 * `--key -` reads the key from standard input. Throws a usage error for what is missing where nobody can be asked.
 */
export async function findAccount(
  flags: GlobalOptions,
  context: CliContext,
  { newKey = false, workspace }: { newKey?: boolean; workspace?: WorkspaceOrigin } = {},
): Promise<Account> {
  const config = await readConfig(context);
  const asks = canAsk(context) && flags.key !== '-';
  const found = findTarget(flags, context, config, workspace);
  const url =
    asks && found.url.from === 'the default' && config.keys === undefined
      ? { value: await askLine(context, 'Address of the service', found.url.value), from: typedOrigin }
      : found.url;
  const team = found.team ?? {
    value: asks ? await askLine(context, 'Team') : '',
    from: typedOrigin,
  };
  if (team.value === '') throw usageError('No team: use --team, or set TMS_TEAM.');
  const target = { url: url.value.replace(/\/+$/, ''), team: team.value };
  const known = newKey
    ? findKey(flags, { cwd: context.cwd, env: {} }, {}, target)
    : findKey(flags, context, config, target);
  const key =
    known?.from === '--key' && known.value === '-'
      ? { value: (await readStandardInput(context, maxKeyBytes)).trim(), from: 'standard input' }
      : (known ?? (await askKey(context, asks, target)));
  if (key.value === '') throw usageError('The key is empty.');
  return {
    ...target,
    key: key.value,
    origin: { url: url.from, team: team.from, key: key.from },
    isNew: ['--key', 'standard input', typedOrigin].includes(key.from),
  };
}

async function askKey(
  context: CliContext,
  asks: boolean,
  { url, team }: { url: string; team: string },
): Promise<{ value: string; from: string }> {
  if (!asks) {
    throw usageError(
      `No key for team ${team} at ${url}. Give it on standard input: tms login --url ${url} --team ${team} --key - (or set TMS_KEY)`,
    );
  }
  return { value: await askSecret(context, `Key for team ${team} at ${url}`), from: typedOrigin };
}

/**
 * Asks the service what the key is; undefined if a service of the plain contract takes the key but cannot tell. Throws what
 * the client throws, and CliError `team_forbidden` if the key is of another team.
 */
export async function checkKey(account: Settings, context: CliContext): Promise<Whoami | undefined> {
  const client = await clientFor(account, context);
  const { signal } = context;
  const { ProblemError } = await import('@teammemory/client/problem-error.ts');
  try {
    const who = await client.whoami({ signal });
    if (who.team === account.team) return who;
    throw new CliError('team_forbidden', `The key is of team ${who.team}, not of ${account.team}.`);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'not_found') throw thrown;
    await client.listItems({ limit: 1, signal });
    return undefined;
  }
}

/** Says who somebody is, as far as the service tells. */
export function whoText(who: Whoami | undefined): string {
  if (who === undefined) return 'The service takes the key, but cannot tell what it allows.';
  return `You are ${who.member}: tier ${who.tier}, access ${who.access}.`;
}

/** The same for `--json`; null for what is not known. */
export function whoJson(who: Whoami | undefined): object {
  return { member: who?.member ?? null, tier: who?.tier ?? null, access: who?.access ?? null };
}

/**
 * Stores a new key for its address and team, of the user or of agents, and the two as defaults if there are none. A key of the environment stays
 * there; its address is remembered as one that it may be sent to. `who` tells the key's expiry, which is stored with it. Returns
 * the path if the config file was changed.
 */
export async function rememberAccount(
  { url, team, key, isNew }: Account,
  who: Whoami | undefined,
  context: CliContext,
  { forAgents = false }: KeyUse = {},
): Promise<string | undefined> {
  const config = await readConfig(context);
  if (!isNew) {
    if (knowsUrl(config, url)) return undefined;
    return changeConfig(context, (before) => ({
      ...before,
      trusted_urls: [...(before.trusted_urls ?? []), url],
    }));
  }
  return changeConfig(context, (before) => {
    const hasDefault = before.url !== undefined || before.team !== undefined || before.keys !== undefined;
    const list = forAgents ? 'agent_keys' : 'keys';
    const after = {
      ...(hasDefault ? {} : { url, team }),
      ...before,
      [list]: { ...withoutKey(before[list], url, team), [keyName(url, team)]: key },
    };
    return who === undefined ? after : withExpiry(after, key, who.expires_at);
  });
}

/** Returns the stored keys without that of an address and team, however it was spelled. */
export function withoutKey(
  keys: Record<string, string> | undefined,
  url: string,
  team: string,
): Record<string, string> {
  const others = Object.entries(keys ?? {}).filter(([name]) => {
    const [storedUrl = '', storedTeam = ''] = name.split(/\s+/);
    return keyName(storedUrl, storedTeam) !== keyName(url, team);
  });
  return Object.fromEntries(others);
}
