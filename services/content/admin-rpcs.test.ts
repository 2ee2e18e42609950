import { type Client, createClient } from '@connectrpc/connect';
import { createLog } from '@teammemory/log/log.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from '@teammemory/rpc/auth/caller-token.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import { guardService } from '@teammemory/rpc/server/guard-service.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plentyOfRoom } from './quotas.fixture.ts';
import { createContentService } from './service.ts';

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
  return as({ kind: 'member', caller: { teamId, tier, access: 'write', ...names } });
};
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error) => appErrorFromRpc(error).code,
  );

let content: ServiceInstance;
let client: Client<typeof ContentService>;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeEach(async () => {
  directory = await temporaryDirectory();
  const storage = { engine: 'sqlite', directory: directory.path } as const;
  const watched = { log: createLog({ level: 'silent', part: 'test' }), metrics: createMetrics() };
  content = await createContentService({
    storage,
    clock: Date.now,
    itemHistory: 2,
    quotas: plentyOfRoom,
    ...watched,
  });
  const { interceptors } = guardService({
    service: content.rpc,
    verifier: createTokenVerifier({ publicKeys: [keys.publicKey], clock: Date.now }),
    administratorToken: 'administrator',
    clock: Date.now,
    ...watched,
  });
  client = createClient(ContentService, createDirectTransport(content.rpc, interceptors));
});
afterEach(async () => {
  await content.close();
  await directory.remove();
});

const decision = { title: 'Use SQLite', audience: Tier.TEAM };

/** Every method of writers, about one decision, with nothing left to refuse but who calls. */
function writerCalls(decisionId: string, caller: Awaited<ReturnType<typeof as>>) {
  const named = { teamId: blue, decisionId };
  return [
    client.createDecision({ teamId: blue, decision }, caller),
    client.editDecision({ ...named, title: 'Mine' }, caller),
    client.getDecision(named, caller),
    client.listDecisionVersions(named, caller),
    client.createProject({ teamId: blue, slug: 'web', name: 'Web' }, caller),
    client.removeDecision(named, caller),
    client.removeProject({ teamId: blue, slug: 'gone' }, caller),
    client.renameProject({ teamId: blue, slug: 'gone', name: 'New' }, caller),
  ].map(code);
}

async function createIn(teamId: string): Promise<string> {
  const created = await client.createDecision({ teamId, decision }, administrator);
  return created.decision?.decisionId ?? '';
}

describe('what administrators and team-tier members write', () => {
  test('is refused to external keys and services, whatever is there, whatever team they name', async () => {
    const callers = [
      await member(blue, 'external'),
      await as({ kind: 'service', name: 'query', scopes: ['auth:read', 'feed:read'] }),
    ];
    for (const id of [await createIn(blue), await createIn(green), 'x']) {
      for (const caller of callers) {
        expect(await Promise.all(writerCalls(id, caller))).toEqual(Array(8).fill('permission_denied'));
      }
    }
  });

  test("of members is their own team's, whatever team they name", async () => {
    const decisionId = await createIn(blue);
    const stranger = await member(green, 'team');
    const absent = ['ok', 'not_found', 'not_found', 'not_found', 'ok', 'not_found', 'not_found', 'not_found'];
    expect(await Promise.all(writerCalls(decisionId, stranger))).toEqual(absent);
    expect(await Promise.all(writerCalls('x', stranger))).toEqual(absent.with(4, 'already_exists'));
    expect(await code(client.getDecision({ teamId: green, decisionId }, await member(blue, 'team')))).toBe(
      'ok',
    );
    const { projects } = await client.listProjects({}, await member(blue, 'team'));
    expect(projects).toEqual([]);
  });

  test('has the handle of the member, or says that it was an administrator', async () => {
    const ada = await member(blue, 'team');
    const created = (await client.createDecision({ decision }, ada)).decision;
    expect(created).toMatchObject({ title: 'Use SQLite', updatedBy: 'ada', hidden: false });
    const decisionId = created?.decisionId ?? '';
    const edit = { teamId: blue, decisionId, title: 'Use it' };
    expect((await client.editDecision(edit, administrator)).decision?.updatedBy).toBe('administrator');
    expect(
      await code(client.editDecision({ ...edit, baseUpdatedAt: created?.updatedAt, title: 'x' }, ada)),
    ).toBe('conflict');
  });

  test('is not found where an id is longer than any', async () => {
    const ada = await member(blue, 'team');
    const codes = await Promise.all(writerCalls('x'.repeat(1_000_000), ada));
    expect([...codes.slice(1, 4), codes[5]]).toEqual(Array(4).fill('not_found'));
  });
});

