import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterAll, expect, test } from 'vitest';
import type { TaskWorker } from './domain/tasks/plan-tasks.ts';
import { createProjection } from './domain/tasks/projection.ts';
import { clock, taskFeedOf, team, worker } from './task-feed.fixture.ts';
import { createTaskWorker } from './task-thread/task-worker.ts';

/** Takes more than the budget below, and much less than the one that there is. */
const heavy = `- [ ] ${'![![]('.repeat(160)}\n`.repeat(260);
const impatient = createTaskWorker({ processorMs: 60 });
afterAll(() => impatient.close());

/** A worker that notes what it is asked to read. */
function watched(by: TaskWorker): { worker: TaskWorker; read: string[] } {
  const read: string[] = [];
  return {
    worker: {
      ...by,
      read(text) {
        read.push(text);
        return by.read(text);
      },
    },
    read,
  };
}

describeEachEngine('a text that takes too long to read', (engine) => {
  const { stores, push, remove, decide, edit, read, live, projection } = taskFeedOf(engine);
  const known = async () =>
    (await stores().skipped.list(team, undefined, 10)).map(
      ({ kind, id, reason }) => `${kind} ${id} ${reason}`,
    );
  /** A projection as another process has it, which starts from what is stored. */
  const another = (by = impatient) => {
    const { worker: noted, read: texts } = watched(by);
    const told: string[] = [];
    const onSkipped = (reason: string) => told.push(reason);
    return { projection: createProjection({ ...stores(), worker: noted, clock, onSkipped }), texts, told };
  };
  /** The same as a process finds it after another died between its rows and its progress. */
  const afterCrash = (by = impatient) => {
    const { worker: noted, read: texts } = watched(by);
    const none = { tasksSeq: 0, itemsSeq: 0, decisionsSeq: 0, taskForm: 0, projectsVersion: 0 };
    const progress = { ...stores().progress, progress: async () => none, keep: async () => undefined };
    return { projection: createProjection({ ...stores(), worker: noted, clock, progress }), texts };
  };

  test('has no tasks, is noted once with its reason, and keeps no others from being made', async () => {
    await push(heavy);
    await push('- [ ] b\n', { rowKey: 'todo.md' });
    const first = another();
    await first.projection.catchUp(team);
    expect(first.told).toEqual(['too_complex']);
    expect(await known()).toEqual(['item tasks.md too_complex']);
    expect((await read('team', first.projection)).map(({ title }) => title)).toEqual(['b']);
  });

  test('is never tried again, not even where everything is processed again after a crash', async () => {
    await push(heavy);
    await another().projection.catchUp(team);
    for (const by of [impatient, worker]) {
      const { projection: again, texts } = afterCrash(by);
      await again.catchUp(team);
      expect(texts).toEqual([]);
    }
    expect(await live()).toEqual([]);
    expect(await known()).toEqual(['item tasks.md too_complex']);
  });

  test('is tried once it changes, and forgotten where it can be read', async () => {
    await push(heavy);
    await another().projection.catchUp(team);
    await push('- [ ] a\n');
    expect(await live()).toMatchObject([{ title: 'a' }]);
    expect(await known()).toEqual([]);
    await push(heavy);
    await another().projection.catchUp(team);
    expect(await live()).toEqual([]);
    await remove();
    await projection().catchUp(team);
    expect(await known()).toEqual([]);
  });

  test('has the tasks that it had, with their ids, once it can be read again', async () => {
    await push('- [ ] a\n');
    const before = await live();
    await push(heavy);
    await another().projection.catchUp(team);
    await push('- [ ] a\n- [ ] b\n');
    expect((await live()).find(({ title }) => title === 'a')?.task_id).toBe(before[0]?.task_id);
  });

  test('may be the body of a decision', async () => {
    const id = await decide({ body: heavy });
    await another().projection.catchUp(team);
    expect(await known()).toEqual([`decision ${id} too_complex`]);
    await edit(id, { body: '- [ ] a\n' });
    await projection().catchUp(team);
    expect(await known()).toEqual([]);
  });

  test('is noted with what is missing where it is read in part', async () => {
    await push(`${'> '.repeat(11)}- [ ] a\n`, { rowKey: 'deep-tasks.md' });
    await push(`${'x'.repeat(262_144)}\n- [ ] a\n`, { rowKey: 'long-tasks.md' });
    await projection().catchUp(team);
    expect(await known()).toEqual(['item deep-tasks.md too_deep', 'item long-tasks.md too_long']);
  });
});
