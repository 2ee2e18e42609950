import { type Client, Code, createClient } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import {
  ContentService,
  DecisionStatus,
  FeedList,
  SkipReason,
} from '@teammemory/proto/content/v1/content_pb.ts';
import {
  createTokenSigner,
  createTokenVerifier,
  generateSigningKeys,
} from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller, Principal } from '@teammemory/rpc/auth/principal.ts';
import { createDirectTransport } from '@teammemory/rpc/client/direct-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import { guardService } from '@teammemory/rpc/server/guard-service.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksumOf, itemDraft } from './domain/items/item.fixture.ts';
import { plentyOfRoom } from './quotas.fixture.ts';
import { createContentService } from './service.ts';

const { privateKey, publicKey } = generateSigningKeys();
const signer = createTokenSigner({ privateKey, clock: Date.now });
const blue = '01890000-0000-7000-8000-000000000001';
const green = '01890000-0000-7000-8000-000000000002';

type Headers = { authorization: string };

async function tokenOf(principal: Principal, audience = 'content'): Promise<Headers> {
  return { authorization: `Bearer ${await signer.sign(principal, audience)}` };
}

function member(teamId: string, tier: 'team' | 'external', memberHandle = 'ada'): Promise<Headers> {
  const caller: Caller = {
    teamId,
    teamSlug: 'slug',
    memberId: 'member-id',
    memberHandle,
    tier,
    access: 'write',
    keyId: 'k'.repeat(16),
  };
  return tokenOf({ kind: 'member', caller });
}

const service = (scopes: string[]) => tokenOf({ kind: 'service', name: 'query', scopes });
const administrator: Headers = { authorization: 'Bearer administrator' };

function item(changed: Parameters<typeof itemDraft>[0] = {}) {
  const { frontmatterJson, ...fields } = itemDraft(changed);
  return { ...fields, frontmatterJson: Buffer.from(frontmatterJson) };
}

