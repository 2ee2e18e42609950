import { invalidRequest } from './request-rules.ts';
import type { Teams } from './teams.ts';

/** Scopes of one credential: each for all teams, or some of them for many teams. */
const maxScopes = 100;

/**
 * Checks the scopes of a new credential: a known one for all teams (`feed:read`), or for one (`feed:read@rivers`).
 * Throws AppError `invalid_request`, and `not_found` for a team that does not exist.
 */
export async function checkTeamScopes(
  teams: Pick<Teams, 'get'>,
  scopes: readonly string[],
  known: readonly string[],
): Promise<void> {
  if (scopes.length > maxScopes) throw invalidRequest('/scopes', `must be at most ${maxScopes}`);
  for (const scope of scopes) {
    const [word = '', team, ...rest] = scope.split('@');
    if (!known.includes(word) || rest.length > 0) {
      throw invalidRequest(
        '/scopes',
        `must be of ${known.join(', ')}, each for all teams or, as in ${known[0]}@rivers, for one`,
      );
    }
    if (team !== undefined) await teams.get(team);
  }
}

/** Returns scopes as tokens carry them: with the ids of teams, by which services know them, in place of their slugs. */
export function scopesWithTeamIds(teams: Pick<Teams, 'get'>, scopes: readonly string[]): Promise<string[]> {
  const withId = async (scope: string) => {
    const [word, team] = scope.split('@');
    return team === undefined ? scope : `${word}@${(await teams.get(team)).teamId}`;
  };
  return Promise.all(scopes.map(withId));
}
