import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { checkTeamScopes, scopesWithTeamIds } from './team-scopes.ts';

const known = ['auth:read', 'feed:read'];
const teams = {
  async get(slug: string) {
    if (slug !== 'rivers') throw new AppError('not_found', 'There is no such team.');
    return { teamId: 't1', slug, name: 'Rivers', createdAt: 1 };
  },
};

test('a scope is one that is known, for all teams or for one', async () => {
  await checkTeamScopes(teams, ['feed:read', 'auth:read@rivers'], known);
  for (const scope of [
    '',
    'feed:write',
    'FEED:READ',
    'feed:read ',
    'toString',
    '@rivers',
    'feed:read@rivers@rivers',
  ]) {
    await expect(checkTeamScopes(teams, ['feed:read', scope], known), scope).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ pointer: '/scopes' }],
    });
  }
});

test('a scope for a team that does not exist is refused, and so are more than a hundred', async () => {
  for (const scope of ['feed:read@', 'feed:read@lakes'])
    await expect(checkTeamScopes(teams, [scope], known), scope).rejects.toMatchObject({ code: 'not_found' });
  const many = Array.from({ length: 101 }, () => 'feed:read');
  await expect(checkTeamScopes(teams, many, known)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('tokens have the ids of teams in place of their slugs', async () => {
  expect(await scopesWithTeamIds(teams, ['feed:read@rivers', 'auth:read'])).toEqual([
    'feed:read@t1',
    'auth:read',
  ]);
});
