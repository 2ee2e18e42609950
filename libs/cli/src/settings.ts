import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';

const defaultUrl = 'http://127.0.0.1:8080';
const defaultRpcUrl = 'http://127.0.0.1:7100';

/** Which service, as whom. */
export interface Settings {
  url: string;
  key: string;
  team: string;
}

/** Where a member's calls past the public API go, and as whom. The key says which team. */
export interface MemberSettings {
  rpcUrl: string;
  key: string;
}

/** The global flags that choose settings. */
export interface SettingsFlags extends Partial<Settings> {
  /** Path of the config file. */
  config?: string;
}

const configSchema = z.strictObject({
  url: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  team: z.string().min(1).optional(),
});

/** The one place that reads the environment of the process. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Settings from flags, then the environment (`TMS_URL`, `TMS_KEY`, `TMS_TEAM`),
 * then the config file; an empty value counts as none. Throws a usage error for
 * what is missing, and CliError `bad_config` for a file that is not what it should be.
 */
export async function loadSettings(
  flags: SettingsFlags,
  context: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<Settings> {
  const { env } = context;
  const file = await readConfigFile(flags.config, context);
  // One service, one spelling: what a folder remembers goes by it.
  const url = (flags.url || env.TMS_URL || file.url || defaultUrl).replace(/\/+$/, '');
  const key = keyFrom(flags, env, file);
  const team = flags.team || env.TMS_TEAM || file.team;
  if (!team) throw usageError('No team: set TMS_TEAM, or "team" in the config file, or give --team.');
  return { url, key, team };
}

/**
 * The key as `loadSettings` finds it, and the address of the RPC port from
 * `TMS_RPC_URL`. Throws as that does.
 */
export async function loadMemberSettings(
  flags: SettingsFlags,
  context: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<MemberSettings> {
  const file = await readConfigFile(flags.config, context);
  return { key: keyFrom(flags, context.env, file), rpcUrl: rpcUrlFrom(context.env) };
}

/** Address of the RPC port: `TMS_RPC_URL`, or where it is unless told otherwise. */
export function rpcUrlFrom(env: CliContext['env']): string {
  return env.TMS_RPC_URL || defaultRpcUrl;
}

function keyFrom(flags: SettingsFlags, env: CliContext['env'], file: Partial<Settings>): string {
  const key = flags.key || env.TMS_KEY || file.key;
  if (!key) throw usageError('No key: set TMS_KEY, or "key" in the config file, or give --key.');
  return key;
}

async function readConfigFile(
  flag: string | undefined,
  { env, cwd, stderr }: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<z.infer<typeof configSchema>> {
  const named = flag || env.TMS_CONFIG;
  // The standard ignores a relative one, which would be a folder of whoever made the working directory.
  const home = env.HOME && isAbsolute(env.HOME) ? env.HOME : homedir();
  const given = env.XDG_CONFIG_HOME;
  const configHome = given && isAbsolute(given) ? given : join(home, '.config');
  const path = named ? resolve(cwd, named) : join(configHome, 'tms', 'config.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    // Nobody has to have a config file, but one that was asked for has to be there.
    if (!named && (cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CliError('bad_config', `The config file ${path} cannot be read.`);
  }
  const config = parseConfig(text, path);
  const { mode } = await stat(path);
  if ((mode & 0o002) !== 0 && process.platform !== 'win32') {
    // Whoever can write it could have the key sent to an address of theirs.
    throw new CliError('bad_config', `${path} can be changed by every user of this machine; chmod 600 it.`);
  }
  if (config.key && (mode & 0o077) !== 0 && process.platform !== 'win32') {
    stderr.write(`tms: warning: ${path} holds a key and others can read it; chmod 600 it.\n`);
  }
  return config;
}

function parseConfig(text: string, path: string): z.infer<typeof configSchema> {
  try {
    return configSchema.parse(JSON.parse(text));
  } catch {
    // The parser's own words would quote the file, and the key is in it.
    throw new CliError('bad_config', `${path} must be a JSON object with "url", "key" and "team" as text.`);
  }
}

export interface GlobalOptions extends SettingsFlags {
  json?: boolean;
}

/** Declares the options that every command takes, before or after its name. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--url <url>', 'address of the service (TMS_URL, default http://127.0.0.1:8080)')
    .option('--key <key>', 'key; other users of this machine can see it, TMS_KEY is better')
    .option('--team <slug>', 'team (TMS_TEAM, which commands for administrators do not read)')
    .option('--config <file>', 'config file (TMS_CONFIG, default ~/.config/tms/config.json)')
    .option('--json', 'print one JSON object');
}