describe('the history of a decision', () => {
  const titles = (versions: { title: string }[]) => versions.map(({ title }) => title);

  test('is the kept versions before the present one, newest first, page by page', async () => {
    const ada = await member(blue, 'team');
    const decisionId = await createIn(blue);
    for (const title of ['b', 'c', 'd']) await client.editDecision({ decisionId, title }, ada);
    const first = await client.listDecisionVersions({ decisionId, pageSize: 1 }, ada);
    expect(first.versions).toMatchObject([{ decisionId, title: 'c', updatedBy: 'ada', hidden: false }]);
    const request = { decisionId, pageSize: 1, pageToken: first.nextPageToken };
    const last = await client.listDecisionVersions(request, ada);
    expect([titles(last.versions), last.nextPageToken]).toEqual([['b'], '']);
    expect((await client.getDecision({ decisionId }, ada)).decision?.title).toBe('d');
    const refused = client.listDecisionVersions({ decisionId, pageToken: '-1' }, ada);
    expect(await code(refused)).toBe('invalid_cursor');
  });

  test('of a hidden one has what was shown last, and the decision has its text', async () => {
    const ada = await member(blue, 'team');
    const decisionId = await createIn(blue);
    await client.editDecision({ decisionId, title: 'unseen', hidden: true }, ada);
    const { versions } = await client.listDecisionVersions({ decisionId }, ada);
    expect(titles(versions)).toEqual(['Use SQLite']);
    const found = await client.getDecision({ decisionId }, ada);
    expect(found.decision).toMatchObject({ title: 'unseen', hidden: true });
    expect(await code(client.editDecision({ decisionId, title: 'latest' }, ada))).toBe('invalid_request');
    await client.editDecision({ decisionId, title: 'latest', hidden: false }, ada);
    const shown = await client.listDecisionVersions({ decisionId }, ada);
    expect(titles(shown.versions)).toEqual(['Use SQLite']);
  });
});

describe('what members write past the gateway', () => {
  test('is no item: the gateway counts them', async () => {
    const names = { teamSlug: 'slug', memberId: 'member', memberHandle: 'ada', keyId: 'k'.repeat(16) };
    const caller = { teamId: blue, tier: 'team', access: 'write', ...names } as const;
    const direct = await as({ kind: 'member', caller, direct: true });
    expect(await code(client.pushItems({ items: [{}] }, direct))).toBe('permission_denied');
    expect(await code(client.listItems({}, direct))).toBe('ok');
  });
});

describe('what administrators do', () => {
  test('needs the id of a team', async () => {
    for (const teamId of ['', 'rivers', blue.toUpperCase().replace('1', 'A'), `${blue}\n`]) {
      const refusals = [
        code(client.createDecision({ teamId, decision }, administrator)),
        code(client.editDecision({ teamId, decisionId: 'x' }, administrator)),
        code(client.getDecision({ teamId, decisionId: 'x' }, administrator)),
        code(client.listDecisionVersions({ teamId, decisionId: 'x' }, administrator)),
        code(client.listDecisions({ teamId }, administrator)),
        code(client.createProject({ teamId, slug: 'web', name: 'Web' }, administrator)),
        code(client.removeDecision({ teamId, decisionId: 'x' }, administrator)),
        code(client.removeProject({ teamId, slug: 'web' }, administrator)),
        code(client.renameProject({ teamId, slug: 'web', name: 'Web' }, administrator)),
      ];
      expect(await Promise.all(refusals)).toEqual(Array(9).fill('invalid_request'));
    }
  });

  test('does not read what members and followers read', async () => {
    const refusals = [client.listTasks({}, administrator), client.listProjects({}, administrator)].map(code);
    expect(await Promise.all(refusals)).toEqual(['permission_denied', 'permission_denied']);
  });
});

