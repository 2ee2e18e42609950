import { generateKeyPairSync } from 'node:crypto';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { partsAreSeparate } from './support/deployment/deployment.ts';
import { item } from './support/http/api.ts';
import { keyHolder } from './support/http/key-holder.ts';
import { callerToken, memberPrincipal } from './support/rpc/caller-tokens.ts';
import { rpcCall, rpcProtocols } from './support/rpc/rpc-call.ts';
import type { Team } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
const methods = [AuthService, ContentService, QueryService].flatMap(({ typeName, methods }) =>
  methods.map(({ name, methodKind }) => ({
    method: `${typeName}/${name}`,
    streaming: methodKind !== 'unary',
    audience: typeName.split('.')[1] ?? '',
  })),
);

/** A token as the gateway would sign it for a member, but by another key or with another algorithm. */
function forgedToken(audience: string, teamSlug: string, algorithm: 'EdDSA' | 'none'): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return callerToken(privateKey, { audience, principal: memberPrincipal(teamSlug), algorithm });
}

let team: Team;
beforeAll(async () => {
  team = await service().createTeam();
});

describe.each(rpcProtocols)('over %s', (protocol) => {
  const call = (method: string, message: object, authorization?: string, streaming = false) =>
    rpcCall({ rpcUrl: service().rpcUrl, protocol, method, message, authorization, streaming });

  test("the administrator's token works: teams can be made and looked up", async () => {
    const authorization = `Bearer ${service().adminToken}`;
    const slug = `made-over-${protocol}`;
    const created = await call(
      'teammemory.auth.v1.AuthService/CreateTeam',
      { slug, name: 'A' },
      authorization,
    );
    expect(created).toMatchObject({ code: 'ok', message: { team: { slug, name: 'A' } } });
    const found = await call('teammemory.auth.v1.AuthService/GetTeam', { slug }, authorization);
    expect(found).toMatchObject({ code: 'ok', message: { team: { slug } } });
  });

  test("the administrator's token is neither a member's nor a follower's", async () => {
    const authorization = `Bearer ${service().adminToken}`;
    for (const method of ['PushItems', 'ListItems', 'DeleteItem', 'ListFeeds']) {
      const { code } = await call(`teammemory.content.v1.ContentService/${method}`, {}, authorization);
      expect({ method, code }).toEqual({ method, code: 'permission_denied' });
    }
    const asked = await call('teammemory.query.v1.QueryService/Ask', { question: 'a' }, authorization, true);
    expect(asked.code).toBe('permission_denied');
  });

  // Each service refuses by itself, in whatever protocol: over separate processes once.
  const tried = partsAreSeparate && protocol !== 'grpc' ? [] : methods;
  test.for(tried)('$method refuses a call without a token or with one that is not ours', async (entry) => {
    const { slug, teamKey } = team;
    const bearers = [
      undefined,
      '',
      'Bearer',
      `Bearer ${teamKey}`,
      `Bearer ${service().adminToken}x`,
      `Bearer ${forgedToken(entry.audience, slug, 'EdDSA')}`,
      `Bearer ${forgedToken(entry.audience, slug, 'none')}`,
      `Basic ${service().adminToken}`,
    ];
    for (const authorization of bearers) {
      const { code } = await call(entry.method, {}, authorization, entry.streaming);
      expect({ authorization, code }).toEqual({ authorization, code: 'unauthenticated' });
    }
  });
});

test('a key of the public API opens nothing here, and the listener shows no item to anyone without a token', async () => {
  const { push } = keyHolder(service(), team, team.teamKey);
  expect((await push(item('a.md', 'marmalade'))).status).toBe(200);
  for (const authorization of [undefined, `Bearer ${team.teamKey}`]) {
    const answer = await rpcCall({
      rpcUrl: service().rpcUrl,
      protocol: 'connect',
      method: 'teammemory.content.v1.ContentService/ListItems',
      authorization,
    });
    expect(JSON.stringify(answer)).not.toContain('marmalade');
    expect(answer.code).toBe('unauthenticated');
  }
});
