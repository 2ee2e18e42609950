import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { keyHolder, newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { startService } from './support/service/running-service.ts';

const ferry = { title: 'Paint the ferry blue', body: 'Because gulls avoid blue hulls.' };

test('after a restart an index that is read from its file has decisions, tasks and projects, and what has changed since', async () => {
  const directory = await temporaryDirectory();
  const run = () => startService({ dataDirectory: directory.path });
  try {
    const first = await run();
    const created = await newTeam(first);
    // An index of less than a megabyte is not worth a file.
    const filler = Array.from({ length: 40 }, (_, place) => {
      const words = Array.from({ length: 2_500 }, (_each, word) => `w${(place * 2_500 + word).toString(36)}`);
      return item(`filler/${place}.md`, words.join(' '));
    });
    await created.team.push(...filler);
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
    await first.end();

    const second = await run();
    const team = keyHolder(second, created, created.teamKey);
    await asAdministrator(second, (admin) => admin.decisions(created.slug).remove(ids.gone));
    expect((await team.ask('Why is the ferry painted blue?')).sources).toMatchObject([
      { row_key: `decisions/${ids.kept}` },
    ]);
    expect((await team.ask('anchor')).sources).toEqual([]);
    expect((await team.ask('Lighthouse renovation')).sources).toMatchObject([{ kind: 'project' }]);
    expect(await second.metrics()).toMatch(/teammemory_search_index_loads_total\S* 1\b/);
    await second.end();
  } finally {
    await directory.remove();
  }
});
