import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { filesBelow, storedBytes } from '@teammemory/testkit/stored-bytes.ts';
import { afterEach, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, keyHolder } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

const marker = 'vermilionheron';
const timeoutMs = 120_000;

let service: StartedService | undefined;
afterEach(async () => {
  await service?.remove();
  service = undefined;
});

describeEachEngine('after an erasure', ({ storage }) => {
  test.for(['and a kill', 'while the service runs on'])(
    '%s, no file and no document of any service has the text, once search has caught up, and a decision goes likewise',
    { timeout: timeoutMs },
    async (then) => {
      const options = serviceOptionsFor(storage(), { INDEX_REFRESH_SECONDS: '1' });
      service = await startService(options);
      const { slug, teamKey } = await service.createTeam();
      const team = keyHolder(service, { slug }, teamKey);
      await team.push(item('tasks.md', `# Day of the ${marker}\n\n- [ ] feed the ${marker}\n`));
      await team.push(item('tasks.md', `# Night\n\nThe ${marker} sleeps.\n`));
      await asAdministrator(service, async (admin) => {
        const decisions = admin.decisions(slug);
        const text = { title: 'Birds', body: `- [ ] name the ${marker}`, audience: 'team' } as const;
        const { decision_id: id } = await decisions.create(text);
        await decisions.edit(id, { title: `Of ${marker}` });
        expect((await team.ask(`Where does the ${marker} sleep?`)).sources).not.toEqual([]);
        await decisions.remove(id);
      });
      // Repeated after a 503: it erases what is left.
      await eventually('the erasure', async () => (await erase(team, 'tasks.md')).status === 204);
      if (then === 'and a kill') {
        await service.end('SIGKILL');
        service = await startService(options);
      }
      const everything = async () =>
        Buffer.concat([await storedBytes(storage()), await filesBelow(service?.dataDirectory ?? '')]);
      await eventually('the text is gone', async () => !(await everything()).includes(marker), {
        withinMs: 30_000,
      });
    },
  );
});

function erase(by: KeyHolder, rowKey: string) {
  return by.call(`/items/${encodeURIComponent(rowKey)}?erase=true`, { method: 'DELETE' });
}
