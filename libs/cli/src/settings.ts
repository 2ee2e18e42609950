import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';

const defaultUrl = 'http://127.0.0.1:8080';
const defaultRpcUrl = 'http://127.0.0.1:7100';

/** The service and the user's identity. */
export interface Settings {
  url: string;
  key: string;
  team: string;
}

/** The RPC address and the key of a member. The key names the team. */
export interface MemberSettings {
  rpcUrl: string;
  key: string;
}

/** The global flags for settings. */
export interface SettingsFlags extends Partial<Settings> {
  /** Path of the config file. */
  config?: string;
}

const configSchema = z.strictObject({
  url: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  team: z.string().min(1).optional(),
});

/** Returns the environment of the process. Nothing else reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Reads settings from flags, then from the environment (`TMS_URL`, `TMS_KEY`, `TMS_TEAM`), then from the config file.
 * An empty value counts as missing. Throws a usage error for a missing setting and CliError `bad_config` for a bad file.
 */
export async function loadSettings(
  flags: SettingsFlags,
  context: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<Settings> {
  const { env } = context;
  const file = await readConfigFile(flags.config, context);
  // A folder stores its state by the address, so one service must have one spelling.
  const url = (flags.url || env.TMS_URL || file.url || defaultUrl).replace(/\/+$/, '');
  const key = keyFrom(flags, env, file);
  const team = flags.team || env.TMS_TEAM || file.team;
  if (!team) throw usageError('No team: set TMS_TEAM, or "team" in the config file, or use --team.');
  return { url, key, team };
}

/** Reads the key like `loadSettings`, with the same errors, and the RPC address from `TMS_RPC_URL`. */
export async function loadMemberSettings(
  flags: SettingsFlags,
  context: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<MemberSettings> {
  const file = await readConfigFile(flags.config, context);
  return { key: keyFrom(flags, context.env, file), rpcUrl: rpcUrlFrom(context.env) };
}

/** Returns `TMS_RPC_URL`, or the default address of the RPC port. */
export function rpcUrlFrom(env: CliContext['env']): string {
  return env.TMS_RPC_URL || defaultRpcUrl;
}

function keyFrom(flags: SettingsFlags, env: CliContext['env'], file: Partial<Settings>): string {
  const key = flags.key || env.TMS_KEY || file.key;
  if (!key) throw usageError('No key: set TMS_KEY, or "key" in the config file, or use --key.');
  return key;
}

async function readConfigFile(
  flag: string | undefined,
  { env, cwd, stderr }: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<z.infer<typeof configSchema>> {
  const named = flag || env.TMS_CONFIG;
  // XDG ignores a relative path. It could lead to a folder that belongs to somebody else.
  const home = env.HOME && isAbsolute(env.HOME) ? env.HOME : homedir();
  const given = env.XDG_CONFIG_HOME;
  const configHome = given && isAbsolute(given) ? given : join(home, '.config');
  const path = named ? resolve(cwd, named) : join(configHome, 'tms', 'config.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    // The config file is optional unless the user names it.
    if (!named && (cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CliError('bad_config', `The config file ${path} cannot be read.`);
  }
  const config = parseConfig(text, path);
  const { mode } = await stat(path);
  if ((mode & 0o002) !== 0 && process.platform !== 'win32') {
    // Another user who can write the file could direct the key to another address.
    throw new CliError('bad_config', `Every user of this machine can change ${path}; chmod 600 it.`);
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
    // The parser's own message would quote the file, and the file contains the key.
    throw new CliError(
      'bad_config',
      `${path} must be a JSON object in which "url", "key" and "team" are texts.`,
    );
  }
}

export interface GlobalOptions extends SettingsFlags {
  json?: boolean;
}

/** Declares the options of all commands. They may stand before or after the name of the command. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--url <url>', 'address of the service (TMS_URL; default: http://127.0.0.1:8080)')
    .option('--key <key>', 'key; better set TMS_KEY, because other users of this machine can see flags')
    .option('--team <slug>', 'team (TMS_TEAM, except for tms admin)')
    .option('--config <file>', 'config file (TMS_CONFIG; default: ~/.config/tms/config.json)')
    .option('--json', 'print one JSON object');
}