describe('what administrators import', () => {
  const checksum = `sha256:${'a'.repeat(64)}`;
  const item = { rowKey: 'a.md', content: 'a', frontmatterJson: Buffer.from('{}'), tier: 'team', checksum };
  const decisionId = '01890000-0000-7000-8000-00000000000d';
  const author = { handle: 'ada', memberId: '01890000-0000-7000-8000-0000000000aa' };
  const shown = async (rowKey: string) => {
    const { itemJson } = await client.getItem({ rowKey }, await member(blue, 'team'));
    return JSON.parse(Buffer.from(itemJson).toString());
  };

  test('is refused to members and services', async () => {
    const callers = [
      await member(blue, 'team'),
      await as({ kind: 'service', name: 'gateway', scopes: ['auth:read', 'feed:read'] }),
    ];
    for (const caller of callers) {
      const calls = [
        client.importItems({ teamId: blue, items: [item] }, caller),
        client.importDecision({ teamId: blue, decision: { ...decision, decisionId } }, caller),
      ];
      expect(await Promise.all(calls.map(code))).toEqual(Array(2).fill('permission_denied'));
    }
  });

  test('has its author, and belongs to that member', async () => {
    await client.importItems({ teamId: blue, author, items: [item] }, administrator);
    await client.importDecision(
      { teamId: blue, author, decision: { ...decision, decisionId } },
      administrator,
    );
    expect(await shown('a.md')).toMatchObject({ updated_by: 'ada', tier: 'team', checksum });
    const { entries } = await client.readFeed({ teamId: blue }, administrator);
    expect(entries).toMatchObject([{ rowKey: 'a.md', writerId: author.memberId }]);
    const { decision: stored } = await client.getDecision({ teamId: blue, decisionId }, administrator);
    expect(stored).toMatchObject({ decisionId, title: 'Use SQLite', updatedBy: 'ada' });
    expect(await code(client.getDecision({ teamId: green, decisionId }, administrator))).toBe('not_found');
  });

  test('never replaces what is there, and is no decision that was removed', async () => {
    const items = [item];
    await client.importItems({ teamId: blue, items }, administrator);
    const other = { ...item, content: 'b', checksum: `sha256:${'b'.repeat(64)}` };
    const again = await client.importItems({ teamId: blue, items: [item, other] }, administrator);
    expect(again).toMatchObject({
      accepted: 1,
      rejected: 1,
      written: 0,
      errors: [{ index: 1, code: 'conflict' }],
    });
    const request = { teamId: blue, decision: { ...decision, decisionId } };
    expect(await client.importDecision(request, administrator)).toMatchObject({ written: true });
    expect(await client.importDecision(request, administrator)).toMatchObject({ written: false });
    await client.removeDecision({ teamId: blue, decisionId }, administrator);
    expect(await client.importDecision(request, administrator)).toMatchObject({ written: false });
    expect(await code(client.getDecision({ teamId: blue, decisionId }, administrator))).toBe('not_found');
  });

  test('is refused without a team, an id or an author that can be one', async () => {
    const bad = [
      client.importItems({ items: [item] }, administrator),
      client.importItems({ teamId: blue, items: [] }, administrator),
      client.importItems({ teamId: blue, items: [item], author: { handle: 'x'.repeat(65) } }, administrator),
      client.importItems({ teamId: blue, items: [item], author: { memberId: 'x' } }, administrator),
      client.importDecision({ teamId: blue, decision }, administrator),
      client.importDecision({ teamId: blue, decision: { ...decision, decisionId: 'x' } }, administrator),
      client.importDecision({ teamId: blue }, administrator),
    ];
    expect(await Promise.all(bad.map(code))).toEqual(Array(7).fill('invalid_request'));
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
    const guest = await member(blue, 'external');
    expect(await code(client.listProjects({}, guest))).toBe('forbidden_tier');
    for (const slug of ['web', 'nothing', '', '../']) {
      expect(await code(client.listProjectItems({ slug }, guest))).toBe('forbidden_tier');
      expect(await code(client.readProjectActivity({ slugs: [slug] }, guest))).toBe('forbidden_tier');
    }
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
