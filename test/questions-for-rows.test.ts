import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const log = `# Harbour

- [ ] Paint the ferry @ada due:2026-12-04 +quay
- [ ] Oil the crane @ada due:2026-11-30 +quay
- [x] Mow the meadow @ada
- [-] Sell the lighthouse @bo
`;

describeEachService('questions for rows', (service) => {
  test('are answered by a list with owners, days and citations, as the memory is now', async () => {
    const { team } = await newTeam(service());
    await team.push(item('tasks.md', log));
    const { text, sources } = await team.ask('What are the open tasks of Ada?');
    expect(text).toBe(
      [
        '2 open tasks of ada:\n',
        '- Oil the crane — ada, due 2026-11-30, project quay [1]',
        '- Paint the ferry — ada, due 2026-12-04, project quay [1]',
      ].join('\n'),
    );
    expect(sources).toMatchObject([{ row_key: 'tasks.md', tier: 'team', kind: 'task' }]);
    await team.push(item('tasks.md', log.replace('[ ] Oil', '[x] Oil')));
    expect((await team.ask('What are the open tasks of Ada?')).text).toMatch(/^1 open task of ada:/);
    expect((await team.ask('What has been cancelled?')).text).toContain('- Sell the lighthouse — bo');
  });

  test('of decisions and projects cite each by its own key', async () => {
    const { slug, team } = await newTeam(service());
    const written = { title: 'Buy a crane', body: '', status: 'rejected', audience: 'team' } as const;
    const { decision_id } = await asAdministrator(service(), (admin) =>
      admin.decisions(slug).create({ ...written, decidedOn: '2026-05-01' }),
    );
    await team.push(item('projects/quay/plan.md', 'Soon.'));
    const decisions = await team.ask('Which decisions were rejected?');
    expect(decisions.text).toBe('1 rejected decision:\n\n- Buy a crane — 2026-05-01 [1]');
    expect(decisions.sources).toMatchObject([{ row_key: `decisions/${decision_id}`, kind: 'decision' }]);
    const projects = await team.ask('What projects do we have?');
    expect(projects.text).toBe('1 project:\n\n- quay [1]');
    expect(projects.sources).toMatchObject([{ row_key: 'projects/quay', kind: 'project' }]);
  });

  test('count and list for an external key only what it sees', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('tasks.md', log));
    await team.push(item('shared/tasks.md', '- [ ] Paint the ferry @ada\n', { tier: 'external' }));
    expect((await external.ask('open tasks of ada')).text).toBe(
      '1 open task of ada:\n\n- Paint the ferry — ada, no due date [1]',
    );
    expect((await external.ask('What projects do we have?')).sources).toEqual([]);
  });
});
