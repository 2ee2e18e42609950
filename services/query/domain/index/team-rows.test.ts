import { describe, expect, test } from 'vitest';
import {
  hostInThisThread,
  type IndexInMemory,
  indexInMemory,
} from '../../search-index/search-index.fixture.ts';
import { type FeedProject, noPositions } from '../passages/feeds.ts';
import { documentKey, type Tier } from '../passages/passage.ts';
import { storedItem } from '../passages/passage-store.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { feedDecision, feedTask, inDecision } from '../rows/row.fixture.ts';
import { decisionChange, projectDocument, taskChange } from '../rows/row.ts';

const rowsOf = (index: IndexInMemory, tier: Tier) =>
  (['task', 'decision', 'project'] as const).flatMap((kind) => [...index.view(tier).rows(kind)]);
const titles = (index: IndexInMemory, tier: Tier) =>
  rowsOf(index, tier)
    .map(({ title }) => title)
    .sort();

describe('rows', () => {
  test('are those of the last change, and of their own tier alone for external keys', () => {
    const index = indexInMemory();
    const put = (id: string, title: string, tier: Tier) =>
      index.applyRow(taskChange(feedTask(id, { title, tier })));
    put('a', 'open', 'external');
    put('b', 'internal', 'team');
    put('c', 'was open', 'external');
    put('c', 'is internal now', 'team');
    put('a', 'open still', 'external');
    expect(titles(index, 'team')).toEqual(['internal', 'is internal now', 'open still']);
    expect(titles(index, 'external')).toEqual(['open still']);
    index.applyRow({ kind: 'task', id: 'a', isGone: true });
    index.applyRow({ kind: 'task', id: 'never', isGone: true });
    expect(titles(index, 'team')).toEqual(['internal', 'is internal now']);
    expect(titles(index, 'external')).toEqual([]);
  });

  test('are cited by what they stand in, with its title as it is when they are read', () => {
    const index = indexInMemory();
    const key = documentKey('decision', 'd');
    index.applyRow(decisionChange(feedDecision('d', { title: 'Paint it', decidedOn: '2026-05-01' })));
    index.apply({ ...itemPassages(1, 'body', { rowKey: key, title: 'Paint it' }), kind: 'decision' });
    const sources = [{ key: 'log.md', heading: 'May' }, inDecision('d'), { key: 'gone.md', heading: '' }];
    for (const [place, source] of sources.entries())
      index.applyRow(taskChange(feedTask(`${place}`, { title: `${place}`, source, due: '2026-12-01' })));
    index.apply(itemPassages(2, 'text', { rowKey: 'log.md', title: 'Old title' }));
    index.apply(itemPassages(3, 'text', { rowKey: 'log.md', title: 'The log' }));
    const rows = rowsOf(index, 'team').sort((left, right) => left.title.localeCompare(right.title));
    expect(rows.map(({ source }) => source)).toEqual([
      { rowKey: 'log.md', title: 'The log', heading: 'May' },
      { rowKey: 'decisions/d', title: 'Paint it', heading: '' },
      { rowKey: 'gone.md', title: 'gone.md', heading: '' },
      { rowKey: 'decisions/d', title: 'Paint it', heading: '' },
    ]);
    expect(rows[0]).toMatchObject({ kind: 'task', id: '0', status: 'open', due: '2026-12-01', tier: 'team' });
    expect(rows[3]).toMatchObject({ kind: 'decision', id: 'd', date: '2026-05-01', status: 'accepted' });
    expect(Object.keys(rows[3] ?? {})).not.toContain('writerId');
  });

  test('that find no room are counted, leave passages theirs, and tell external keys nothing', () => {
    const seen = (internal: number) => {
      const index = indexInMemory({ limits: { team: 2 ** 21, external: 2 ** 20 } });
      for (let task = 0; task < internal; task += 1)
        index.applyRow(taskChange(feedTask(`t${task}`, { title: 'x'.repeat(300) })));
      index.apply(itemPassages(1, 'The ferry leaves at nine.', { tier: 'external' }));
      index.applyRow(taskChange(feedTask('open', { tier: 'external' })));
      const [team, external] = [index.view('team').coverage(), index.view('external').coverage()];
      return { team, external: JSON.stringify([external, rowsOf(index, 'external')]), index };
    };
    const { team, external, index } = seen(5_000);
    expect(team.missing).toBeGreaterThan(3_000);
    expect(team.passages).toBe(team.missing + 1);
    expect(index.view('team').search('ferry', 5).passages).toHaveLength(1);
    expect(external).toBe(seen(0).external);
  });
});

describe('the list of projects', () => {
  const list = (index: IndexInMemory, version: number, ...projects: FeedProject[]) => {
    index.applyProjects({ version, projects });
    index.keepProjects({ version, slugs: projects.map(({ slug }) => slug) });
  };
  const found = (index: IndexInMemory, question: string) =>
    index
      .view('team')
      .search(question, 9)
      .passages.map(({ passage }) => passage.title);

  test('takes the place of the one before: what is gone is not found, what stays is not touched', () => {
    const index = indexInMemory({ embeds: true });
    const [quay, mole] = [
      { slug: 'quay', name: 'Lighthouse' },
      { slug: 'mole', name: 'Breakwater' },
    ];
    list(index, 1, quay, mole);
    expect(found(index, 'breakwater')).toEqual(['Breakwater']);
    expect(index.takeBacklog()).toHaveLength(2);
    list(index, 2, { ...quay, name: 'Granary' }, mole);
    expect(index.takeBacklog()).toHaveLength(1);
    expect([found(index, 'lighthouse'), found(index, 'granary')]).toEqual([[], ['Granary']]);
    list(index, 3, mole);
    expect(found(index, 'granary')).toEqual([]);
    expect(titles(index, 'team')).toEqual(['Breakwater']);
    list(index, 4, quay);
    expect(titles(index, 'team')).toEqual(['Lighthouse']);
    expect(index.view('external').statistics().passages).toBe(0);
    expect(titles(index, 'external')).toEqual([]);
  });

  test('is not taken for items below projects/', () => {
    const index = indexInMemory();
    index.apply(itemPassages(1, 'text', { rowKey: 'projects/quay' }));
    list(index, 1, { slug: 'quay', name: 'Lighthouse' });
    expect(index.view('team').statistics().passages).toBe(2);
    list(index, 2);
    expect(index.view('team').statistics().passages).toBe(1);
    expect(found(index, 'text')).toHaveLength(1);
  });
});

test('work for vectors says who wrote its decisions, as far as that is known', async () => {
  const host = hostInThisThread({ embeds: true });
  await host.open('team', { heads: { ...noPositions, decisions: 2, projects: 1 }, asked: true });
  const decisions = [feedDecision('a', { writerId: 'ada' }), feedDecision('b')];
  const documents = decisions.map(({ id }) => {
    const rowKey = documentKey('decision', id);
    return storedItem({ ...itemPassages(1, 'text', { rowKey }), kind: 'decision' });
  });
  await host.apply('team', { documents, rows: decisions.map(decisionChange) });
  await host.apply('team', { documents: [storedItem(projectDocument({ slug: 'a', name: 'A' }, 1))] });
  const work = await host.takeEmbeddingWork('team', { items: 9, passages: 9 });
  expect(work?.rowKeys).toHaveLength(3);
  expect([...(work?.writers ?? [])]).toEqual([[documentKey('decision', 'a'), 'ada']]);
});
