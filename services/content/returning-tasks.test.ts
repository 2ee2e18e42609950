import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { taskFeedOf, uuidV7 } from './task-feed.fixture.ts';

describeEachEngine('tasks that come back with the title they had', (engine) => {
  const { push, remove, decide, edit, read, live, forgetful } = taskFeedOf(engine);
  const named = async () => (await live()).map(({ title, task_id }) => `${title} ${task_id}`);

  test('have their ids again, in their order, where a decision is shown again', async () => {
    const body = '- [x] call @ada\n- [ ] call @bob\n- [ ] write\n';
    const decisionId = await decide({ body });
    const before = await named();
    await edit(decisionId, { hidden: true });
    expect(await live()).toEqual([]);
    await edit(decisionId, { hidden: false });
    expect(await named()).toEqual(before);
  });

  test('have their ids again where an item is pushed again or a line is added again', async () => {
    await push('- [ ] call\n- [ ] write\n- [x] call\n');
    const before = (await named()).sort();
    await remove();
    expect(await live()).toEqual([]);
    await push('# Again\n\n- [ ] Call!\n- [ ] write\n');
    await read();
    await push('- [ ] new\n\n- [ ] write\n- [ ] call\n- [ ] call\n');
    const known = (await named()).filter((task) => !task.startsWith('new '));
    expect(known.sort()).toEqual(before);
  });

  test('are taken newest first, one for each entry', async () => {
    const call = '- [ ] call\n';
    const idsWith = async (content: string) => {
      await push(content);
      return (await live()).map(({ task_id }) => task_id);
    };
    const [first, second] = await idsWith(call + call);
    expect(await idsWith(call)).toEqual([first]);
    expect(await idsWith('')).toEqual([]);
    expect(await idsWith(call)).toEqual([first]);
    expect(await idsWith(call + call + call)).toEqual([first, second, expect.stringMatching(uuidV7)]);
  });

  test('keep their ids when everything is processed again', async () => {
    await push('- [ ] a\n- [ ] b\n');
    await read();
    await push('- [ ] b\n');
    await read();
    await push('- [ ] b\n- [ ] a\n');
    const before = await read();
    expect(before).toHaveLength(2);
    expect(await read('team', forgetful())).toEqual(before);
  });

  test('are new tasks for external keys that never saw the old ones', async () => {
    await push('- [ ] secret\n');
    const [hidden] = await live();
    await remove();
    await read();
    await push('- [ ] secret\n', { tier: 'external' });
    const [guessed] = await read('external');
    expect(guessed).toMatchObject({ title: 'secret' });
    expect(guessed?.task_id).not.toBe(hidden?.task_id);
  });
});
