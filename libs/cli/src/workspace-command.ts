import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { SyncClient } from '@teammemory/sync/service.ts';
import {
  findWorkspace,
  initWorkspace,
  openWorkspace,
  rowKeyOf,
  type Workspace,
} from '@teammemory/sync/state/workspace.ts';
import { localDifference } from '@teammemory/sync/status.ts';
import { SyncError } from '@teammemory/sync/sync-error.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import type { GlobalOptions } from './global-options.ts';

// What calls the service is imported when a command does that: `tms status` takes half as long without.

/** A longer wait for the write limit is told to the user, instead of being spent in silence by the SDK. */
const longestSilentWaitMs = 1_000;

/** Runs `work` with the workspace of a root, and closes it afterwards. */
export async function withWorkspace<Result>(
  root: string,
  options: { readOnly?: boolean },
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace(root, options);
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

/** Returns the root of the workspace that a path lies in. Throws a usage error if there is none. */
export async function rootOf({ cwd }: CliContext, path = '.'): Promise<string> {
  const root = await findRoot(resolve(cwd, path));
  if (root !== undefined) return root;
  throw usageError(
    `${resolve(cwd, path)} is not in a folder that stays in step with a team. Run tms init in that folder first.`,
  );
}

/** Returns the root above a path that need not exist. */
export async function findRoot(path: string): Promise<string | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    const there = await stat(folder).catch(() => undefined);
    if (there?.isDirectory()) return findWorkspace(folder);
    if (dirname(folder) === folder) return undefined;
  }
}

/** The workspace of a command that calls the service. */
export interface Target {
  root: string;
  client: SyncClient;
}

/**
 * Finds the workspace of a path and opens a client for it. With `mayCreate`, a folder that was named and lies in no
 * workspace becomes one.
 * Throws a usage error if flags or environment name another team or service than the folder's own.
 */
export async function openTarget(
  flags: GlobalOptions,
  context: CliContext,
  path: string | undefined,
  { mayCreate }: { mayCreate: boolean },
): Promise<Target> {
  const { clientFor, workspaceOrigin } = await import('./clients.ts');
  const { loadSettings, spelledUrl } = await import('./settings.ts');
  const { syncClientOf } = await import('./sync-client.ts');
  const place = resolve(context.cwd, path ?? '.');
  const known = await findRoot(place);
  const root = known ?? (mayCreate ? await becomeRoot(flags, context, path) : await rootOf(context, path));
  const folder = await workspaceOrigin(root);
  const settings = await loadSettings(flags, context, folder);
  if (folder !== undefined && (settings.url !== spelledUrl(folder.url) || settings.team !== folder.team)) {
    const { origin } = settings;
    const named = settings.team === folder.team ? origin.url : origin.team;
    throw usageError(
      `${root} belongs to team ${folder.team} at ${folder.url}, but ${named} names another one. Leave that out, or use another folder.`,
    );
  }
  const client = await clientFor(settings, context, {
    client: () => 'sync',
    maxRetryWaitMs: longestSilentWaitMs,
  });
  return { root, client: syncClientOf(client) };
}

/** Makes a workspace of a folder that the user named, once the service has taken the key. */
async function becomeRoot(
  flags: GlobalOptions,
  context: CliContext,
  path: string | undefined,
): Promise<string> {
  if (path === undefined) return rootOf(context);
  const folder = resolve(context.cwd, path);
  const there = await stat(folder).catch(() => undefined);
  if (there?.isFile()) return rootOf(context, path);
  const { checkKey } = await import('./account.ts');
  const { loadSettings } = await import('./settings.ts');
  const settings = await loadSettings(flags, context);
  await checkKey(settings, context);
  const { url, team } = settings;
  const root = await initWorkspace(folder, { url, team });
  if (!flags.quiet) {
    context.stderr.write(`tms: ${root} is now a folder of team ${team} at ${url}, as tms init makes it\n`);
  }
  return root;
}

/**
 * Throws CliError `no_such_file` for a path that neither is here nor was in step: a word that was mistyped must not look as
 * if nothing had changed.
 */
export async function requireKnown(workspace: Workspace, rowKey: string, path: string): Promise<void> {
  const there = await stat(join(workspace.root, rowKey)).catch(() => undefined);
  if (there !== undefined) return;
  const { base, local } = await localDifference(workspace, rowKey).catch(nothingIfMissing);
  if (base !== undefined || local !== undefined) return;
  throw new CliError('no_such_file', `There is no file or folder ${path}.`);
}

function nothingIfMissing(thrown: unknown): { base?: string; local?: string } {
  if (thrown instanceof SyncError && thrown.code === 'no_such_file') return {};
  throw thrown;
}

/** Returns the row_key of a path that was typed. Throws SyncError `bad_path` for one outside of the workspace. */
export async function rowKeyAt(
  workspace: Workspace,
  path: string,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<string> {
  return rowKeyOf(workspace, await realPlace(resolve(cwd, path)), cwd);
}

/** Follows links on the way to a file, as the root does, but not the file itself: a link is no note. */
async function realPlace(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) return realpath(path);
  const folder = dirname(path);
  return folder === path ? path : join(await realPlace(folder), basename(path));
}

/** Returns the path of a row_key as the user would type it here; an absolute one if the folder is somewhere else. */
export function shownPath(root: string, rowKey: string, { cwd }: Pick<CliContext, 'cwd'>): string {
  const path = join(root, ...rowKey.split('/'));
  const isNear = [relative(cwd, root), relative(root, cwd)].some(
    (way) => way.split(sep)[0] !== '..' && !isAbsolute(way),
  );
  return isNear ? relative(cwd, path) || '.' : path;
}
