import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, usageError } from './cli-error.ts';
import { clientFor, workspaceOrigin } from './clients.ts';
import { configPath, readConfig, storedExpiry } from './config-file.ts';
import type { GlobalOptions } from './global-options.ts';
import { findTarget, spelledUrl } from './settings.ts';

/** Teams that are asked one after the other; more columns fit no screen. */
const maxTeams = 20;

/** The option of commands that show several teams side by side. */
export const teamsOption = [
  '--teams [slugs]',
  'several teams side by side: slugs between commas, or every team whose key tms login stored',
] as const;

/**
 * Asks several teams of one service, each with the key that is stored for it, and never with another one: no key of the
 * environment, no `--key`. `slugs` names them, between commas; `true` stands for every stored team. Throws a usage error,
 * CliError `no_key` for a team without a stored key, and what `ask` throws.
 */
export async function askTeams<Answer>(
  slugs: string | true,
  flags: GlobalOptions,
  context: CliContext,
  ask: (client: TeamMemoryClient) => Promise<Answer>,
): Promise<{ team: string; answer: Answer }[]> {
  if (flags.team !== undefined || flags.key !== undefined) {
    throw usageError('--teams takes the stored keys: leave --team and --key out.');
  }
  const config = await readConfig(context);
  const { url } = findTarget(flags, context, config, await workspaceOrigin(context.cwd));
  const stored = new Map(
    Object.entries(config.keys ?? {}).flatMap(([name, key]) => {
      const [address = '', team = ''] = name.split(/\s+/);
      return spelledUrl(address) === url.value ? [[team, key] as const] : [];
    }),
  );
  const named = slugs === true ? stored.keys() : slugs.split(',').map((each) => each.trim());
  const teams = [...new Set(named)];
  if (teams.length === 0) throw new CliError('no_key', `No key is stored for ${url.value}.`);
  if (teams.length > maxTeams) throw usageError(`--teams takes at most ${maxTeams} teams at once.`);
  // Nothing is asked before it is known that every team can be.
  const keys = teams.map((team): [team: string, key: string] => {
    const key = stored.get(team);
    if (key !== undefined) return [team, key];
    throw new CliError(
      'no_key',
      `No key of team ${team} at ${url.value} is stored. Run: tms login --url ${url.value} --team ${team}`,
    );
  });
  const file = configPath(context);
  const answers: { team: string; answer: Answer }[] = [];
  for (const [team, key] of keys) {
    const origin = { url: url.from, key: file, team: '--teams' };
    const settings = { url: url.value, key, team, origin, keyExpiresAt: storedExpiry(config, key) };
    answers.push({ team, answer: await ask(await clientFor(settings, context)) });
  }
  return answers;
}
