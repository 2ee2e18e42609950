import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { MemberClient } from '@teammemory/client/rpc/member-client.ts';
import type { TeamMemoryClient, TeamMemoryClientOptions } from '@teammemory/client/team-memory-client.ts';
import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Settings, WorkspaceOrigin } from './settings.ts';

// Settings and clients are imported when a command needs them: loading all takes most of the time of `tms --help`.

/**
 * Makes a client of the public API. The folder of `folderPath`, or else of the working directory, says which team and
 * service; flags and environment come before it. Throws a usage error if the settings are incomplete or malformed.
 */
export async function openClient(
  flags: GlobalOptions,
  context: CliContext,
  folderPath: string = context.cwd,
): Promise<{ client: TeamMemoryClient; settings: Settings }> {
  const { loadSettings } = await import('./settings.ts');
  const settings = await loadSettings(flags, context, await workspaceOrigin(folderPath));
  return { client: await clientFor(settings, context), settings };
}

/** Makes a client of the public API for settings that are known. Errors of the command name their address from now on. */
export async function clientFor(
  settings: Settings,
  context: CliContext,
  options: Pick<TeamMemoryClientOptions, 'client' | 'maxRetryWaitMs' | 'retries'> = {},
): Promise<TeamMemoryClient> {
  const { url, key, team, origin, keyExpiresAt } = settings;
  context.tried = { port: 'api', url, urlFrom: origin.url, team, keyFrom: origin.key, keyExpiresAt };
  const { createTeamMemoryClient } = await import('@teammemory/client/team-memory-client.ts');
  return made(() => createTeamMemoryClient({ client: () => 'tms', ...options, url, key, team }));
}

/** Returns what the nearest `.tms/` from a folder upwards says; undefined without one. Throws SyncError `bad_state`. */
export async function workspaceOrigin(folderPath: string): Promise<WorkspaceOrigin | undefined> {
  const { findWorkspace, workspaceSettings } = await import('@teammemory/sync/state/workspace.ts');
  const root = await findWorkspace(folderPath);
  return root === undefined ? undefined : { root, ...(await workspaceSettings(root)) };
}

/** Runs `work` with a client for the key of the settings, and closes the client afterwards. */
export async function withMemberClient<Result>(
  command: Command,
  context: CliContext,
  work: (member: MemberClient) => Promise<Result>,
): Promise<Result> {
  const { loadMemberSettings } = await import('./settings.ts');
  const folder = await workspaceOrigin(context.cwd);
  const settings = await loadMemberSettings(command.optsWithGlobals<GlobalOptions>(), context, folder);
  context.tried = {
    port: 'rpc',
    url: settings.rpcUrl,
    urlFrom: settings.rpcUrlFrom,
    keyFrom: settings.keyFrom,
    keyExpiresAt: settings.keyExpiresAt,
  };
  const { createMemberClient } = await import('@teammemory/client/rpc/member-client.ts');
  const member = made(() => createMemberClient(settings), 'TMS_RPC_URL is malformed');
  return work(member).finally(member.close);
}

/** Runs `work` with an administrator's client, and closes the client afterwards. */
export async function withAdminClient<Result>(
  context: CliContext,
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const { loadAdminCredential } = await import('./admin-credential.ts');
  const credential = await loadAdminCredential(context);
  context.tried = { port: 'rpc', url: credential.rpcUrl, urlFrom: credential.from };
  const { createAdminClient } = await import('@teammemory/client/rpc/admin-client.ts');
  const admin = made(() => createAdminClient(credential), 'The admin credential is malformed');
  return work(admin).finally(admin.close);
}

/**
 * Returns the team that an administrative command names. It comes from `--team` only: the settings say who the user
 * is, and an administrator manages other teams.
 */
export function requiredTeam(command: Command): string {
  const { team } = command.optsWithGlobals<GlobalOptions>();
  if (!team) throw usageError('--team is missing; this command does not read TMS_TEAM.');
  return team;
}

/** Makes a client, and turns its TypeError for a malformed setting into a usage error. */
function made<Client>(create: () => Client, problem?: string): Client {
  try {
    return create();
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw usageError(problem === undefined ? thrown.message : `${problem}: ${thrown.message}`);
  }
}
