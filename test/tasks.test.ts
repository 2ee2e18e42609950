import { expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

const absent = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';

async function tasks(client: KeyHolder, query = '') {
  const { status, body } = await client.call(`/tasks${query}`);
  expect(status).toBe(200);
  return body.tasks;
}

describeEachService('tasks', (service) => {
  test('are there as soon as the push of their log is acknowledged, with every field', async () => {
    const { team } = await newTeam(service());
    const content =
      '# Sprint\r\n\r\n- [ ] Ship @ada due:2026-12-01 #release +website\r\n\t- [x] Test\r\n- [-] Wait\r\n';
    await team.push(item('projects/api/todo.md', content));
    const { status, headers, body } = await team.call('/tasks');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      tasks: [
        {
          task_id: uuid,
          title: 'Ship',
          status: 'open',
          owner: 'ada',
          due: '2026-12-01',
          project: 'website',
          tags: ['release'],
          tier: 'team',
          source: { row_key: 'projects/api/todo.md', line: 3, heading: 'Sprint' },
          updated_at: time,
        },
        expect.objectContaining({
          title: 'Test',
          status: 'done',
          project: 'api',
          owner: null,
          due: null,
          tags: [],
        }),
        expect.objectContaining({ title: 'Wait', status: 'cancelled' }),
      ],
      next_cursor: expect.stringMatching(/./),
      has_more: false,
    });
  });

  test('keep their id while they move, are ticked and lightly edited; gone ones come as removed rows', async () => {
    const { team } = await newTeam(service());
    await team.push(item('todo.md', '- [ ] Buy milk\n- [ ] Write the report\n- [ ] Old\n'));
    const [milk, report, old] = await tasks(team);
    await team.push(item('todo.md', '# Top\n\n- [x] Write the report today\n- [ ] Buy milk\n'));
    const rows = await tasks(team, '?include_deleted=true');
    expect(rows).toEqual([
      { task_id: old.task_id, updated_at: time, deleted: true },
      expect.objectContaining({ task_id: report.task_id, status: 'done', title: 'Write the report today' }),
      expect.objectContaining({ task_id: milk.task_id }),
    ]);
    expect(await tasks(team)).toEqual(rows.slice(1));
  });

  test('are pulled page by page, by cursor and by time, none twice and none missing', async () => {
    const { team } = await newTeam(service());
    const lines = Array.from({ length: 7 }, (_, index) => `- [ ] number ${index}\n`);
    await team.push(item('tasks.md', lines.join('')));
    const titles: string[] = [];
    for (let query = '?limit=3'; ; ) {
      const { body } = await team.call(`/tasks${query}`);
      titles.push(...body.tasks.map(({ title }: { title: string }) => title));
      query = `?limit=3&cursor=${body.next_cursor}`;
      if (!body.has_more) break;
    }
    expect(titles).toEqual(lines.map((_, index) => `number ${index}`));
    const all = await tasks(team);
    expect(await tasks(team, `?since=${all[4].updated_at}`)).toEqual(all.slice(5));
  });

  test('of an item that is made internal leave the sight of external keys at once, and once', async () => {
    const { team, external } = await newTeam(service());
    await team.push(
      item('todo.md', '- [ ] open\n', { tier: 'external' }),
      item('secret-todo.md', '- [ ] never\n'),
    );
    const [seen, ...others] = await tasks(external);
    expect([seen.title, others]).toEqual(['open', []]);
    await team.push(item('todo.md', '- [ ] open\n', { tier: 'team' }));
    const gone = [{ task_id: seen.task_id, updated_at: time, deleted: true }];
    expect(await tasks(external)).toEqual([]);
    expect(await tasks(external, '?include_deleted=true')).toEqual(gone);
    const cursor = (await external.call('/tasks?include_deleted=true')).body.next_cursor;
    await team.push(item('todo.md', '- [x] open, and more\n', { tier: 'team' }));
    expect((await external.call(`/tasks?include_deleted=true&cursor=${cursor}`)).body).toEqual({
      tasks: [],
      next_cursor: cursor,
      has_more: false,
    });
  });

  test('come from the body of a decision, too', async () => {
    const { slug, team, external } = await newTeam(service());
    const decision = {
      title: 'Use SQLite',
      body: 'So:\n\n- [ ] tell all @ada\n',
      audience: 'team',
    } as const;
    const { decision_id } = await asAdministrator(service(), (admin) =>
      admin.decisions(slug).create(decision),
    );
    const source = { row_key: `decisions/${decision_id}`, line: 3, heading: null, decision_id };
    expect(await tasks(team)).toMatchObject([{ title: 'tell all', owner: 'ada', tier: 'team', source }]);
    expect(await tasks(external)).toEqual([]);
  });

  test('are read one by one as the list of each key has them, from the moment they are pushed', async () => {
    const { team, external } = await newTeam(service());
    await team.push(
      item('todo.md', '- [ ] one @ada\n', { tier: 'external' }),
      item('tasks.md', '- [ ] two\n'),
    );
    for (const reader of [team, external]) {
      for (const row of await tasks(reader)) {
        const { status, headers, body } = await reader.call(`/tasks/${row.task_id}`);
        expect([status, headers.get('content-type'), body]).toEqual([
          200,
          'application/json; charset=utf-8',
          row,
        ]);
      }
    }
    const [{ task_id }] = await tasks(external);
    await team.push(item('todo.md', '- [x] one @ada\n', { tier: 'external' }));
    expect((await external.call(`/tasks/${task_id}`)).body).toMatchObject({ status: 'done' });
  });

  test('that are absent, gone or not visible are one 404, as is what is no id', async () => {
    const [{ team, external }, other] = [await newTeam(service()), await newTeam(service())];
    const open = { tier: 'external' };
    await team.push(item('a-tasks.md', '- [ ] a\n', open), item('b-tasks.md', '- [ ] b\n', open));
    const [gone, hidden] = await tasks(team);
    await team.push(
      item('a-tasks.md', 'x', open),
      item('b-tasks.md', '- [ ] b\n'),
      item('tasks.md', '- [ ] c\n'),
    );
    const ids = [gone, hidden, ...(await tasks(team))].map(({ task_id }) => task_id);
    const malformed = [
      hidden.task_id.toUpperCase(),
      `${hidden.task_id}x`,
      `x/${hidden.task_id}`,
      'a',
      '%00',
      'é',
    ];
    const answers = [
      ...(await Promise.all(
        [...ids, absent, ...malformed, 'x'.repeat(3_000)].map((id) => external.call(`/tasks/${id}`)),
      )),
      ...(await Promise.all(ids.map((id) => other.team.call(`/tasks/${id}`)))),
      await team.call(`/tasks/${gone.task_id}`),
    ];
    const texts = answers.map(({ status, headers, body }) =>
      JSON.stringify([status, [...headers.keys()], { ...body, request_id: '' }]),
    );
    expect(answers[0]?.body).toEqual(problem('not_found'));
    expect([...new Set(texts)]).toEqual([texts[0]]);
    for (const id of ['', '%ff']) expect((await team.call(`/tasks/${id}`)).status, id).toBe(404);
  });

  test('are not pulled with a cursor of another list, team or tier', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    const cursors = await Promise.all([
      mine.team.call('/items'),
      mine.team.call('/decisions'),
      mine.external.call('/tasks'),
      other.team.call('/tasks'),
    ]);
    for (const cursor of ['x', ...cursors.map(({ body }) => body.next_cursor)]) {
      const { status, body } = await mine.team.call(`/tasks?cursor=${cursor}`);
      expect([status, body.code]).toEqual([422, 'invalid_cursor']);
    }
  });

  test.each(['/tasks', '/decisions'])(
    '%s refuses bad parameters and other methods as /items does',
    async (path) => {
      const { team } = await newTeam(service());
      for (const query of [
        '?limit=0',
        '?limit=x',
        '?limit=-1',
        '?since=tomorrow',
        '?include_deleted=1',
        '?limit=1&limit=2',
      ]) {
        const { status, body } = await team.call(`${path}${query}`);
        expect([query, status, body.code, body.errors?.length]).toEqual([query, 422, 'invalid_request', 1]);
      }
      expect((await team.call(`${path}?limit=999`)).status).toBe(200);
      const { status, body, headers } = await team.call(path, { method: 'POST', body: {} });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(body).toEqual(problem('method_not_allowed'));
      const stranger = await team.call(path, { headers: { authorization: 'Bearer x' } });
      expect([stranger.status, stranger.body]).toEqual([401, problem('invalid_key')]);
      const elsewhere = await team.call(path, { headers: { 'x-svc-team': 'elsewhere' } });
      expect([elsewhere.status, elsewhere.body]).toEqual([403, problem('team_forbidden')]);
    },
  );
});
