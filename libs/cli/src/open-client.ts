import { createTeamMemoryClient, type TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { CliContext } from './cli-context.ts';
import { usageError } from './cli-error.ts';
import { loadSettings, type Settings, type SettingsFlags } from './settings.ts';

/** Makes the client that the settings ask for. Throws a usage error where they are incomplete or malformed. */
export async function openClient(
  flags: SettingsFlags,
  context: CliContext,
): Promise<{ client: TeamMemoryClient; settings: Settings }> {
  const settings = await loadSettings(flags, context);
  try {
    return { client: createTeamMemoryClient(settings), settings };
  } catch (thrown) {
    throw thrown instanceof TypeError ? usageError(thrown.message) : thrown;
  }
}
