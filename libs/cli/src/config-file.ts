import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import { homeFolder } from './user-folders.ts';

const text = z.string().min(1).max(2048);

/** Every setting that a config file can have. */
const configSchema = z.strictObject({
  /** Default address of the service. */
  url: text.optional(),
  /** Default team. */
  team: text.optional(),
  /** The key where `keys` has none. */
  key: text.optional(),
  /** Keys by `<url> <team>`. */
  keys: z.record(z.string(), text).optional(),
  /** Keys that `tms mcp` takes in place of those, by `<url> <team>`. */
  agent_keys: z.record(z.string(), text).optional(),
  /** When stored keys expire, in RFC 3339, by the id of the key. */
  expiries: z.record(z.string(), text).optional(),
  /** Addresses that a key of the environment may be sent to when a folder names them. */
  trusted_urls: z.array(text).optional(),
  /** Address of the RPC port. */
  rpc_url: text.optional(),
  /** The administrator's token for `rpc_url`. */
  admin_token: text.optional(),
  /** The service's data directory, which has `admin.json`. */
  data_dir: text.optional(),
});

export type Config = z.infer<typeof configSchema>;

/** Returns when a key expires, if that was stored with it. */
export function storedExpiry({ expiries = {} }: Config, key: string): string | undefined {
  return expiries[keyIdOf(key)];
}

/** Returns the config with the expiry of a stored key, and without those of keys that are no longer stored. */
export function withExpiry(config: Config, key: string, expiresAt: string | null): Config {
  const stored = [config.key, ...Object.values(config.keys ?? {}), ...Object.values(config.agent_keys ?? {})];
  const ids = new Set(stored.map((each) => keyIdOf(each ?? '')));
  const { expiries, ...others } = config;
  const kept = Object.entries(expiries ?? {}).filter(([id]) => ids.has(id) && id !== keyIdOf(key));
  if (expiresAt !== null) kept.push([keyIdOf(key), expiresAt]);
  return kept.length === 0 ? others : { ...others, expiries: Object.fromEntries(kept) };
}

/** The part of a key that is no secret. */
function keyIdOf(key: string): string {
  return /^tms_([0-9A-Za-z]{1,64})_/.exec(key)?.[1] ?? '';
}

/** The names of the settings that hold one text each. */
export const textSettings = ['url', 'team', 'key', 'rpc_url', 'admin_token', 'data_dir'] as const;

type FileContext = Pick<CliContext, 'env' | 'cwd' | 'stderr'>;

/** Returns the path of the config file: `TMS_CONFIG`, else `tms/config.json` in the user's configuration folder. */
export function configPath({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>): string {
  if (env.TMS_CONFIG) return resolve(cwd, env.TMS_CONFIG);
  // XDG ignores a relative path. It could lead to a folder that belongs to somebody else.
  const home = homeFolder(env);
  const given = env.XDG_CONFIG_HOME;
  return join(given && isAbsolute(given) ? given : join(home, '.config'), 'tms', 'config.json');
}

/**
 * Reads the config file; without one that the user named, it is empty. Throws CliError `bad_config` for a file that cannot
 * be read, is malformed, or can be changed by every user.
 */
export async function readConfig(context: FileContext): Promise<Config> {
  return (await readConfigIfThere(context)) ?? refuseIfNamed(context);
}

function refuseIfNamed(context: FileContext): Config {
  if (!context.env.TMS_CONFIG) return {};
  throw new CliError('bad_config', `The config file ${configPath(context)} cannot be read: there is none.`);
}

async function readConfigIfThere(context: FileContext): Promise<Config | undefined> {
  const path = configPath(context);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CliError('bad_config', `The config file ${path} cannot be read (${code ?? 'unknown'}).`);
  }
  const config = parseConfig(content, path);
  await warnOfMode(path, config, context);
  return config;
}

async function warnOfMode(path: string, config: Config, { stderr }: FileContext): Promise<void> {
  // Windows has no such permission bits: a file inherits the rights of its directory.
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if ((mode & 0o002) !== 0) {
    // Another user who can write the file could direct the key to another address.
    throw new CliError('bad_config', `Every user of this machine can change ${path}; chmod 600 it.`);
  }
  const stored = { ...config.keys, ...config.agent_keys };
  const hasSecret = config.key ?? config.admin_token ?? Object.keys(stored)[0];
  if (hasSecret !== undefined && (mode & 0o077) !== 0) {
    stderr.write(`tms: warning: ${path} holds a key and others can read it; chmod 600 it.\n`);
  }
}

function parseConfig(content: string, path: string): Config {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    // The parser's own message would quote the file, and the file contains the key.
    throw new CliError('bad_config', `${path} is not JSON.`);
  }
  const parsed = configSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CliError('bad_config', `${path}: ${parsed.error.issues.map(problemOf).join('; ')}.`);
}

/** Names the setting, never its value. */
function problemOf(issue: z.core.$ZodIssue): string {
  const known = Object.keys(configSchema.shape).join(', ');
  if (issue.code === 'unrecognized_keys') {
    return `unknown setting ${issue.keys.map((key) => `"${key}"`).join(', ')} (known: ${known})`;
  }
  const [name] = issue.path;
  return name === undefined ? 'it must be a JSON object' : `"${String(name)}" has the wrong form`;
}

/**
 * Changes the config file: `change` gets what is stored. The new file is written beside the old one with mode 0600 and
 * then takes its place. Returns its path. Throws CliError `bad_config`.
 */
export async function changeConfig(
  context: FileContext,
  change: (config: Config) => Config,
): Promise<string> {
  const path = configPath(context);
  const before = (await readConfigIfThere(context)) ?? {};
  const after = configSchema.parse(change(before));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(after, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // The umask can only have taken bits away.
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError('bad_config', `The config file ${path} cannot be written (${code ?? 'unknown'}).`);
  }
  return path;
}
