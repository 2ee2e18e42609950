import type { Client } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type ContentService, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  blue,
  type GuardedContent,
  green,
  item,
  member,
  service,
  startContent,
} from './guarded-service.fixture.ts';

describeEachEngine('what followers of the content service are shown', (engine) => {
  let content: ServiceInstance;
  let client: Client<typeof ContentService>;
  let push: GuardedContent['push'];
  let listFeeds: GuardedContent['listFeeds'];

  beforeEach(async () => {
    ({ content, client, push, listFeeds } = await startContent(engine.storage()));
  });
  afterEach(() => content.close());

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
