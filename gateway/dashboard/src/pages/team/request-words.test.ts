import { expect, test } from 'vitest';
import { requestWords } from './request-words.ts';

test('a refused request is told in words, whatever its door', () => {
  const told = {
    'teammemory.auth.v1.AuthService/CreateTeam': 'Create team',
    'teammemory.content.v1.ContentService/ListItemVersions': 'List item versions',
    'POST /api/v1/items': 'Push items',
    'DELETE /api/v1/items/*': 'Remove an item',
    'GET /api/v1/tasks/:task_id': 'Read tasks',
    'POST /mcp/:team': 'Work as an agent',
    'PATCH /unknown': 'Call the service',
  };
  for (const [request, words] of Object.entries(told)) expect(requestWords(request)).toBe(words);
});
