import { describe, expect, test } from 'vitest';
import type { Tier } from '../passages/passage.ts';
import { documentKey } from '../passages/passage.ts';
import { storedItem } from '../passages/passage-store.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { feedDecision, feedTask, inDecision } from '../rows/row.fixture.ts';
import { decisionChange, projectDocument, taskChange } from '../rows/row.ts';
import { type FeedProject, noPositions } from '../rows/row-feed.ts';
import { createMemoryBudget } from '../storage/memory-budget.ts';
import { createLocalIndexHost } from './local-index-host.ts';
import { createTeamIndex, type TeamIndex } from './team-index.ts';

/** Does work of the index to its end; what it lacks is a fault. */
function done(work: Generator<unknown>): void {
  for (const shortage of work) if (shortage !== undefined) throw shortage;
}

const titles = (index: TeamIndex, tier: Tier) =>
  [...index.view(tier).rows()].map(({ title }) => title).sort();

describe('rows', () => {
  test('are those of the last change, and of their own tier alone for external keys', () => {
    const index = createTeamIndex();
    const put = (id: string, title: string, tier: Tier) =>
      done(index.applyingRow(taskChange(feedTask(id, { title, tier }))));
    put('a', 'open', 'external');
    put('b', 'internal', 'team');
    put('c', 'was open', 'external');
    put('c', 'is internal now', 'team');
    put('a', 'open still', 'external');
    expect(titles(index, 'team')).toEqual(['internal', 'is internal now', 'open still']);
    expect(titles(index, 'external')).toEqual(['open still']);
    done(index.applyingRow({ kind: 'task', id: 'a', isGone: true }));
    done(index.applyingRow({ kind: 'task', id: 'never', isGone: true }));
    expect(titles(index, 'team')).toEqual(['internal', 'is internal now']);
    expect(titles(index, 'external')).toEqual([]);
  });

  test('are cited by what they stand in, with its title as it is when they are read', () => {
    const index = createTeamIndex();
    const key = documentKey('decision', 'd');
    done(
      index.applyingRow(decisionChange(feedDecision('d', { title: 'Paint it', decidedOn: '2026-05-01' }))),
    );
    index.apply({ ...itemPassages(1, 'body', { rowKey: key, title: 'Paint it' }), kind: 'decision' });
    const sources = [{ key: 'log.md', heading: 'May' }, inDecision('d'), { key: 'gone.md', heading: '' }];
    for (const [place, source] of sources.entries())
      done(
        index.applyingRow(taskChange(feedTask(`${place}`, { title: `${place}`, source, due: '2026-12-01' }))),
      );
    index.apply(itemPassages(2, 'text', { rowKey: 'log.md', title: 'Old title' }));
    index.apply(itemPassages(3, 'text', { rowKey: 'log.md', title: 'The log' }));
    const rows = [...index.view('team').rows()].sort((left, right) => left.title.localeCompare(right.title));
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
      const index = createTeamIndex({ memory: createMemoryBudget(2 ** 22) });
      for (let task = 0; task < internal; task += 1)
        done(index.applyingRow(taskChange(feedTask(`t${task}`, { title: 'x'.repeat(300) }))));
      index.apply(itemPassages(1, 'The ferry leaves at nine.', { tier: 'external' }));
      done(index.applyingRow(taskChange(feedTask('open', { tier: 'external' }))));
      const { team, external } = index.coverage();
      return { team, external: JSON.stringify([external, [...index.view('external').rows()]]), index };
    };
    const { team, external, index } = seen(5_000);
    expect(team.missing).toBeGreaterThan(3_000);
    expect(team.passages).toBe(team.missing + 1);
    expect(index.view('team').search('ferry', 5).passages).toHaveLength(1);
    expect(external).toBe(seen(0).external);
  });
});

describe('the list of projects', () => {
  const list = (index: TeamIndex, version: number, ...projects: FeedProject[]) => {
    done(index.applyingProjects({ version, projects }));
    done(index.keepingProjects({ version, slugs: projects.map(({ slug }) => slug) }));
  };
  const found = (index: TeamIndex, question: string) =>
    index
      .view('team')
      .search(question, 9)
      .passages.map(({ passage }) => passage.title);

  test('takes the place of the one before: what is gone is not found, what stays is not touched', () => {
    const index = createTeamIndex({ embeds: true });
    const [quay, mole] = [
      { slug: 'quay', name: 'Lighthouse' },
      { slug: 'mole', name: 'Breakwater' },
    ];
    list(index, 1, quay, mole);
    expect(found(index, 'breakwater')).toEqual(['Breakwater']);
    index.takeFromBacklog();
    index.takeFromBacklog();
    list(index, 2, { ...quay, name: 'Granary' }, mole);
    expect(index.backlogSize()).toBe(1);
    expect([found(index, 'lighthouse'), found(index, 'granary')]).toEqual([[], ['Granary']]);
    list(index, 3, mole);
    expect(found(index, 'granary')).toEqual([]);
    expect(titles(index, 'team')).toEqual(['Breakwater']);
    list(index, 4, quay);
    expect(titles(index, 'team')).toEqual(['Lighthouse']);
    expect(index.view('external').passageCount()).toBe(0);
    expect(titles(index, 'external')).toEqual([]);
  });

  test('is not taken for items below projects/', () => {
    const index = createTeamIndex();
    index.apply(itemPassages(1, 'text', { rowKey: 'projects/quay' }));
    list(index, 1, { slug: 'quay', name: 'Lighthouse' });
    expect(index.view('team').passageCount()).toBe(2);
    list(index, 2);
    expect(index.view('team').passageCount()).toBe(1);
    expect(index.view('team').items.find('projects/quay')).toBeGreaterThanOrEqual(0);
  });
});

test('work for vectors says who wrote its decisions, as far as that is known', async () => {
  const host = createLocalIndexHost({ maxBytes: 2 ** 26, embeds: true });
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
