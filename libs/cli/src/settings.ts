import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';
import { type Config, configPath, readConfig, storedExpiry } from './config-file.ts';
import type { GlobalOptions } from './global-options.ts';

const defaultUrl = 'http://127.0.0.1:8080';
const defaultRpcUrl = 'http://127.0.0.1:7100';

/** The service and the user's identity. */
export interface Settings {
  url: string;
  key: string;
  team: string;
  origin: SettingsOrigin;
  /** When the key expires, in RFC 3339, if that is stored with it. */
  keyExpiresAt?: string | undefined;
}

/** Where each setting came from, in words: `--url`, `TMS_KEY`, or the path of a file. */
export interface SettingsOrigin {
  url: string;
  key: string;
  team: string;
}

/** The RPC address and the key of a member. The key names the team. */
export interface MemberSettings {
  rpcUrl: string;
  rpcUrlFrom: string;
  key: string;
  keyFrom: string;
  /** As in `Settings`. */
  keyExpiresAt: string | undefined;
}

/** The address and team of a folder, which its `.tms/` names. */
export interface WorkspaceOrigin {
  root: string;
  url: string;
  team: string;
}

type SettingsContext = Pick<CliContext, 'env' | 'cwd' | 'stderr'>;

interface Found {
  value: string;
  from: string;
}

/** Takes the first setting that is there. An empty value counts as missing. */
function first(...candidates: [value: string | undefined, from: string][]): Found | undefined {
  for (const [value, from] of candidates) if (value) return { value, from };
  return undefined;
}

/** One service must have one spelling: keys and folders are stored by it. */
export function spelledUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/** The name under which a key is stored. */
export function keyName(url: string, team: string): string {
  return `${spelledUrl(url)} ${team}`;
}

/** Says that a setting came from the `.tms/` of a folder. */
export function folderOrigin(root: string): string {
  return `the folder ${root}`;
}

/**
 * Finds the address and the team: flags, then the environment (`TMS_URL`, `TMS_TEAM`), then the folder, then the config
 * file, then the default address. `team` is undefined if nothing names one. Throws a usage error for an address that ends in
 * `/api/v1`.
 */
export function findTarget(
  flags: GlobalOptions,
  { env, cwd }: Pick<CliContext, 'env' | 'cwd'>,
  config: Config,
  workspace?: WorkspaceOrigin,
): { url: Found; team: Found | undefined } {
  const file = configPath({ env, cwd });
  const folder = workspace === undefined ? '' : folderOrigin(workspace.root);
  const url = first(
    [flags.url, '--url'],
    [env.TMS_URL, 'TMS_URL'],
    [workspace?.url, folder],
    [config.url, file],
    [defaultUrl, 'the default'],
  ) as Found;
  const team = first(
    [flags.team, '--team'],
    [env.TMS_TEAM, 'TMS_TEAM'],
    [workspace?.team, folder],
    [config.team, file],
  );
  return { url: { ...url, value: baseAddress(url) }, team };
}

/** Returns the address of a service in its one spelling. Throws a usage error for that of its API, which clients add. */
function baseAddress({ value, from }: Found): string {
  const url = spelledUrl(value);
  const [, base] = /^(.+?)\/+api(?:\/+v1(?:\/.*)?)?$/.exec(url) ?? [];
  if (base === undefined) return url;
  throw usageError(`The address ${url} (from ${from}) must be that of the service, without /api/v1: ${base}`);
}

/**
 * Finds the settings of a call. The key is that of the flag, of `TMS_KEY`, or the stored one for address and team; for
 * agents the one stored for them comes before `TMS_KEY`. An
 * address that only the folder names gets no key but one stored for it, unless the user knows the address: a folder may
 * come from somebody else. Throws a usage error for a missing setting and CliError `bad_config` for a bad file.
 */
