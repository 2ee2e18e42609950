import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describe, expect, test } from 'vitest';
import { itemDraft } from './domain/items/item.fixture.ts';
import { createProjection } from './domain/tasks/projection.ts';
import { clock, taskFeedOf, team, uuidV7, worker } from './task-feed.fixture.ts';

/** SecantusDB writes a hundred rows a second, and fewer while other tests do the same. */
const longTimeoutMs = 90_000;

describeEachEngine('tasks', (engine) => {
  const { stores, projection, push, pushAll, remove, decide, edit, read, live, forgetful } =
    taskFeedOf(engine);
  const idsByTitle = async () => new Map((await live()).map(({ title, task_id }) => [title, task_id]));

  describe('tasks', () => {
    test('have all that the contract names', async () => {
      await push('# Now\n\n- [x] Ship @ada due:2026-12-01 #a +web\n', { rowKey: 'projects/api/todo.md' });
      expect(await read()).toEqual([
        {
          task_id: expect.stringMatching(uuidV7),
          title: 'Ship',
          status: 'done',
          owner: 'ada',
          due: '2026-12-01',
          project: 'web',
          tags: ['a'],
          tier: 'team',
          source: { row_key: 'projects/api/todo.md', line: 3, heading: 'Now' },
          updated_at: '1970-01-01T00:00:01.000Z',
        },
      ]);
    });

    test('belong to the project of their item where they name none', async () => {
      await push('- [ ] a', { frontmatterJson: '{"project":"web"}', rowKey: 'projects/api/todo.md' });
      expect(await read()).toMatchObject([{ project: 'web' }]);
    });

    test('of items that are no logs do not exist, and go when a log stops being one', async () => {
      await push('- [ ] a', { rowKey: 'notes.md' });
      expect(await read()).toEqual([]);
      await push('- [ ] a', { rowKey: 'notes.md', frontmatterJson: '{"type":"task-log"}' });
      expect(await read()).toMatchObject([{ title: 'a' }]);
      await push('- [ ] a', { rowKey: 'notes.md' });
      expect(await read()).toMatchObject([{ deleted: true }]);
    });

    test('keep their ids while lines move, boxes tick and titles are edited', async () => {
      await push('- [ ] Buy milk\n- [ ] Write the report\n- [ ] Call Ann\n');
      const before = await idsByTitle();
      await push('# Later\n\n- [x] Call Ann\n- [ ] Write the report today\n- [-] Buy milk\n');
      const after = await idsByTitle();
      expect(after.get('Call Ann')).toBe(before.get('Call Ann'));
      expect(after.get('Buy milk')).toBe(before.get('Buy milk'));
      expect(after.get('Write the report today')).toBe(before.get('Write the report'));
    });

    test('that did not change keep their row', async () => {
      await push('- [ ] a\n- [ ] b\n');
      const before = await read();
      await push('- [ ] a\n- [x] b\n');
      expect((await read())[0]).toEqual(before[0]);
    });

    test('that are gone come once as removed rows with nothing but their id', async () => {
      await push('- [ ] a\n- [ ] b\n');
      const ids = await idsByTitle();
      await push('- [ ] b\n');
      const updated_at = expect.any(String);
      expect((await read()).filter(({ deleted }) => deleted)).toEqual([
        { task_id: ids.get('a'), updated_at, deleted: true },
      ]);
      await remove();
      expect((await read()).map(({ deleted }) => deleted)).toEqual([true, true]);
    });

    test('of an item that is made internal leave the sight of external keys once', async () => {
      await push('- [ ] a\n', { tier: 'external' });
      const [shown] = await read('external');
      await push('- [ ] a secret\n', { tier: 'team' });
      const hidden = await read('external');
      expect(hidden).toEqual([{ task_id: shown?.task_id, updated_at: expect.any(String), deleted: true }]);
      await push('- [x] a secret\n', { tier: 'team' });
      expect(await read('external')).toEqual(hidden);
    });

    test('come from bodies of decisions, for those who may see the decision', async () => {
      const decisionId = await decide({ project: 'web' });
      const source = { row_key: `decisions/${decisionId}`, line: 1, heading: null, decision_id: decisionId };
      expect(await read()).toMatchObject([{ title: 'tell everyone', project: 'web', source }]);
      expect(await read('external')).toEqual([]);
      await edit(decisionId, { audience: 'external' });
      expect(await read('external')).toMatchObject([{ title: 'tell everyone', tier: 'external' }]);
      await edit(decisionId, { hidden: true });
      expect(await read('external')).toMatchObject([{ deleted: true }]);
    });

    test('of decisions from before their source had a row_key get it once, and stay the same tasks', async () => {
      const decisionId = await decide();
      const [made] = await read();
      const { tasks, progress } = stores();
      const [row] = await tasks.startingWith(team, 'decision/', 1);
      if (row === undefined) throw new Error('there is no task');
      const { source, ...task } = JSON.parse(Buffer.from(row.json).toString());
      const json = Buffer.from(JSON.stringify({ ...task, source: { ...source, row_key: null } }));
      const earlier = {
        ...row,
        json,
        checksum: 'earlier',
        revision: row.revision + 1,
        seq: row.seq + 1,
        updatedAtMs: row.updatedAtMs + 1,
      };
      expect(await tasks.append(team, [{ row: earlier, previous: row }], 0)).toBe(1);
      await progress.keep(team, { tasksSeq: earlier.seq, itemsSeq: 0, decisionsSeq: 1, taskForm: 0 });
      expect(await read()).toMatchObject([
        { task_id: made?.task_id, source: { row_key: `decisions/${decisionId}`, decision_id: decisionId } },
      ]);
      await projection().catchUp(team);
      expect(await tasks.head(team)).toMatchObject({ seq: earlier.seq + 1 });
    });

    test('of many items and long logs are all there', { timeout: longTimeoutMs }, async () => {
      const lines = Array.from({ length: 450 }, (_, index) => `- [ ] task ${index}\n`).join('');
      const drafts = Array.from({ length: 45 }, (_, index) =>
        itemDraft({ rowKey: `${index}/todo.md`, content: `- [ ] of ${index}` }),
      );
      await pushAll(drafts);
      await push(lines);
      await projection().catchUp(team);
      expect((await stores().tasks.head(team)).seq).toBe(495);
    });
  });

  describe('what follows the feeds', () => {
    test('changes nothing when everything is processed again', async () => {
      await push('- [ ] a\n- [ ] a\n- [ ] b\n');
      await decide();
      const before = await read();
      expect(await read('team', forgetful())).toEqual(before);
    });

    test('goes on where another process stopped between its rows and its progress', async () => {
      await push('- [ ] a\n');
      const dying = createProjection({
        ...stores(),
        worker,
        clock,
        progress: { ...stores().progress, keep: () => Promise.reject(new Error('dies here')) },
      });
      await expect(dying.catchUp(team)).rejects.toThrow('dies here');
      await push('- [ ] b\n');
      expect(await live()).toMatchObject([{ title: 'b' }]);
    });

    test('does not write what it planned on an old version after another process processed a newer one', async () => {
      await push('- [ ] old\n');
      const reached = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const stalling = createProjection({
        ...stores(),
        worker,
        clock,
        tasks: {
          ...stores().tasks,
          async append(...change) {
            reached.resolve();
            await held.promise;
            return stores().tasks.append(...change);
          },
        },
      });
      const stalled = stalling.catchUp(team);
      await reached.promise;
      await push('- [ ] new\n');
      const [row] = await live();
      held.resolve();
      await stalled;
      expect(await read()).toEqual([row]);
      expect(row?.title).toBe('new');
    });

    test('in several processes at once makes each task once', async () => {
      const processes = Array.from({ length: 3 }, () => createProjection({ ...stores(), worker, clock }));
      for (let round = 0; round < 5; round += 1) {
        await push(`- [ ] first\n- [ ] round ${round}\n`);
        await Promise.all(processes.map(({ catchUp }) => catchUp(team)));
      }
      expect((await live()).map(({ title }) => title).sort()).toEqual(['first', 'round 4']);
    });

    test('a text that is written over and over makes no more rows than there may be, and leaves room for the team', async () => {
      const told: string[] = [];
      const onSkipped = (reason: string) => told.push(reason);
      const maxTaskRows = { team: 8, external: 5 };
      const bounded = createProjection({ ...stores(), worker, clock, maxTaskRows, onSkipped });
      for (let round = 0; round < 4; round += 1) {
        const titles = ['a', 'b'].map((name) => `- [ ] ${name}${round} ${String(round).repeat(20)}\n`);
        await push(titles.join(''), { rowKey: 'guest/tasks.md', tier: 'external' });
        await bounded.catchUp(team);
      }
      expect((await stores().tasks.usage(team, ['', 'external'])).get('external')).toMatchObject({ rows: 5 });
      expect(told).toEqual(['too_many', 'too_many']);
      expect(await stores().skipped.list(team, undefined, 10)).toMatchObject([
        { id: 'guest/tasks.md', reason: 'too_many' },
      ]);
      await push('- [ ] of the team\n- [x] another\n- [ ] third\n- [ ] fourth\n');
      const rows = await read('team', bounded);
      expect(rows).toHaveLength(8);
      expect(rows.filter(({ deleted }) => !deleted)).toHaveLength(3);
      await push('- [x] of the team\n');
      expect((await read('team', bounded)).filter(({ deleted }) => !deleted)).toMatchObject([
        { title: 'of the team' },
      ]);
    });

    test('works in what was written without being asked for it', async () => {
      await push('- [ ] a\n');
      projection().nudge(team);
      projection().nudge(team);
      await eventually('the task', async () => (await stores().tasks.head(team)).seq === 1);
    });

    test('sees what was written before it was asked, whatever is under way', async () => {
      const first = projection().catchUp(team);
      await push('- [ ] a\n');
      expect(await live()).toHaveLength(1);
      await first;
    });
  });
});
