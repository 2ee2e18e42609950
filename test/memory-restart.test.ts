import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { readMetric } from './support/service/read-metric.ts';
import { startService } from './support/service/running-service.ts';

const ferry = { title: 'Paint the ferry blue', body: 'Because gulls avoid blue hulls.' };

test('after a restart the index is not built again, and has decisions, tasks and projects, and what has changed since', async () => {
  const directory = await temporaryDirectory();
  const run = () => startService({ dataDirectory: directory.path });
  try {
    const first = await run();
    const created = await newTeam(first);
    await created.team.push(item('notes/harbour.md', 'The harbour has two cranes.'));
    const ids = await asAdministrator(first, async (admin) => {
      await admin.createProject({ team: created.slug, slug: 'mole', name: 'Lighthouse renovation' });
      const decisions = admin.decisions(created.slug);
      const gone = await decisions.create({
        title: 'Buy an anchor',
        body: 'A large anchor.',
        audience: 'team',
      });
      const { decision_id } = await decisions.create({ ...ferry, audience: 'team' });
      return { gone: gone.decision_id, kept: decision_id };
    });
    expect((await created.team.ask('anchor')).sources).toHaveLength(1);
    expect(await readMetric(first.metricsUrl, 'teammemory_search_index_build_seconds_count')).toBe(1);
    await first.end();

    const second = await run();
    const team = keyHolder(second, created, created.teamKey);
    await asAdministrator(second, (admin) => admin.decisions(created.slug).remove(ids.gone));
    expect((await team.ask('Why is the ferry painted blue?')).sources).toMatchObject([
      { row_key: `decisions/${ids.kept}` },
    ]);
    expect((await team.ask('anchor')).sources).toEqual([]);
    expect((await team.ask('Lighthouse renovation')).sources).toMatchObject([{ kind: 'project' }]);
    expect((await team.ask('How many cranes does the harbour have?')).sources).toHaveLength(1);
    const built = async (service: typeof first) =>
      /^teammemory_search_index_build_seconds_count (\d+)$/m.exec(await service.metrics())?.[1] ?? '0';
    expect(await built(second)).toBe('0');
    await second.end();
  } finally {
    await directory.remove();
  }
});
