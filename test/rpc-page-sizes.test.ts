import { beforeAll, expect, test } from 'vitest';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
let slug: string;
let teamId: string;
beforeAll(async () => {
  slug = (await service().createTeam()).slug;
  teamId = (await call('auth.v1.AuthService/GetTeam', { slug })).message.team.teamId;
});

function call(method: string, message: object) {
  const { rpcUrl, adminToken } = service();
  const authorization = `Bearer ${adminToken}`;
  return rpcCall({ rpcUrl, protocol: 'connect', method: `teammemory.${method}`, message, authorization });
}

/** The lists of administrators and the most rows that a page of each has, by the proto. */
const lists: [method: string, maximum: number, named: () => object][] = [
  ['auth.v1.AuthService/ListTeams', 200, () => ({})],
  ['auth.v1.AuthService/ListServiceCredentials', 200, () => ({})],
  ['auth.v1.AuthService/ListMembers', 200, () => ({ teamSlug: slug })],
  ['auth.v1.AuthService/ListKeys', 200, () => ({ teamSlug: slug })],
  ['auth.v1.AuthService/ListSignInAddresses', 200, () => ({ teamSlug: slug })],
  ['content.v1.ContentService/ListSkippedTexts', 200, () => ({ teamId })],
  ['analytics.v1.AnalyticsService/RescoreScans', 200, () => ({ teamId })],
  ['analytics.v1.AnalyticsService/RescoreSnapshots', 200, () => ({ teamId })],
];

test.each(lists)('%s takes a page size of %i and refuses one more', async (method, maximum, named) => {
  expect(await call(method, { ...named(), pageSize: maximum })).toMatchObject({ code: 'ok' });
  const refused = await call(method, { ...named(), pageSize: maximum + 1 });
  expect(refused.code).toBe('invalid_argument');
  expect(refused.message.message).toBe(`page_size: must be at most ${maximum}.`);
});

test('ContentService/ListDecisionVersions refuses a page size above 20', async () => {
  const decisionId = '0198c6e0-0000-7000-8000-000000000000';
  const asked = (pageSize: number) =>
    call('content.v1.ContentService/ListDecisionVersions', { teamId, decisionId, pageSize });
  expect((await asked(21)).code).toBe('invalid_argument');
  expect((await asked(20)).code).toBe('not_found');
});
