import { type Client, createClient } from '@connectrpc/connect';
import { createLog } from '@teammemory/log/log.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from '@teammemory/rpc/caller-token.ts';
import { createDirectTransport } from '@teammemory/rpc/direct-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { Principal } from '@teammemory/rpc/principal.ts';
import { serviceInterceptors } from '@teammemory/rpc/service-interceptors.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContentServiceInstance, createContentService } from './service.ts';

const keys = generateSigningKeys();
const signer = createTokenSigner({ privateKey: keys.privateKey, clock: Date.now });
const blue = '01890000-0000-7000-8000-000000000001';
const green = '01890000-0000-7000-8000-000000000002';
const administrator = { headers: { authorization: 'Bearer administrator' } };

async function as(principal: Principal) {
  return { headers: { authorization: `Bearer ${await signer.sign(principal, 'content')}` } };
}
const member = (teamId: string, tier: 'team' | 'external') => {
  const names = { teamSlug: 'slug', memberId: 'member', memberHandle: 'ada', keyId: 'k'.repeat(16) };
  return as({ kind: 'member', caller: { teamId, tier, ...names } });
};
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => appErrorFromRpc(error).code,
  );

let content: ContentServiceInstance;
let client: Client<typeof ContentService>;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeEach(async () => {
  directory = await temporaryDirectory();
  const storage = { engine: 'sqlite', directory: directory.path } as const;
  content = await createContentService({ storage, clock: Date.now, itemHistory: 2 });
  const interceptors = serviceInterceptors({
    service: content.rpc,
    verifier: createTokenVerifier({ publicKeys: [keys.publicKey], clock: Date.now }),
    administratorToken: 'administrator',
    clock: Date.now,
    log: createLog({ level: 'silent', part: 'test' }),
    metrics: createMetrics(),
  });
  client = createClient(ContentService, createDirectTransport(content.rpc, interceptors));
});
afterEach(async () => {
  await content.close();
  await directory.remove();
});

const decision = { title: 'Use SQLite', audience: Tier.TEAM };

describe('what administrators do', () => {
  test('is refused to members and services, whatever team they name', async () => {
    const callers = [
      await member(blue, 'team'),
      await as({ kind: 'service', name: 'query', scopes: ['feed:read'] }),
    ];
    for (const caller of callers) {
      const refusals = [
        code(client.createDecision({ teamId: blue, decision }, caller)),
        code(client.editDecision({ teamId: blue, decisionId: 'x' }, caller)),
        code(client.createProject({ teamId: blue, slug: 'web', name: 'Web' }, caller)),
      ];
      expect(await Promise.all(refusals)).toEqual(Array(3).fill('permission_denied'));
    }
  });

  test('needs the id of a team', async () => {
    for (const teamId of ['', 'rivers', blue.toUpperCase().replace('1', 'A'), `${blue}\n`]) {
      const refusals = [
        code(client.createDecision({ teamId, decision }, administrator)),
        code(client.editDecision({ teamId, decisionId: 'x' }, administrator)),
        code(client.listDecisions({ teamId }, administrator)),
        code(client.createProject({ teamId, slug: 'web', name: 'Web' }, administrator)),
      ];
      expect(await Promise.all(refusals)).toEqual(Array(4).fill('invalid_request'));
    }
  });

  test('does not read what members and followers read', async () => {
    const refusals = [client.listTasks({}, administrator), client.listProjects({}, administrator)].map(code);
    expect(await Promise.all(refusals)).toEqual(['permission_denied', 'permission_denied']);
  });
});

describe('what members read', () => {
  test('is of their own team, whatever team they name', async () => {
    await client.createDecision({ teamId: blue, decision }, administrator);
    const rowsFor = async (teamId: string) => {
      const { page } = await client.listDecisions({ teamId: blue }, await member(teamId, 'team'));
      return JSON.parse(Buffer.from(page?.rowsJson ?? []).toString());
    };
    expect(await rowsFor(green)).toEqual([]);
    expect(await rowsFor(blue)).toMatchObject([{ title: 'Use SQLite' }]);
  });

  test('has no projects for external keys, behind the gateway, too', async () => {
    expect(await code(client.listProjects({}, await member(blue, 'external')))).toBe('forbidden_tier');
  });

  test('has projects page by page, and no page for a place that none gave', async () => {
    for (const slug of ['a', 'b', 'c']) {
      await client.createProject({ teamId: blue, slug, name: slug }, administrator);
    }
    const caller = await member(blue, 'team');
    const first = await client.listProjects({ pageSize: 2 }, caller);
    expect(first).toMatchObject({ projects: [{ slug: 'a' }, { slug: 'b' }], nextPageToken: 'b' });
    const last = await client.listProjects({ pageSize: 2, pageToken: first.nextPageToken }, caller);
    expect(last).toMatchObject({ projects: [{ slug: 'c' }], nextPageToken: '' });
    expect(await code(client.listProjects({ pageToken: '../' }, caller))).toBe('invalid_request');
  });
});
