import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam } from '../support/http/key-holder.ts';

const items = 40;
const times = 2;
const content = `- [ ] a task\n\n${'words of a note '.repeat(1_200)}`;
/** Items and their versions, and what search makes of them. */
const boundMegabytes = 96;
const attacked = attackedService({ ITEM_WRITES_PER_MINUTE: '1000000' });

test('a weak key that erases all its items at once, again and again, keeps nobody waiting', {
  timeout: 120_000,
}, async () => {
  const { service } = attacked();
  const clients = await newTeam(service);
  const mallory = keyHolder(
    service,
    clients,
    await clients.newKey('team', { member: 'mallory', access: 'own' }),
  );
  const names = Array.from({ length: items }, (_, index) => `${index}/tasks.md`);
  const erase = async (name: string) => {
    const path = `/items/${encodeURIComponent(name)}?erase=true`;
    return (await mallory.call(path, { method: 'DELETE' })).status;
  };
  await besideBystanders({ name: 'many erasures', ...attacked(), boundMegabytes }, async () => {
    for (let time = 0; time < times; time += 1) {
      const { body } = await mallory.push(...names.map((name) => item(name, `${content}${time}`)));
      expect(body.accepted).toBe(items);
      const statuses = await Promise.all([...names, ...names].map(erase));
      // On a machine that is too busy an erasure goes on after its answer.
      expect(statuses.filter((status) => status !== 204 && status !== 503)).toEqual([]);
    }
  });
  await eventually('erased', async () => (await erase('0/tasks.md')) === 204, { withinMs: 30_000 });
  const { versions } = (await clients.team.call('/items/0%2Ftasks.md/versions')).body;
  expect(versions).toMatchObject([{ erased: true, updated_by: 'mallory' }]);
});
