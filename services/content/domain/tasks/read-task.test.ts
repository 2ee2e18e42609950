import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { describe, expect, test } from 'vitest';
import { taskFeedOf, team } from '../../task-feed.fixture.ts';
import { readTask } from './read-task.ts';

const absent = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';

describeEachEngine('one task', (engine) => {
  const { stores, projection, push, remove, read } = taskFeedOf(engine);

  const taskOf = async (taskId: string, tier: Tier = 'team') => {
    const dependencies = { ...stores(), projection: projection() };
    const json = await readTask(dependencies, { teamId: team, tier }, taskId);
    return JSON.parse(Buffer.from(json).toString());
  };
  const notFound = { code: 'not_found', message: 'There is no such task.' };

  test('is read as the list of each tier has it', async () => {
    await push('- [ ] hidden');
    await push('- [ ] shown', { rowKey: 'open-tasks.md', tier: 'external' });
    const [hidden, shown] = await read('team');
    expect(await taskOf(hidden?.task_id ?? '')).toEqual(hidden);
    expect(await taskOf(shown?.task_id ?? '')).toEqual(shown);
    expect([await taskOf(shown?.task_id ?? '', 'external')]).toEqual(await read('external'));
  });

  test('is made of what was pushed just before', async () => {
    await push('- [ ] one');
    const [{ task_id = '' } = {}] = await read();
    await push('- [x] one');
    expect(await taskOf(task_id)).toMatchObject({ status: 'done' });
  });

  describe('is one answer', () => {
    test.for<[string, () => Promise<string>]>([
      ['of no row', async () => absent],
      ['of no form', async () => 'item/tasks.md\nx'],
      [
        'of a removed task',
        async () => {
          await push('- [ ] gone', { tier: 'external' });
          const [{ task_id = '' } = {}] = await read();
          await remove();
          return task_id;
        },
      ],
    ])('not_found to each tier, with an id %s', async ([, idOf]) => {
      const id = await idOf();
      for (const tier of ['team', 'external'] as const)
        await expect(taskOf(id, tier)).rejects.toMatchObject(notFound);
    });

    test('not_found to an external key, where the task is internal now or always was', async () => {
      await push('- [ ] shown', { tier: 'external' });
      await push('- [ ] secret', { rowKey: 'secret-tasks.md' });
      await push('- [ ] shown');
      for (const { task_id } of await read())
        await expect(taskOf(task_id, 'external')).rejects.toMatchObject(notFound);
    });
  });
});
