import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { rpcUrlFrom } from './settings.ts';

const defaultDataDir = '.data';

const credentialSchema = z.looseObject({ rpc_url: z.string().min(1), token: z.string().min(1) });

export interface AdminCredential {
  rpcUrl: string;
  token: string;
}

/**
 * The administrator's credential: `admin.json` in `DATA_DIR`, which a running
 * server keeps there, else `TMS_ADMIN_TOKEN` with `TMS_RPC_URL`. The token from the
 * environment is never sent to an address that a file names.
 */
export async function loadAdminCredential(
  context: Pick<CliContext, 'env' | 'cwd'>,
): Promise<AdminCredential> {
  const path = resolve(context.cwd, context.env.DATA_DIR || defaultDataDir, 'admin.json');
  const text = await readIfThere(path);
  if (text !== undefined) return parseCredential(text, path);
  const token = context.env.TMS_ADMIN_TOKEN;
  if (token) return { rpcUrl: rpcUrlFrom(context.env), token };
  throw usageError(
    `No admin credential: there is no ${path} (start the server, or set DATA_DIR) and TMS_ADMIN_TOKEN is not set.`,
  );
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
      `${path} is damaged; restart the server, which writes it anew.`,
    );
  }
}
