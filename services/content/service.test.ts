import { type Client, Code } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, DecisionStatus, SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksumOf } from './domain/items/item.fixture.ts';
import {
  administrator,
  blue,
  type GuardedContent,
  green,
  type Headers,
  item,
  member,
  service,
  startContent,
  tokenOf,
} from './guarded-service.fixture.ts';

describeEachEngine('the content service', (engine) => {
  let content: ServiceInstance;
  let client: Client<typeof ContentService>;
  let push: GuardedContent['push'];
  let listFeeds: GuardedContent['listFeeds'];

  beforeEach(async () => {
    ({ content, client, push, listFeeds } = await startContent(engine.storage()));
  });
  afterEach(() => content.close());

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

  const followerCalls: [string, (headers?: Headers) => Promise<unknown>][] = [
    ['ReadFeed', readFeed],
    ['ListFeeds', (headers) => listFeeds(headers)],
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
});
