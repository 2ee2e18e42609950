import { resolve } from 'node:path';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { rowKeyOf } from '@teammemory/sync/state/workspace.ts';
import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';
import { openClient, workspaceOrigin } from './clients.ts';
import type { GlobalOptions } from './global-options.ts';
import { spelledUrl } from './settings.ts';
import { findRoot } from './workspace-command.ts';

/** The item that a user named, and a client for its team. */
export interface ItemTarget {
  client: TeamMemoryClient;
  rowKey: string;
  /** Root of the folder that the item belongs to; undefined if the user named a row_key. */
  root?: string;
}

/**
 * Opens a client and returns the row_key that `file` means: a path from where the user stands if it lies in a folder that
 * stays in step, else a row_key. A row_key, too, if flags or environment name another team than the folder's.
 * Throws a usage error for the folder itself.
 */
export async function openItem(file: string, flags: GlobalOptions, context: CliContext): Promise<ItemTarget> {
  if (file === '') throw usageError('The name of the file is empty.');
  const root = await findRoot(resolve(context.cwd, file));
  const { client, settings } = await openClient(flags, context, root ?? context.cwd);
  const folder = root === undefined ? undefined : await workspaceOrigin(root);
  if (root === undefined || folder === undefined) return { client, rowKey: file };
  if (settings.team !== folder.team || settings.url !== spelledUrl(folder.url))
    return { client, rowKey: file };
  const rowKey = rowKeyOf({ root }, file, context.cwd);
  if (rowKey === '') throw usageError(`${file} is the whole folder. Name a file in it.`);
  return { client, rowKey, root };
}
