import { lstat, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { rpcUrlFrom } from './settings.ts';

const defaultDataDir = '.data';
/** Permission bits of the group and of all others. */
const writableByOthers = 0o022;
const anythingForOthers = 0o077;

const credentialSchema = z.looseObject({ rpc_url: z.string().min(1), token: z.string().min(1) });

export interface AdminCredential {
  rpcUrl: string;
  token: string;
}

/**
 * Reads the administrator's credential: `TMS_ADMIN_TOKEN` with `TMS_RPC_URL`, else `admin.json` in `DATA_DIR`, where a
 * running server writes it, else the one in `.data` of the working directory. That folder may come from somebody else,
 * so its file is used only if no other user can have written it, and only for this machine. The token of the
 * environment is never sent to an address from a file.
 */
export async function loadAdminCredential(
  context: Pick<CliContext, 'env' | 'cwd'>,
): Promise<AdminCredential> {
  const token = context.env.TMS_ADMIN_TOKEN;
  if (token) return { rpcUrl: rpcUrlFrom(context.env), token };
  const named = context.env.DATA_DIR;
  const path = resolve(context.cwd, named || defaultDataDir, 'admin.json');
  const text = await readIfThere(path);
  if (text !== undefined) {
    const credential = parseCredential(text, path);
    if (!named) await refuseUnlessOwn(path, credential);
    return credential;
  }
  throw usageError(
    `No admin credential: TMS_ADMIN_TOKEN is not set and ${path} does not exist. Start the server, or set DATA_DIR.`,
  );
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
  const host = URL.parse(rpcUrl)?.hostname ?? '';
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

function parseCredential(text: string, path: string): AdminCredential {
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