describeEachEngine('the content service', (engine) => {
  let content: ServiceInstance;
  let client: Client<typeof ContentService>;

  beforeEach(async () => {
    const watched = { log: silentLog(), metrics: createMetrics() };
    const settings = { clock: () => 1_000, itemHistory: 20, quotas: plentyOfRoom };
    content = await createContentService({ storage: engine.storage(), ...settings, ...watched });
    const { interceptors } = guardService({
      service: content.rpc,
      verifier: createTokenVerifier({ publicKeys: [publicKey], clock: Date.now }),
      administratorToken: 'administrator',
      clock: Date.now,
      ...watched,
    });
    client = createClient(ContentService, createDirectTransport(content.rpc, interceptors));
  });
  afterEach(() => content.close());

  const push = (headers: Headers, ...items: ReturnType<typeof item>[]) =>
    client.pushItems({ items }, { headers });
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error) => appErrorFromRpc(error).code,
    );
  async function rowKeys(headers: Headers, includeDeleted = false): Promise<string[]> {
    const { page } = await client.listItems({ page: { includeDeleted } }, { headers });
    const rows = JSON.parse(Buffer.from(page?.rowsJson ?? []).toString()) as { row_key: string }[];
    return rows.map(({ row_key }) => row_key);
  }

  /** Every RPC that is for members. */
  const memberCalls: [string, (headers?: Headers) => Promise<unknown>][] = [
    ['PushItems', (headers) => client.pushItems({ items: [item()] }, { headers })],
    ['ListItems', (headers) => client.listItems({}, { headers })],
    ['GetItemsVersion', (headers) => client.getItemsVersion({}, { headers })],
    ['ReadNewestTimes', (headers) => client.readNewestTimes({}, { headers })],
    ['DeleteItem', (headers) => client.deleteItem({ rowKey: 'a.md' }, { headers })],
    ['GetItem', (headers) => client.getItem({ rowKey: 'a.md' }, { headers })],
    ['ListItemHistory', (headers) => client.listItemHistory({ rowKey: 'a.md' }, { headers })],
    ['GetItemVersion', (headers) => client.getItemVersion({ rowKey: 'a.md', revision: 1n }, { headers })],
    ['GetTask', (headers) => client.getTask({ taskId: 'a' }, { headers })],
    ['GetShownDecision', (headers) => client.getShownDecision({ decisionId: 'a' }, { headers })],
    ['ListItemVersions', (headers) => client.listItemVersions({ rowKey: 'a.md' }, { headers })],
  ];
  const readFeed = (headers?: Headers, teamId = blue) => client.readFeed({ teamId }, { headers });

  const listFeeds = (headers?: Headers, page = {}) => client.listFeeds(page, { headers });
  const followerCalls: [string, (headers?: Headers) => Promise<unknown>][] = [
    ['ReadFeed', readFeed],
    ['ListFeeds', listFeeds],
    ['ReadHeads', (headers) => client.readHeads({ teamId: blue }, { headers })],
    ['ReadProjects', (headers) => client.readProjects({ teamId: blue }, { headers })],
  ];

  test('is ready', () => content.ready());

  describe('asks who calls', () => {
    test.each([...memberCalls, ...followerCalls])('%s without a token', async (_, call) => {
      expect(await codeOf(call())).toBe('unauthenticated');
      expect(await codeOf(call({ authorization: 'Bearer x.y.z' }))).toBe('unauthenticated');
      const elsewhere = await tokenOf({ kind: 'service', name: 'query', scopes: ['feed:read'] }, 'auth');
      expect(await codeOf(call(elsewhere))).toBe('unauthenticated');
    });

    test.each(memberCalls)('%s is for members alone', async (_, call) => {
      expect(await codeOf(call(administrator))).toBe('permission_denied');
      expect(await codeOf(call(await service(['feed:read'])))).toBe('permission_denied');
    });

    test.each(followerCalls)(
      '%s is for followers, and with one team for administrators',
      async (name, call) => {
        expect(await codeOf(call(await service(['feed:read'])))).toBe('ok');
        expect(await codeOf(call(administrator))).toBe(name === 'ListFeeds' ? 'permission_denied' : 'ok');
        for (const headers of [await member(blue, 'team'), await service(['auth:read'])]) {
          expect(await codeOf(call(headers))).toBe('permission_denied');
        }
      },
    );
  });

  test('takes team, tier and name from the token', async () => {
    const ada = await member(blue, 'team');
    const eve = await member(blue, 'external', 'eve');
    expect(await push(ada, item({ rowKey: 'internal.md' }))).toMatchObject({ accepted: 1, written: 1 });
    expect(await push(eve, item({ rowKey: 'external.md', tier: 'client' }))).toMatchObject({ accepted: 1 });
    expect(await rowKeys(ada)).toEqual(['internal.md', 'external.md']);
    expect(await rowKeys(eve)).toEqual(['external.md']);
    expect(await rowKeys(await member(green, 'team'))).toEqual([]);
    const { page } = await client.listItems({}, { headers: eve });
    expect(JSON.parse(Buffer.from(page?.rowsJson ?? []).toString())).toMatchObject([{ updated_by: 'eve' }]);
  });

  test('reports each refused item by its place', async () => {
    const headers = await member(blue, 'team');
    await push(headers, item({ rowKey: 'edited.md' }));
    const stale = item({ rowKey: 'edited.md', checksum: checksumOf('b'), baseChecksum: checksumOf('c') });
    const answer = await push(headers, item({ tier: 'private' }), item(), item({ rowKey: '../up' }), stale);
    expect(answer).toMatchObject({ accepted: 1, rejected: 3, written: 1 });
    expect(answer.errors.map(({ index, rowKey, code }) => [index, rowKey, code])).toEqual([
      [0, 'notes/a.md', 'admin_tier'],
      [2, '../up', 'invalid_request'],
      [3, 'edited.md', 'conflict'],
    ]);
    expect(answer.errors[2]?.currentChecksum).toBe(checksumOf('a'));
  });

  test('refuses a batch without items, and says which field', async () => {
    const refused = push(await member(blue, 'team')).catch(appErrorFromRpc);
    expect(await refused).toMatchObject({ code: 'invalid_request', violations: [{ pointer: '/items' }] });
  });

  test('only checks where it is asked to', async () => {
    const headers = await member(blue, 'team');
    const request = { items: [item(), item({ tier: 'admin' })], validateOnly: true };
    expect(await client.pushItems(request, { headers })).toMatchObject({
      accepted: 0,
      rejected: 1,
      written: 1,
      pending: [0],
    });
    expect(await rowKeys(headers)).toEqual([]);
  });

  test('refuses a cursor of another tier or team', async () => {
    const headers = await member(blue, 'team');
    const { page } = await client.listItems({}, { headers });
    for (const other of [await member(blue, 'external'), await member(green, 'team')]) {
      const call = client.listItems({ page: { cursor: page?.nextCursor ?? '' } }, { headers: other });
      await expect(call).rejects.toMatchObject({ code: Code.InvalidArgument });
      expect(await codeOf(call)).toBe('invalid_cursor');
    }
  });

  test('tells a new version of the items of a tier with every change that it sees, and with no other', async () => {
    const ada = await member(blue, 'team');
    const eve = await member(blue, 'external');
    const remove = (rowKey: string) => client.deleteItem({ rowKey }, { headers: ada });
    const versions = async () => {
      const answers = [ada, eve].map((headers) => client.getItemsVersion({}, { headers }));
      return (await Promise.all(answers)).map(({ version }) => version);
    };
    const changes: [string, () => Promise<unknown>, { showsOutside: boolean }][] = [
      ['internal', () => push(ada, item({ rowKey: 'internal.md' })), { showsOutside: false }],
      ['external', () => push(ada, item({ tier: 'external' })), { showsOutside: true }],
      [
        'edited',
        () => push(ada, item({ tier: 'external', checksum: checksumOf('b') })),
        { showsOutside: true },
      ],
      ['hidden', () => push(ada, item({ checksum: checksumOf('b') })), { showsOutside: true }],
      ['edited out of sight', () => push(ada, item({ checksum: checksumOf('c') })), { showsOutside: false }],
      ['removed out of sight', () => remove('notes/a.md'), { showsOutside: false }],
      ['shown', () => push(ada, item({ tier: 'external' })), { showsOutside: true }],
      ['removed', () => remove('notes/a.md'), { showsOutside: true }],
    ];
    let [inside, outside] = await versions();
    expect([inside, outside]).not.toContain('');
    for (const [name, change, { showsOutside }] of changes) {
      await change();
      await push(await member(green, 'team'), item({ rowKey: name }));
      const [insideNow, outsideNow] = await versions();
      expect([name, insideNow !== inside, outsideNow !== outside]).toEqual([name, true, showsOutside]);
      for (const headers of [ada, eve]) {
        const { version } = await client.getItemsVersion({}, { headers });
        expect(await client.listItems({}, { headers })).toMatchObject({ version });
      }
      [inside, outside] = [insideNow, outsideNow];
    }
  });

  test('removes an item for everyone, again and again', async () => {
    const headers = await member(blue, 'external');
    await push(headers, item({ tier: 'external' }));
    for (let times = 0; times < 2; times += 1) await client.deleteItem({ rowKey: 'notes/a.md' }, { headers });
    expect(await rowKeys(headers)).toEqual([]);
    expect(await rowKeys(headers, true)).toEqual(['notes/a.md']);
    expect(await codeOf(client.deleteItem({ rowKey: 'never.md' }, { headers }))).toBe('not_found');
  });

  test('pages through versions by token', async () => {
    const headers = await member(blue, 'team');
    for (const digit of '1234') await push(headers, item({ checksum: checksumOf(digit) }));
    const seen: string[] = [];
    let pageToken = '';
    do {
      const request = { rowKey: 'notes/a.md', pageSize: 2, pageToken };
      const { versionsJson, nextPageToken } = await client.listItemVersions(request, { headers });
      const versions = JSON.parse(Buffer.from(versionsJson).toString()) as { checksum: string }[];
      seen.push(versions.map(({ checksum }) => checksum.slice(-1)).join(''));
      pageToken = nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(['32', '1']);
  });

  test.each(['0', '-1', '1.5', '1e3', 'x', ' 1', '9'.repeat(16), '{"$gt":0}'])(
    'refuses %j as the token of a page of versions',
    async (pageToken) => {
      const headers = await member(blue, 'team');
      expect(await codeOf(client.listItemVersions({ rowKey: 'a.md', pageToken }, { headers }))).toBe(
        'invalid_cursor',
      );
    },
  );

  test('shows followers every row of one team, and how far there is to go', async () => {
    const ada = await member(blue, 'team');
    await push(ada, item({ rowKey: 'a.md' }), item({ rowKey: 'b.md', tier: 'external' }));
    await client.deleteItem({ rowKey: 'a.md' }, { headers: ada });
    const headers = await service(['feed:read']);
    const first = await client.readFeed({ teamId: blue, limit: 1 }, { headers });
    expect(first).toMatchObject({ entries: [{ seq: 2n, rowKey: 'b.md' }], headSeq: 3n });
    const rest = await client.readFeed({ teamId: blue, afterSeq: 2n }, { headers });
    expect(rest).toMatchObject({ entries: [{ seq: 3n, rowKey: 'a.md', deleted: true }], headSeq: 3n });
    expect(rest.entries[0]?.itemJson).toHaveLength(0);
    expect(await client.readFeed({ teamId: green }, { headers })).toMatchObject({ entries: [], headSeq: 0n });
    const beyond = { teamId: blue, afterSeq: 2n ** 64n - 1n };
    expect((await client.readFeed(beyond, { headers })).entries).toEqual([]);
  });

  test('shows followers tasks and decisions as the public lists do, those that are gone without their text', async () => {
    const ada = await member(blue, 'team');
    const body = '- [ ] paint it';
    await push(ada, item({ rowKey: 'tasks.md', content: '- [ ] one\n- [ ] two\n', tier: 'external' }));
    const create = (title: string) =>
      client.createDecision({ decision: { title, body, audience: Tier.TEAM } }, { headers: ada });
    const [shown, hidden] = [(await create('Blue')).decision, (await create('Red')).decision];
    await client.editDecision({ decisionId: hidden?.decisionId ?? '', hidden: true }, { headers: ada });
    const headers = await service(['feed:read']);
    const heads = await client.readHeads({ teamId: blue }, { headers });
    expect(heads).toMatchObject({ itemsSeq: 1n, decisionsSeq: 3n });
    const read = (list: FeedList) => client.readFeed({ teamId: blue, list }, { headers });
    const decisions = await read(FeedList.DECISIONS);
    expect(decisions).toMatchObject({
      entries: [
        { rowKey: '', rowId: shown?.decisionId, tier: Tier.TEAM, deleted: false, seq: 1n },
        { rowId: hidden?.decisionId, deleted: true, seq: 3n, writerId: '' },
      ],
      headSeq: heads.decisionsSeq,
    });
    expect(decisions.entries[0]?.writerId).not.toBe('');
    const rows = decisions.entries.map(({ rowJson }) => Buffer.from(rowJson).toString());
    expect(rows[0]).toContain('"title":"Blue"');
    expect(rows[1]).toBe('');
    const tasks = await read(FeedList.TASKS);
    expect(tasks.headSeq).toBe(heads.tasksSeq);
    const open = tasks.entries.filter(({ deleted }) => !deleted);
    expect(open.map(({ rowJson }) => JSON.parse(Buffer.from(rowJson).toString()).title)).toEqual([
      ...['one', 'two'],
      'paint it',
    ]);
    for (const { rowId, rowJson } of open)
      expect(JSON.parse(Buffer.from(rowJson).toString()).task_id).toBe(rowId);
    expect(await codeOf(client.readFeed({ teamId: blue, list: 9 as FeedList }, { headers }))).toBe(
      'invalid_request',
    );
  });

  test('tells followers another version of the projects whenever the list is another one, and lists them', async () => {
    const ada = { headers: await member(blue, 'team') };
    const headers = await service(['feed:read']);
    const version = async () => (await client.readHeads({ teamId: blue }, { headers })).projectsVersion;
    const projects = async () => (await client.readProjects({ teamId: blue }, { headers })).projects;
    const seen = [await version()];
    await client.createProject({ slug: 'harbour', name: 'Harbour' }, ada);
    seen.push(await version());
    await client.renameProject({ slug: 'harbour', name: 'Old harbour' }, ada);
    seen.push(await version());
    expect(await projects()).toMatchObject([{ slug: 'harbour', name: 'Old harbour' }]);
    await client.renameProject({ slug: 'harbour', name: 'Harbour' }, ada);
    seen.push(await version());
    await push(ada.headers, item({ rowKey: 'projects/ferry/a.md' }));
    seen.push(await version());
    expect(await projects()).toMatchObject([{ slug: 'ferry' }, { slug: 'harbour', name: 'Harbour' }]);
    await client.removeProject({ slug: 'harbour' }, ada);
    seen.push(await version());
    await client.deleteItem({ rowKey: 'projects/ferry/a.md' }, ada);
    seen.push(await version());
    expect(new Set(seen).size).toBe(7);
    expect(await projects()).toEqual([]);
    expect(await version()).toBe(seen.at(-1));
  });

  test('says what belongs to the projects of a team, to no other team', async () => {
    const ada = { headers: await member(blue, 'team') };
    const stranger = { headers: await member(green, 'team') };
    await push(ada.headers, item({ rowKey: 'projects/ferry/tasks.md', content: '- [ ] Paint\n- [x] Sail' }));
    await push(ada.headers, item({ rowKey: 'projects/ferry/sub/tasks.md', content: '- [ ] Moor' }));
    await push(stranger.headers, item({ rowKey: 'projects/ferry/tasks.md', content: '- [ ] Sink' }));
    const read = async (as: typeof ada, slugs: string[]) =>
      (await client.readProjectActivity({ slugs }, as)).projects;
    const [none, ferry] = await read(ada, ['none', 'ferry']);
    expect(none).toMatchObject({ slug: 'none', items: 0, openTasks: 0 });
    expect(ferry).toMatchObject({ slug: 'ferry', items: 2, openTasks: 2 });
    expect(ferry?.changedAt).toBeDefined();
    expect(await read(stranger, ['ferry'])).toMatchObject([{ items: 1, openTasks: 1 }]);
    await client.deleteItem({ rowKey: 'projects/ferry/tasks.md' }, ada);
    expect(await read(ada, ['ferry'])).toMatchObject([{ items: 1, openTasks: 1 }]);
    expect(await codeOf(client.readProjectActivity({ slugs: ['No slug'] }, ada))).toBe('invalid_request');
    const tooMany = Array(121).fill('ferry');
    expect(await codeOf(client.readProjectActivity({ slugs: tooMany }, ada))).toBe('invalid_request');
  });

  test('names a project that only items name, and lists its items to the team page by page, to no other team', async () => {
    const ada = { headers: await member(blue, 'team') };
    const stranger = { headers: await member(green, 'team') };
    for (const name of ['b', 'a', 'c']) {
      await push(ada.headers, item({ rowKey: `projects/ferry/${name}.md` }));
    }
    const { project } = await client.renameProject({ slug: 'ferry', name: 'The ferry' }, ada);
    expect(project).toMatchObject({ slug: 'ferry', name: 'The ferry', brainOnly: false });
    const first = await client.listProjectItems({ slug: 'ferry', pageSize: 2 }, ada);
    expect(first.rowKeys).toEqual(['projects/ferry/a.md', 'projects/ferry/b.md']);
    const last = await client.listProjectItems({ slug: 'ferry', pageToken: first.nextPageToken }, ada);
    expect(last).toMatchObject({ rowKeys: ['projects/ferry/c.md'], nextPageToken: '' });
    expect(await client.listProjectItems({ slug: 'ferry' }, stranger)).toMatchObject({ rowKeys: [] });
    expect(await codeOf(client.renameProject({ slug: 'ferry', name: 'Mine' }, stranger))).toBe('not_found');
    expect(await codeOf(client.listProjectItems({ slug: 'No slug' }, ada))).toBe('invalid_request');
    expect(await codeOf(client.renameProject({ slug: 'ferry', name: ' ' }, ada))).toBe('invalid_request');
  });

  test('lists to followers a higher number whenever only a project, or only a decision, has changed', async () => {
    const ada = { headers: await member(blue, 'team') };
    const headers = await service(['feed:read']);
    const seq = async () => Number((await listFeeds(headers)).feeds[0]?.seq ?? 0);
    await client.createProject({ slug: 'harbour', name: 'Harbour' }, ada);
    const created = await seq();
    expect(created).toBeGreaterThan(0);
    await client.removeProject({ slug: 'harbour' }, ada);
    const removed = await seq();
    expect(removed).toBeGreaterThan(created);
    await client.createDecision({ decision: { title: 'Blue', audience: Tier.TEAM } }, ada);
    await eventually('the decision', async () => (await seq()) > removed);
  });

  test('lists the decisions of one status, to each reader those that the reader sees', async () => {
    const ada = { headers: await member(blue, 'team') };
    const guest = { headers: await member(blue, 'external') };
    const stranger = { headers: await member(green, 'team') };
    const { PROPOSED, ACCEPTED, REJECTED } = DecisionStatus;
    const create = (title: string, status: DecisionStatus, audience: Tier = Tier.TEAM) =>
      client.createDecision({ decision: { title, status, audience, body: '"status":"rejected"' } }, ada);
    await create('Ours', PROPOSED);
    await create('Shared', PROPOSED, Tier.EXTERNAL);
    await create('Done', ACCEPTED, Tier.EXTERNAL);
    const list = async (as: typeof ada, status: DecisionStatus, page = {}) => {
      const answer = (await client.listDecisions({ page, status }, as)).page;
      const rows = JSON.parse(Buffer.from(answer?.rowsJson ?? []).toString() || '[]');
      return { titles: rows.map(({ title }: { title: string }) => title), next: answer?.nextCursor ?? '' };
    };
    expect((await list(ada, PROPOSED)).titles).toEqual(['Ours', 'Shared']);
    expect((await list(guest, PROPOSED)).titles).toEqual(['Shared']);
    expect((await list(stranger, PROPOSED)).titles).toEqual([]);
    expect((await list(ada, REJECTED)).titles).toEqual([]);
    const { next } = await list(ada, PROPOSED, { limit: 1 });
    expect((await list(ada, PROPOSED, { cursor: next })).titles).toEqual(['Shared']);
    expect(await codeOf(list(ada, ACCEPTED, { cursor: next }))).toBe('invalid_cursor');
    expect(await codeOf(list(ada, ACCEPTED, { includeDeleted: true }))).toBe('invalid_request');
    expect(await codeOf(list(ada, 9 as DecisionStatus))).toBe('invalid_request');
  });

  test('lists texts that make no tasks to writers of the team, and to administrators', async () => {
    const deep = { content: `${'> '.repeat(11)}- [ ] a`, tier: 'external' };
    const rowKeysOf = ['a-tasks.md', 'b-tasks.md', 'c-tasks.md'];
    await push(await member(blue, 'external'), ...rowKeysOf.map((rowKey) => item({ ...deep, rowKey })));
    const read = async (headers: Headers, request = {}) => client.listSkippedTexts(request, { headers });
    const ada = await member(blue, 'team');
    const first = await read(ada, { pageSize: 2, teamId: green });
    expect(first.texts).toMatchObject([
      { rowKey: 'a-tasks.md', decisionId: '', reason: SkipReason.TOO_DEEP },
      { rowKey: 'b-tasks.md' },
    ]);
    const pageToken = first.nextPageToken;
    expect(await read(administrator, { teamId: blue, pageToken })).toMatchObject({
      texts: [{ rowKey: 'c-tasks.md' }],
      nextPageToken: '',
    });
    expect((await read(administrator, { teamId: green })).texts).toEqual([]);
    expect((await read(ada, { rowKey: 'b-tasks.md' })).texts).toMatchObject([{ rowKey: 'b-tasks.md' }]);
    expect((await read(ada, { rowKey: 'a' })).texts).toEqual([]);
    expect((await read(await member(green, 'team'), { rowKey: 'b-tasks.md' })).texts).toEqual([]);
    expect(await codeOf(read(await member(blue, 'external')))).toBe('permission_denied');
    expect(await codeOf(read(await service(['feed:read'])))).toBe('permission_denied');
    for (const bad of ['x', '/', 'task/a', `item/${'x'.repeat(1_025)}`])
      expect(await codeOf(read(ada, { pageToken: bad }))).toBe('invalid_request');
  });

  test('lists to followers the feeds of all teams, page by page, with what was pushed shortly before', async () => {
    for (const team of [green, blue])
      await push(await member(team, 'team'), item(), item({ rowKey: 'b.md' }));
    const headers = await service(['feed:read']);
    await eventually('both feeds at their second position', async () => {
      const { feeds } = await listFeeds(headers);
      return feeds.length === 2 && feeds.every(({ seq }) => seq === 2n);
    });
    const first = await listFeeds(headers, { pageSize: 1 });
    const second = await listFeeds(headers, { pageSize: 1, pageToken: first.nextPageToken });
    expect([first, second].map(({ feeds }) => feeds.map(({ teamId }) => teamId))).toEqual([[blue], [green]]);
    expect(second.nextPageToken).toBe('');
    expect(await codeOf(listFeeds(headers, { pageToken: 'x'.repeat(65) }))).toBe('invalid_request');
  });
});
