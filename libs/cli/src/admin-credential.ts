import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { configPath, readConfig } from './config-file.ts';
import { rpcUrlFrom } from './settings.ts';
import { dataFolder } from './user-folders.ts';

const defaultDataDir = '.data';
/** Permission bits of the group and of all others. */
const writableByOthers = 0o022;
const anythingForOthers = 0o077;

const credentialSchema = z.looseObject({ rpc_url: z.string().min(1), token: z.string().min(1) });

export interface AdminCredential {
  rpcUrl: string;
  token: string;
  /** Where it was found, in words. */
  from: string;
}

/**
 * Reads the administrator's credential, the first of these: `TMS_ADMIN_TOKEN` with `TMS_RPC_URL`; `admin.json` in
 * `DATA_DIR`, where a running server writes it; `admin_token` of the config file with `rpc_url`; `admin.json` in its
 * `data_dir`; the one in `.data` of the working directory; the one in the platform's folder for data. The working
 * directory may come from somebody else, so its file is used only if no other user can have written it, and only for this
 * machine. The token of the environment is never sent to an address from a file.
 */
export async function loadAdminCredential(
  context: Pick<CliContext, 'env' | 'cwd' | 'stderr'>,
): Promise<AdminCredential> {
  const { TMS_ADMIN_TOKEN: token, DATA_DIR: named } = context.env;
  if (token) return { rpcUrl: rpcUrlFrom(context, {}).value, token, from: 'TMS_RPC_URL or the default' };
  if (named)
    return (await readCredential(resolve(context.cwd, named))) ?? missing(resolve(context.cwd, named));
  const config = await readConfig(context);
  if (config.admin_token) {
    return {
      rpcUrl: rpcUrlFrom(context, config).value,
      token: config.admin_token,
      from: configPath(context),
    };
  }
  if (config.data_dir) {
    const folder = resolve(dirname(configPath(context)), config.data_dir);
    return (await readCredential(folder)) ?? missing(folder);
  }
  const folder = resolve(context.cwd, defaultDataDir);
  const credential = await readCredential(folder);
  if (credential === undefined)
    return (await readCredential(dataFolder(process.platform, context.env))) ?? missing(folder);
  await refuseUnlessOwn(credential.from, credential);
  return credential;
}

function missing(folder: string): never {
  throw usageError(
    `No admin credential: TMS_ADMIN_TOKEN is not set and ${join(folder, 'admin.json')} does not exist. Start the server, set DATA_DIR to its data directory, or, if it runs with BOOTSTRAP_TOKEN=off, set TMS_ADMIN_TOKEN to the token of an operator.`,
  );
}

async function readCredential(folder: string): Promise<AdminCredential | undefined> {
  const path = join(folder, 'admin.json');
  const text = await readIfThere(path);
  return text === undefined ? undefined : { ...parseCredential(text, path), from: path };
}

/** Throws CliError unless only the user can access the file and change its folder, and its address is this machine. */
async function refuseUnlessOwn(path: string, { rpcUrl }: AdminCredential): Promise<void> {
  const problem = await problemOf(path, rpcUrl);
  if (problem === undefined) return;
  const advice = 'If you trust it, name its folder in DATA_DIR.';
  throw new CliError('untrusted_admin_credential', `${path} was not used: ${problem}. ${advice}`);
}

async function problemOf(path: string, rpcUrl: string): Promise<string | undefined> {
  if (!isThisMachine(rpcUrl)) return 'it leads to another machine';
  // Windows has no such permission bits: a file inherits the rights of its directory.
  if (process.platform === 'win32') return undefined;
  const [folder, file] = await Promise.all([lstat(dirname(path)), lstat(path)]);
  if (!folder.isDirectory() || !file.isFile()) return 'it lies behind a link';
  const user = process.geteuid?.();
  if (folder.uid !== user || file.uid !== user) return 'it belongs to another user';
  if ((file.mode & anythingForOthers) !== 0) return 'other users can read or change it';
  if ((folder.mode & writableByOthers) !== 0) return 'other users can change its folder';
  return undefined;
}

function isThisMachine(rpcUrl: string): boolean {
  const host = URL.canParse(rpcUrl) ? new URL(rpcUrl).hostname : '';
  return /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError('bad_admin_credential', `${path} cannot be read.`);
  }
}

function parseCredential(text: string, path: string): { rpcUrl: string; token: string } {
  try {
    const { rpc_url, token } = credentialSchema.parse(JSON.parse(text));
    return { rpcUrl: rpc_url, token };
  } catch {
    throw new CliError(
      'bad_admin_credential',
      `${path} is damaged; restart the server, which writes it again.`,
    );
  }
}
