import { beforeAll, expect, test } from 'vitest';
import { request, sendMessage } from './support/http/mcp.ts';
import type { Team } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();

let team: Team;

beforeAll(async () => {
  team = await service().createTeam();
});

const discover = request('server/discover');

test('a server says who it is, with the team from the header, from the path, or from both', async () => {
  const identity = { name: 'team-memory' };
  const ways = [
    {},
    { path: `/mcp/${team.slug}`, headers: { 'x-svc-team': undefined } },
    { path: `/mcp/${team.slug}` },
  ];
  for (const way of ways) {
    const { status, body } = await sendMessage(service(), team, team.teamKey, discover, way);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 1,
      result: { _meta: { 'io.modelcontextprotocol/serverInfo': identity } },
    });
  }
});
