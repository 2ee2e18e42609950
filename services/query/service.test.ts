import { randomUUID } from 'node:crypto';
import { silentLog } from '@teammemory/log/log.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type AskResponse, CoverageReason, CoverageState } from '@teammemory/proto/query/v1/query_pb.ts';
import { codeOf } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createMetrics, type Metrics } from '@teammemory/telemetry/metrics.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentInMemory, contentInMemory } from './content.fixture.ts';
import type { FeedItem } from './domain/passages/feeds.ts';
import { noFields } from './domain/passages/passage.ts';
import { feedItem } from './domain/passages/passages.fixture.ts';
import { createQueryService, type SpendingSettings } from './service.ts';
import { member, testClient } from './test-client.fixture.ts';

/** Ids of two teams. */
const [otters, herons] = [randomUUID(), randomUUID()];

describeEachEngine('the query service', (engine) => {
  let content: ContentInMemory;
  let service: ServiceInstance;
  let metrics: Metrics;
  let clock: () => number;

  function open(spending: Partial<SpendingSettings> = {}, indexRefreshSeconds = 0): Promise<ServiceInstance> {
    const { transport: contentTransport } = content;
    const serviceToken = async () => 'token';
    return createQueryService({
      storage: engine.storage(),
      contentTransport,
      serviceToken,
      indexDiskMb: 64,
      maxOpenAnswers: { maxInAll: 10, maxPerTeam: 10 },
      indexRefreshSeconds,
      clock: () => clock(),
      spending: { dailyMemberCapUsd: '5', dailyTeamCapUsd: '50', modelPrices: undefined, ...spending },
      model: { apiKey: undefined, baseUrl: undefined, model: undefined },
      log: silentLog(),
      metrics,
    });
  }

  beforeEach(async () => {
    content = contentInMemory('token');
    metrics = createMetrics();
    clock = Date.now;
    service = await open();
  });
  afterEach(() => service.close());

  /** The text and the sources of an answer. */
  async function ask(question: string, tier: 'team' | 'external' = 'team', teamId = otters) {
    const responses = await Array.fromAsync(testClient(service, member(teamId, tier)).ask({ question }));
    const text = responses.map(({ part }) => (part.case === 'delta' ? part.value.text : '')).join('');
    return { text, sources: sourcesOf(responses.at(-1)) };
  }

  function pushTwo(): void {
    content.push(
      otters,
      feedItem(0, 'Backups run at three. They are kept for ninety days.', {
        rowKey: 'ops.md',
        title: 'Operations',
      }),
    );
    content.push(otters, feedItem(0, 'The quota is sixty writes.', { rowKey: 'quota.md', tier: 'external' }));
  }

  test('answers from what was pushed just before, with its sources', async () => {
    pushTwo();
    expect(await ask('How long are backups kept?')).toMatchObject({
      text: '**Operations**\n\nBackups run at three. They are kept for ninety days. [1]',
      sources: [{ rowKey: 'ops.md', title: 'Operations', tier: Tier.TEAM }],
    });
    content.push(otters, feedItem(0, 'Backups are kept for one year.', { rowKey: 'ops.md', title: 'New' }));
    expect(await ask('How long are backups kept?')).toMatchObject({
      text: '**New**\n\nBackups are kept for one year. [1]',
    });
    content.push(otters, feedItem(0, '', { rowKey: 'ops.md' }));
    expect((await ask('How long are backups kept?')).sources).toEqual([]);
  });

  test('an external key and another team learn nothing of what they may not see', async () => {
    pushTwo();
    const nothing = await ask('How long are backups kept?', 'team', herons);
    expect(nothing.sources).toEqual([]);
    expect(await ask('How long are backups kept?', 'external')).toEqual(nothing);
    expect((await ask('What is the quota?', 'external')).sources).toMatchObject([{ rowKey: 'quota.md' }]);
    content.push(otters, feedItem(0, 'The quota is sixty writes.', { rowKey: 'quota.md', tier: 'team' }));
    expect(await ask('What is the quota?', 'external')).toEqual(
      await ask('What is the quota?', 'team', herons),
    );
  });

  test('a search ranks passages, best first, as many as asked for', async () => {
    pushTwo();
    const client = testClient(service, member(otters, 'team'));
    const { passages } = await client.search({ question: 'quota backups writes' });
    expect(passages).toMatchObject([
      { rowKey: 'quota.md', ordinal: 0, tier: Tier.EXTERNAL },
      { rowKey: 'ops.md' },
    ]);
    expect(passages[0]?.score).toBeGreaterThan(passages[1]?.score ?? 0);
    expect((await client.search({ question: 'quota backups writes', limit: 1 })).passages).toHaveLength(1);
  });

  test('a service with the scope searches all of the team that it names, and no member another one', async () => {
    pushTwo();
    const search = (caller: Parameters<typeof testClient>[1], teamId: string) =>
      testClient(service, caller).search({ question: 'quota backups writes', teamId });
    const searcher = { kind: 'service', name: 'search', scopes: ['search:read'] } as const;
    expect((await search(searcher, otters)).passages).toHaveLength(2);
    expect((await search(searcher, herons)).passages).toEqual([]);
    const refused = [
      search(searcher, ''),
      search({ ...searcher, scopes: ['feed:read'] }, otters),
      search(member(herons, 'team'), otters),
      search(member(otters, 'external'), otters),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(Array(4).fill('permission_denied'));
  });

  test('finds items by parts of title or path, as they are now, for those who see them', async () => {
    for (let number = 1; number <= 25; number += 1) {
      const rowKey = `pier/${number}.md`;
      content.push(otters, feedItem(0, 'Wood.', { rowKey, title: `Pier ${number}` }));
    }
    content.push(
      otters,
      feedItem(0, 'Open.', { rowKey: 'deep/quay.md', title: 'ÜBER 100%', tier: 'external' }),
    );
    content.push(otters, feedItem(0, 'At the pier.', { rowKey: 'x.md', title: 'A quay beside Pier 7' }));
    const names = async (words: string, who = member(otters, 'team')) => {
      const { items, hasMore } = await testClient(service, who).findItems({ words });
      return [items.map(({ rowKey }) => rowKey).join(' '), hasMore];
    };
    expect(await names('pier 7')).toEqual(['pier/17.md pier/7.md x.md', false]);
    expect(await names('  QUAY')).toEqual(['x.md deep/quay.md', false]);
    expect(await names('/quay.md')).toEqual(['deep/quay.md', false]);
    expect(await names('U\u0308ber 0%')).toEqual(['deep/quay.md', false]);
    const { items, hasMore } = await testClient(service, member(otters, 'team')).findItems({ words: 'pier' });
    expect([items.length, hasMore, items[0]]).toMatchObject([
      20,
      true,
      { rowKey: 'pier/1.md', title: 'Pier 1' },
    ]);
    expect(await names('wood')).toEqual(['', false]);
    expect(await names('%')).toEqual(['deep/quay.md', false]);
    for (const words of ['', 'pier', 'quay', '7', '/', 'md']) {
      const seen = words === '' || /quay|[/]|md/.test(words) ? 'deep/quay.md' : '';
      expect(await names(words, member(otters, 'external'))).toEqual([seen, false]);
      expect(await names(words, member(herons, 'team'))).toEqual(['', false]);
    }
    content.push(otters, feedItem(0, 'Now hidden.', { rowKey: 'deep/quay.md', title: 'Quay', tier: 'team' }));
    content.push(otters, feedItem(0, '', { rowKey: 'x.md' }));
    expect(await names('quay', member(otters, 'external'))).toEqual(['', false]);
    expect(await names('quay')).toEqual(['deep/quay.md', false]);
    const refused = [undefined, { kind: 'service', name: 'search', scopes: ['search:read'] } as const];
    const codes = refused.map((caller) => codeOf(testClient(service, caller).findItems({ words: 'quay' })));
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'permission_denied']);
  });

  test('lists the notes whose day has passed, the oldest day first, to those who see them or wrote them', async () => {
    const push = (rowKey: string, checkBy: string, changed: Partial<FeedItem> = {}) =>
      content.push(
        otters,
        feedItem(0, 'Wood.', { rowKey, title: `Of ${rowKey}`, fields: { ...noFields, checkBy }, ...changed }),
      );
    push('late.md', '2027-01-02', { writerId: 'm' });
    push('open.md', '2027-01-01', { writerId: 'other', tier: 'external' });
    push('far.md', '2027-03-01', { writerId: 'm' });
    content.push(otters, feedItem(0, 'Wood.', { rowKey: 'ever.md', writerId: 'm' }));
    const passed = async (who = member(otters, 'team'), mine = false) => {
      const { notes, hasMore } = await testClient(service, who).listNotesToCheck({ mine });
      expect(hasMore).toBe(false);
      return notes.map(({ rowKey, title, checkBy }) => `${rowKey} ${title} ${checkBy}`);
    };
    const [late, opened] = ['late.md Of late.md 2027-01-02', 'open.md Of open.md 2027-01-01'];
    const guest = member(otters, 'external');
    clock = () => Date.parse('2027-01-02T23:59:59.999Z');
    expect(await passed()).toEqual([opened]);
    clock = () => Date.parse('2027-01-03T00:00:00Z');
    expect(await passed()).toEqual([opened, late]);
    expect(await passed(member(otters, 'team'), true)).toEqual([late]);
    expect(await passed(guest)).toEqual([opened]);
    expect(await passed(guest, true)).toEqual([]);
    expect(await passed(member(herons, 'team'))).toEqual([]);

    push('late.md', '2027-02-01', { writerId: 'm' });
    push('open.md', '2027-01-01', { writerId: 'm' });
    expect(await passed(member(otters, 'team'), true)).toEqual([opened]);
    expect(await passed(guest)).toEqual([]);
    content.push(otters, feedItem(0, '', { rowKey: 'open.md' }));
    expect(await passed()).toEqual([]);

    for (let number = 10; number <= 60; number += 1) push(`many/${number}.md`, '2027-01-01');
    const { notes, hasMore } = await testClient(service, member(otters, 'team')).listNotesToCheck({});
    expect([notes.length, notes.at(-1)?.rowKey, hasMore]).toEqual([50, 'many/59.md', true]);
    const refused = [undefined, { kind: 'service', name: 'search', scopes: ['search:read'] } as const];
    const codes = refused.map((caller) => codeOf(testClient(service, caller).listNotesToCheck({})));
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'permission_denied']);
  });

  test('tells members, and services with the scope, how much of an item is found, as far as they may see it', async () => {
    pushTwo();
    content.push(otters, feedItem(0, ' ', { rowKey: 'blank.md' }));
    const team = testClient(service, member(otters, 'team'));
    const guest = testClient(service, member(otters, 'external'));
    const found = { state: CoverageState.INDEXED, reason: 0, passages: 1, searchablePassages: 1 };
    expect((await team.getItemCoverage({ rowKey: 'ops.md' })).coverage).toMatchObject(found);
    expect((await guest.getItemCoverage({ rowKey: 'quota.md' })).coverage).toMatchObject(found);
    const hidden = [
      guest.getItemCoverage({ rowKey: 'ops.md' }),
      guest.getItemCoverage({ rowKey: 'blank.md' }),
      team.getItemCoverage({ rowKey: 'absent.md' }),
      testClient(service, member(herons, 'team')).getItemCoverage({ rowKey: 'ops.md' }),
    ];
    expect(await Promise.all(hidden.map(codeOf))).toEqual(Array(4).fill('not_found'));
    const rowKeys = ['ops.md', 'blank.md', 'quota.md', 'absent.md'];
    expect((await team.listItemCoverage({ rowKeys })).items).toMatchObject([
      { rowKey: 'ops.md', ...found },
      { rowKey: 'blank.md', state: CoverageState.NOT_INDEXED, reason: CoverageReason.NO_TEXT },
      { rowKey: 'quota.md', ...found },
    ]);
    expect((await guest.listItemCoverage({ rowKeys })).items).toMatchObject([{ rowKey: 'quota.md' }]);
    const searcher = { kind: 'service', name: 'search', scopes: ['search:read'] } as const;
    const ofTeam = testClient(service, searcher).listItemCoverage({ rowKeys, teamId: otters });
    expect((await ofTeam).items).toHaveLength(3);
    const refused = [
      testClient(service, undefined).getItemCoverage({ rowKey: 'ops.md' }),
      testClient(service, { kind: 'administrator', name: 'bootstrap' }).listItemCoverage({ rowKeys }),
      testClient(service, member(herons, 'team')).listItemCoverage({ rowKeys, teamId: otters }),
      team.listItemCoverage({ rowKeys: [] }),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual([
      ...['unauthenticated', 'permission_denied', 'permission_denied', 'invalid_request'],
    ]);
  });

  test('only members of a team may ask, and only proper questions', async () => {
    const callers = [
      undefined,
      { kind: 'administrator', name: 'bootstrap' },
      { kind: 'service', name: 'gateway', scopes: [] },
    ] as const;
    const codes = callers.map((caller) => codeOf(testClient(service, caller).search({ question: 'quota' })));
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'permission_denied', 'permission_denied']);
    expect(await codeOf(ask(''))).toBe('invalid_request');
    expect(await codeOf(ask('x'.repeat(4_001)))).toBe('invalid_request');
  });

  test('what a team used is for administrators and members, and the days asked for are checked', async () => {
    const administrator = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    expect(
      await administrator.getUsage({ teamId: otters, from: '2026-11-01', to: '2026-11-30' }),
    ).toMatchObject({
      from: '2026-11-01',
      to: '2026-11-30',
      rows: [],
      nextPageToken: '',
    });
    const others = [
      undefined,
      member(otters, 'external'),
      { kind: 'service', name: 'x', scopes: [] },
    ] as const;
    const codes = others.map((caller) => codeOf(testClient(service, caller).getUsage({ teamId: otters })));
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'permission_denied', 'permission_denied']);
    expect(await codeOf(testClient(service, member(otters, 'team')).getUsage({}))).toBe('ok');
    expect(await codeOf(administrator.getUsage({ teamId: otters, from: 'x' }))).toBe('invalid_request');
    expect(await codeOf(administrator.getUsage({ teamId: otters, pageToken: 'x' }))).toBe('invalid_cursor');
  });

  test('administrators, and nobody else, read how much of a team can be searched', async () => {
    pushTwo();
    const administrator = testClient(service, { kind: 'administrator', name: 'bootstrap' });
    expect(await administrator.getIndex({ teamId: otters })).toMatchObject({
      team: { passages: 2n, missingPassages: 0n },
      external: { passages: 1n, missingPassages: 0n },
    });
    const others = [undefined, member(otters, 'team'), { kind: 'service', name: 'x', scopes: [] }] as const;
    const codes = others.map((caller) => codeOf(testClient(service, caller).getIndex({ teamId: otters })));
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'permission_denied', 'permission_denied']);
  });

  test('does not start with a cap or a price that is none', async () => {
    const refused = [{ dailyMemberCapUsd: '-1' }, { dailyTeamCapUsd: 'none' }, { modelPrices: '{' }];
    expect(await Promise.all(refused.map((settings) => codeOf(open(settings))))).toEqual(
      Array(3).fill('invalid_request'),
    );
  });

  test('after a restart it goes on from what it stored', async () => {
    pushTwo();
    await service.ready();
    const before = await ask('What is the quota?');
    await service.close();
    service = await open();
    expect(await ask('What is the quota?')).toEqual(before);
    expect(before.sources).toHaveLength(1);
  });

  test('indexes are made and kept up to date before anybody asks, and a close ends that', async () => {
    pushTwo();
    await service.close();
    metrics = createMetrics();
    service = await open({}, 1);
    const measured = async (line: string) => (await metrics.registry.metrics()).includes(`\n${line}\n`);
    await eventually('an index', () => measured('teammemory_search_index_build_seconds_count 1'));
    content.push('other', feedItem(0, 'A zebra.'));
    const isBuilt = () => measured('teammemory_search_index_build_seconds_count 2');
    await eventually('the index of a second team', isBuilt);
    expect(await measured('teammemory_search_index_teams 2')).toBe(true);
    expect((await ask('What is the quota?')).sources).toHaveLength(1);
    expect(await isBuilt()).toBe(true);
    expect(await metrics.registry.metrics()).toMatch(/teammemory_search_index_refresh_age_seconds [0-9.]+/);
  });

  test('with the refresh turned off nothing is done before a question', async () => {
    pushTwo();
    expect(await metrics.registry.metrics()).not.toContain('teammemory_search_index_refresh_age_seconds');
    expect(await metrics.registry.metrics()).toContain('teammemory_search_index_teams 0');
  });
});

function sourcesOf(response: AskResponse | undefined) {
  if (response?.part.case !== 'sources') return undefined;
  return response.part.value.sources.map(({ rowKey, title, tier }) => ({ rowKey, title, tier }));
}
