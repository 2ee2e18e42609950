import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { exchange } from './support/rpc/caller-tokens.ts';
import { rpcCall } from './support/rpc/rpc-call.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import type { RunningService } from './support/service/running-service.ts';
import { describeEachService } from './support/service/shared-service.ts';

const ferry = { title: 'Paint the ferry blue', body: 'Because gulls avoid blue hulls.' };
const question = 'Why is the ferry painted blue?';

/** Ranks passages as the holder of a key. */
async function search(service: RunningService, key: string, asked: string) {
  const authorization = await exchange(service, key, 'query');
  const method = 'teammemory.query.v1.QueryService/Search';
  const message = { question: asked, limit: 100 };
  const answer = await rpcCall({ ...service, protocol: 'connect', method, message, authorization });
  expect(answer.code).toBe('ok');
  return answer.message;
}

describeEachService('the whole memory answers', (service) => {
  const decisionsOf = <Result>(
    slug: string,
    work: (
      decisions: ReturnType<Parameters<Parameters<typeof asAdministrator>[1]>[0]['decisions']>,
    ) => Promise<Result>,
  ) => asAdministrator(service(), (admin) => work(admin.decisions(slug)));

  describe('a decision', () => {
    test('is cited by the next question with its kind, day and status', async () => {
      const { slug, team } = await newTeam(service());
      const said = { status: 'accepted', decidedOn: '2026-05-01', audience: 'team' } as const;
      const { decision_id } = await decisionsOf(slug, (all) => all.create({ ...ferry, ...said }));
      const { text, sources } = await team.ask(question);
      expect(text).toContain('gulls avoid blue hulls. [1]');
      expect(sources).toEqual([
        {
          row_key: `decisions/${decision_id}`,
          title: ferry.title,
          tier: 'team',
          kind: 'decision',
          date: '2026-05-01',
          status: 'accepted',
          quote: ferry.body,
        },
      ]);
    });

    test('without a body is found by its title, and without a day has that of its last change', async () => {
      const { slug, team } = await newTeam(service());
      const bare = { title: 'The night watch uses lanterns', body: '', audience: 'team' } as const;
      const { updated_at } = await decisionsOf(slug, (all) => all.create(bare));
      const { text, sources } = await team.ask('What does the night watch use?');
      expect(text).toContain('The night watch uses lanterns');
      expect(sources).toMatchObject([
        { kind: 'decision', date: updated_at?.slice(0, 10), status: 'proposed' },
      ]);
    });

    test('that is edited, hidden, shown or removed is so in the next answer', async () => {
      const { slug, team } = await newTeam(service());
      await decisionsOf(slug, async (decisions) => {
        const { decision_id: id } = await decisions.create({ ...ferry, audience: 'team' });
        await team.ask(question);
        await decisions.edit(id, { body: 'Because it was cheap.', status: 'superseded' });
        const edited = await team.ask(question);
        expect(edited.text).toContain('cheap');
        expect(edited.text).not.toContain('gulls');
        expect(edited.sources).toMatchObject([{ status: 'superseded' }]);
        await decisions.edit(id, { hidden: true });
        expect((await team.ask(question)).sources).toEqual([]);
        await decisions.edit(id, { hidden: false });
        expect((await team.ask(question)).sources).toHaveLength(1);
        await decisions.remove(id);
        expect((await team.ask(question)).sources).toEqual([]);
      });
    });

    test('stands beside an item of its row_key with an ending, while no item can have its row_key', async () => {
      const { slug, team } = await newTeam(service());
      const { decision_id } = await decisionsOf(slug, (all) => all.create({ ...ferry, audience: 'team' }));
      const row_key = `decisions/${decision_id}`;
      const content = 'The ferry is painted blue: it was the only paint.';
      expect((await team.push(item(row_key, content))).status).toBe(422);
      await team.push(item(`${row_key}.md`, content));
      const known = async () => {
        const { passages } = await search(service(), team.key, question);
        return passages.map(({ kind, rowKey }: { kind: string; rowKey: string }) => [kind, rowKey]).sort();
      };
      expect(await known()).toEqual([
        ['decision', row_key],
        ['item', `${row_key}.md`],
      ]);
      await team.remove(`${row_key}.md`);
      expect(await known()).toEqual([['decision', row_key]]);
      expect((await team.ask(question)).sources).toMatchObject([{ row_key, kind: 'decision' }]);
    });
  });

  test('a task that is ticked is so in the next answer', async () => {
    const { team } = await newTeam(service());
    await team.push(item('tasks.md', '- [ ] Mow the meadow @ada\n'));
    expect((await team.ask('Who mows the meadow?')).text).toContain('[ ]');
    await team.push(item('tasks.md', '- [x] Mow the meadow @ada\n'));
    expect((await team.ask('Who mows the meadow?')).text).toContain('[x]');
  });

  test('a project is found by its name and by its slug, until it is removed', async () => {
    const { slug, team } = await newTeam(service());
    const projects = { team: slug, slug: 'quay-nine' };
    await asAdministrator(service(), async (admin) => {
      await team.ask('anything?');
      await admin.createProject({ ...projects, name: 'Lighthouse renovation' });
      const known = {
        row_key: 'projects/quay-nine',
        title: 'Lighthouse renovation',
        tier: 'team',
        kind: 'project',
        quote: 'Project Lighthouse renovation (quay-nine)',
      };
      for (const asked of ['Lighthouse renovation', 'quay-nine'])
        expect((await team.ask(asked)).sources).toEqual([known]);
      await admin.projects(slug).remove('quay-nine');
      expect((await team.ask('Lighthouse renovation')).sources).toEqual([]);
    });
    await team.push(item('projects/salt-pans/a.md', 'Nothing yet.'));
    expect((await search(service(), team.key, 'salt pans')).passages).toMatchObject([
      { rowKey: 'projects/salt-pans', kind: 'project' },
      { rowKey: 'projects/salt-pans/a.md', kind: 'item' },
    ]);
  });

  test('an external key meets decisions for external readers alone, and no project, in answers, ranks and numbers', async () => {
    const [plain, hiding] = [await newTeam(service()), await newTeam(service())];
    const open = { ...ferry, audience: 'external', decidedOn: '2026-05-01' } as const;
    const write = async ({ slug, team }: TeamClients, secrets: boolean) => {
      await decisionsOf(slug, async (decisions) => {
        await decisions.create(open);
        if (!secrets) return;
        const secret = { title: 'The ferry is secretly sold', body: '- [ ] sell the blue ferry\n' };
        const { decision_id } = await decisions.create({ ...secret, audience: 'external' });
        await decisions.edit(decision_id, { audience: 'team' });
        await decisions.create({ ...secret, audience: 'team' });
        await team.push(item('tasks.md', '- [ ] sink the blue ferry +ferry\n'));
        await asAdministrator(service(), (admin) =>
          admin.createProject({ team: slug, slug: 'ferry', name: 'Selling the blue ferry' }),
        );
      });
    };
    await write(plain, false);
    await write(hiding, true);
    const internal = JSON.stringify(await search(service(), hiding.team.key, 'secretly selling sink'));
    for (const kind of ['item', 'decision', 'project']) expect(internal).toContain(`"kind":"${kind}"`);
    const seen = async ({ external }: TeamClients) => {
      const answers = [question, 'What is secretly sold?', 'ferry', 'Which tasks and projects are there?'];
      const asked = await Promise.all(answers.map((each) => external.ask(each)));
      const searched = await search(service(), external.key, 'blue ferry sold');
      // Ids differ between teams.
      return JSON.stringify([asked, searched]).replaceAll(/decisions\/[-0-9a-f]{36}/g, 'decisions/…');
    };
    const shown = await seen(hiding);
    expect(shown).toBe(await seen(plain));
    expect(shown).toContain('gulls');
  });
});
