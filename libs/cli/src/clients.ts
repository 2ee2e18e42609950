import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { MemberClient } from '@teammemory/client/rpc/member-client.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { Command } from 'commander';
import { loadAdminCredential } from './admin-credential.ts';
import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';
import {
  type GlobalOptions,
  loadMemberSettings,
  loadSettings,
  type Settings,
  type SettingsFlags,
} from './settings.ts';

// A client is imported when a command needs it: loading all three takes a fifth of the time of `tms --help`.

/** Makes a client of the public API. Throws a usage error if the settings are incomplete or malformed. */
export async function openClient(
  flags: SettingsFlags,
  context: CliContext,
): Promise<{ client: TeamMemoryClient; settings: Settings }> {
  const settings = await loadSettings(flags, context);
  const { createTeamMemoryClient } = await import('@teammemory/client/team-memory-client.ts');
  return { client: made(() => createTeamMemoryClient(settings)), settings };
}

/** Runs `work` with a client for the key of the settings, and closes the client afterwards. */
export async function withMemberClient<Result>(
  command: Command,
  context: CliContext,
  work: (member: MemberClient) => Promise<Result>,
): Promise<Result> {
  const settings = await loadMemberSettings(command.optsWithGlobals<GlobalOptions>(), context);
  const { createMemberClient } = await import('@teammemory/client/rpc/member-client.ts');
  const member = made(() => createMemberClient(settings), 'TMS_RPC_URL is malformed');
  return work(member).finally(member.close);
}

/** Runs `work` with an administrator's client, and closes the client afterwards. */
export async function withAdminClient<Result>(
  context: CliContext,
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const credential = await loadAdminCredential(context);
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
  if (!team) throw usageError('--team is missing.');
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
