import type { Command } from 'commander';
import { usageError } from './cli-error.ts';
import type { GlobalOptions } from './global-options.ts';

/** The team that an administrative command names. It is never taken from the settings: those say who one is, not whom one manages. */
export function requiredTeam(command: Command): string {
  const { team } = command.optsWithGlobals<GlobalOptions>();
  if (!team) throw usageError('--team is missing.');
  return team;
}