export async function loadSettings(
  flags: GlobalOptions,
  context: SettingsContext,
  workspace?: WorkspaceOrigin,
  { forAgents = false }: KeyUse = {},
): Promise<Settings> {
  const config = await readConfig(context);
  const { url, team } = findTarget(flags, context, config, workspace);
  if (!team) {
    throw usageError(
      'No team: use --team, set TMS_TEAM, run tms login, or work in a folder made by tms init.',
    );
  }
  const key = findKey(flags, context, config, { url: url.value, team: team.value }, { forAgents });
  if (key === undefined) {
    throw usageError(
      `No key for team ${team.value} at ${url.value}. Run: tms login --url ${url.value} --team ${team.value} (or set TMS_KEY, or use --key)`,
    );
  }
  const namedByFolder = workspace !== undefined && url.from === folderOrigin(workspace.root);
  if (namedByFolder && key.stored !== 'for this address' && !knowsUrl(config, url.value)) {
    throw usageError(
      `The folder ${workspace.root} names the address ${url.value}, which you have never used. If you trust it, run: tms login --url ${url.value} --team ${team.value} (or name it in TMS_URL)`,
    );
  }
  return {
    url: url.value,
    key: key.value,
    team: team.value,
    origin: { url: url.from, key: key.from, team: team.from },
    keyExpiresAt: storedExpiry(config, key.value),
  };
}

/** True if a key that is not bound to an address may go there. */
export function knowsUrl(config: Config, url: string): boolean {
  const known = [
    config.url ?? defaultUrl,
    ...(config.trusted_urls ?? []),
    ...Object.keys({ ...config.keys, ...config.agent_keys }).map((name) => name.split(' ')[0] ?? ''),
  ];
  return known.some((each) => spelledUrl(each) === url);
}

/** What a key is wanted for. */
export interface KeyUse {
  /** Whether agents act with it: then one that is stored for agents comes before the user's own, even before `TMS_KEY`. */
  forAgents?: boolean;
}

/** Finds the key that goes to an address and team. */
export function findKey(
  flags: GlobalOptions,
  context: Pick<CliContext, 'env' | 'cwd'>,
  config: Config,
  target: { url: string; team: string },
  { forAgents = false }: KeyUse = {},
): (Found & { stored?: 'for this address' }) | undefined {
  if (flags.key) return { value: flags.key, from: '--key' };
  const file = configPath(context);
  const name = keyName(target.url, target.team);
  const storedIn = (keys: Config['keys'] = {}) => {
    const value = Object.entries(keys).find(([each]) => keyNameSpelled(each) === name)?.[1];
    return value ? { value, from: file, stored: 'for this address' as const } : undefined;
  };
  // A program that runs agents hands on the environment of its user, whose key may do more than theirs.
  const ofAgents = forAgents ? storedIn(config.agent_keys) : undefined;
  return (
    ofAgents ?? first([context.env.TMS_KEY, 'TMS_KEY']) ?? storedIn(config.keys) ?? first([config.key, file])
  );
}

/** A name as a user may have typed it into the file. */
function keyNameSpelled(name: string): string {
  const [url = '', team = ''] = name.split(/\s+/);
  return keyName(url, team);
}

/**
 * Finds the key like `loadSettings`, without needing a team where a key is given, and the RPC address from `TMS_RPC_URL`
 * or the config file.
 */
export async function loadMemberSettings(
  flags: GlobalOptions,
  context: SettingsContext,
  workspace?: WorkspaceOrigin,
): Promise<MemberSettings> {
  const config = await readConfig(context);
  const { url, team } = findTarget(flags, context, config, workspace);
  const key = findKey(flags, context, config, { url: url.value, team: team?.value ?? '' });
  if (key === undefined) {
    throw usageError('No key: run tms login, set TMS_KEY, or use --key.');
  }
  const rpc = rpcUrlFrom(context, config);
  return {
    key: key.value,
    keyFrom: key.from,
    keyExpiresAt: storedExpiry(config, key.value),
    rpcUrl: rpc.value,
    rpcUrlFrom: rpc.from,
  };
}

/** Returns `TMS_RPC_URL`, or the config file's `rpc_url`, or the default address of the RPC port. */
export function rpcUrlFrom(context: Pick<CliContext, 'env' | 'cwd'>, config: Config): Found {
  return first(
    [context.env.TMS_RPC_URL, 'TMS_RPC_URL'],
    [config.rpc_url, configPath(context)],
    [defaultRpcUrl, 'the default'],
  ) as Found;
}
