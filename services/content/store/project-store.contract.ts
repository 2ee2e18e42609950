import type { Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProgressStore, TeamChanges } from '../domain/feed/progress.ts';
import type { ProjectStore } from '../domain/projects/projects.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

/** Declares the promises of `ProjectStore` and `ProgressStore` for one engine. */
export function projectStoreContract(engine: Engine): void {
  let stores: ContentStores;
  let projects: ProjectStore;
  let progress: ProgressStore;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    ({ projects, progress } = stores);
  });
  afterEach(() => stores.close());

  /** Waits until `all` lists this progress: `keep` does not wait for that. */
  const listed = (expected: readonly TeamChanges[], after = '') =>
    eventually('the progress to be listed', async () => {
      expect(await progress.all(after, 3)).toEqual(expected);
      return true;
    });
  const name = (rowKey: string, seq: number, slugs: string[], team = 'team') =>
    projects.setNamed(team, [{ rowKey, seq, slugs }]);

  describe('projects', () => {
    test('are created once per team', async () => {
      expect(await projects.create('team', { slug: 'a', name: 'A' }, 9)).toBe('created');
      expect(await projects.create('team', { slug: 'a', name: 'again' }, 9)).toBe('known');
      expect(await projects.create('other', { slug: 'a', name: 'Other' }, 9)).toBe('created');
      expect(await projects.created('team', '', 10)).toEqual([{ slug: 'a', name: 'A' }]);
    });

    test('are created up to as many as a team may have, and again once one is removed', async () => {
      const create = (slug: string, team = 'team') => projects.create(team, { slug, name: slug }, 2);
      expect(await Promise.all(['a', 'b'].map((slug) => create(slug)))).toEqual(['created', 'created']);
      expect([await create('c'), await create('a'), await create('c', 'other')]).toEqual([
        'full',
        'known',
        'created',
      ]);
      expect(await projects.remove('team', 'a')).toBe(true);
      expect(await projects.remove('team', 'a')).toBe(false);
      expect(await create('c')).toBe('created');
      expect((await projects.created('team', '', 9)).map(({ slug }) => slug)).toEqual(['b', 'c']);
      expect((await projects.created('other', '', 9)).map(({ slug }) => slug)).toEqual(['c']);
    });

    test('get another name, in their own team, and none that was not created', async () => {
      await projects.create('team', { slug: 'a', name: 'A' }, 9);
      await projects.create('other', { slug: 'a', name: 'Other' }, 9);
      expect(await projects.rename('team', { slug: 'a', name: 'B' })).toBe(true);
      expect(await projects.rename('team', { slug: 'a', name: 'B' })).toBe(true);
      expect(await projects.rename('team', { slug: 'b', name: 'B' })).toBe(false);
      expect(await projects.created('team', '', 9)).toEqual([{ slug: 'a', name: 'B' }]);
      expect(await projects.created('other', '', 9)).toEqual([{ slug: 'a', name: 'Other' }]);
    });

    test('have a count of the items that name them now, and the one that changed last', async () => {
      for (const [key, seq] of [['a.md', 3] as const, ['b.md', 1] as const, ['c.md', 2] as const])
        await name(key, seq, ['web', 'api']);
      await name('d.md', 9, ['web'], 'other');
      expect(await projects.uses('team', ['api', 'web', 'none'])).toEqual(
        new Map(['api', 'web'].map((slug) => [slug, { items: 3, newestRowKey: 'a.md' }])),
      );
      await name('a.md', 4, ['api']);
      await name('b.md', 5, ['web']);
      await name('c.md', 6, []);
      expect(await projects.uses('team', ['web', 'api'])).toEqual(
        new Map([
          ['web', { items: 1, newestRowKey: 'b.md' }],
          ['api', { items: 1, newestRowKey: 'a.md' }],
        ]),
      );
      expect(await projects.uses('team', [])).toEqual(new Map());
    });

    test('have the items that name them now, by key, after one, no more than asked, of one team', async () => {
      for (const key of ['c.md', 'a.md', 'ä.md', 'b.md']) await name(key, 1, ['web', 'api']);
      await name('b.md', 2, ['api']);
      await name('none.md', 1, []);
      await name('other.md', 1, ['web'], 'other');
      expect(await projects.naming('team', 'web', '', 9)).toEqual(['a.md', 'c.md', 'ä.md']);
      expect(await projects.naming('team', 'api', 'a.md', 2)).toEqual(['b.md', 'c.md']);
      expect(await projects.naming('team', 'nothing', '', 9)).toEqual([]);
      expect(await projects.naming('team', '', '', 9)).toEqual([]);
    });

    test('that are removed are still named by their items', async () => {
      await projects.create('team', { slug: 'a', name: 'A' }, 9);
      await name('1', 1, ['a']);
      expect(await projects.remove('team', 'a')).toBe(true);
      expect(await projects.named('team', '', 9)).toEqual(['a']);
    });

    test('are listed by slug, after one, and no more than asked', async () => {
      for (const slug of ['c', 'a', 'd', 'b']) await projects.create('team', { slug, name: slug }, 9);
      expect((await projects.created('team', 'a', 2)).map(({ slug }) => slug)).toEqual(['b', 'c']);
    });

    test('that items name are listed once each, by slug, after one, and no more than asked', async () => {
      await name('1', 1, ['d', 'a']);
      await name('2', 2, ['c', 'b']);
      await name('3', 3, ['b']);
      await name('4', 4, ['a2'], 'other');
      expect(await projects.named('team', '', 10)).toEqual(['a', 'b', 'c', 'd']);
      expect(await projects.named('team', 'a', 2)).toEqual(['b', 'c']);
      expect(await Promise.all(['a', 'a2', ''].map((slug) => projects.isNamed('team', slug)))).toEqual([
        true,
        false,
        false,
      ]);
    });

    test('that an item does not name any more are gone', async () => {
      await name('1', 1, ['a', 'b']);
      await name('1', 2, ['b']);
      expect(await projects.named('team', '', 10)).toEqual(['b']);
      await name('1', 3, []);
      expect(await projects.named('team', '', 10)).toEqual([]);
    });

    test('that nobody named before or names now leave the list as it was', async () => {
      await name('1', 1, ['a']);
      await name('2', 1, []);
      expect([await name('1', 2, []), await name('3', 1, ['b'])]).toEqual([true, true]);
      if (engine.name === 'sqlite') expect(await name('2', 2, [])).toBe(false);
      expect(await projects.named('team', '', 10)).toEqual(['b']);
    });

    test('of an older position do not replace those of a newer one', async () => {
      await name('1', 5, []);
      await name('1', 4, ['late']);
      await name('2', 6, ['a']);
      await name('2', 6, ['same']);
      expect(await projects.named('team', '', 10)).toEqual(['a']);
    });

    test('are written for every item but the one that is too old', async () => {
      await name('2', 9, ['newer']);
      const items = ['1', '2', '3'].map((rowKey) => ({ rowKey, seq: 5, slugs: [`of-${rowKey}`] }));
      await projects.setNamed('team', items);
      expect(await projects.named('team', '', 10)).toEqual(['newer', 'of-1', 'of-3']);
    });
  });

  describe('progress', () => {
    test('is zeros for a team that has none', async () => {
      await progress.keep('other', { tasksSeq: 1, itemsSeq: 2, decisionsSeq: 3, taskForm: 1 });
      expect(await progress.progress('team')).toEqual({
        tasksSeq: 0,
        itemsSeq: 0,
        decisionsSeq: 0,
        taskForm: 0,
        projectsVersion: 0,
      });
    });

    test('is replaced by that of the same or a later position of the tasks, never of an earlier one', async () => {
      const at = (tasksSeq: number, itemsSeq: number) => ({
        tasksSeq,
        itemsSeq,
        decisionsSeq: 7,
        taskForm: 1,
      });
      await progress.keep('team', at(2, 9));
      await progress.keep('team', at(2, 8));
      expect(await progress.progress('team')).toMatchObject(at(2, 8));
      await progress.keep('team', at(1, 20));
      expect(await progress.progress('team')).toMatchObject(at(2, 8));
      await progress.keep('team', at(3, 1));
      expect(await progress.progress('team')).toMatchObject(at(3, 1));
    });

    test('has a version of the list of projects, which rises by itself and stays when progress is kept', async () => {
      await Promise.all(Array.from({ length: 5 }, () => progress.raiseProjectsVersion('team')));
      const kept = { tasksSeq: 1, itemsSeq: 2, decisionsSeq: 3, taskForm: 1 };
      await progress.keep('team', kept);
      await progress.raiseProjectsVersion('other');
      expect(await progress.progress('team')).toEqual({ ...kept, projectsVersion: 5 });
      await progress.raiseProjectsVersion('team');
      expect(await progress.progress('team')).toEqual({ ...kept, projectsVersion: 6 });
      await listed([
        { teamId: 'other', changes: 1 },
        { teamId: 'team', changes: 12 },
      ]);
    });

    test('that is kept as it was read hides no version of the list of projects that was raised meanwhile', async () => {
      const known = await progress.progress('team');
      await progress.raiseProjectsVersion('team');
      await progress.keep('team', { ...known, tasksSeq: 1 });
      expect(await progress.progress('team')).toMatchObject({ tasksSeq: 1, projectsVersion: 1 });
    });

    test('of all teams is listed by team, after one, and no more than asked', async () => {
      for (const [seq, team] of ['c', 'a', 'd', 'b'].entries())
        await progress.keep(team, { tasksSeq: 9, itemsSeq: seq, decisionsSeq: 8, taskForm: 1 });
      await listed([
        { teamId: 'a', changes: 18 },
        { teamId: 'b', changes: 20 },
        { teamId: 'c', changes: 17 },
      ]);
      await listed([{ teamId: 'd', changes: 19 }], 'c');
      expect(await progress.all('d', 3)).toEqual([]);
    });
  });
}
