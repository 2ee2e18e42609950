import { expect, it } from 'vitest';
import { clientFor, sendJson } from './testing/serve.fixture.ts';

const updated_at = '2026-11-21T06:27:00.123Z';
const rest = { next_cursor: 'c1', has_more: false, later_field: true };
const task = {
  task_id: 't1',
  title: 'Ship',
  status: 'open',
  owner: null,
  due: null,
  project: null,
  tags: [],
  tier: 'team',
  source: { row_key: 'decisions/d1', line: 1, heading: null, decision_id: 'd1' },
  updated_at,
};
const decision = {
  decision_id: 'd1',
  title: 'Use SQLite',
  body: '',
  status: 'accepted',
  audience: 'team',
  project: null,
  decided_on: null,
  updated_at,
  updated_by: 'administrator',
};

it('reads a page of tasks, removed ones included, from where it is told', async () => {
  const page = { tasks: [task, { task_id: 't2', updated_at, deleted: true }], ...rest };
  // As services before 0.2 sent it.
  const earlier = { ...task, source: { ...task.source, row_key: null } };
  let asked: string | undefined;
  const client = await clientFor(({ url }, response) => {
    asked = url;
    sendJson(response, 200, { ...page, tasks: [earlier, ...page.tasks.slice(1)] });
  });
  expect(await client.listTasks({ cursor: 'c0', limit: 2, includeDeleted: true })).toEqual(page);
  expect(asked).toBe('/api/v1/tasks?cursor=c0&limit=2&include_deleted=true');
});

it('reads the tasks that fit, page by page, with the same filter for each', async () => {
  const asked: (string | undefined)[] = [];
  const client = await clientFor(({ url }, response) => {
    asked.push(url);
    const has_more = asked.length < 2;
    sendJson(response, 200, { tasks: has_more ? [] : [task], next_cursor: 'c1', has_more });
  });
  const filter = { status: 'open', owner: 'Éva', project: 'web', dueBy: '2026-12-01' } as const;
  expect(await Array.fromAsync(client.tasks(filter))).toEqual([task]);
  const query = 'status=open&owner=%C3%89va&project=web&due_by=2026-12-01';
  expect(asked).toEqual([`/api/v1/tasks?${query}`, `/api/v1/tasks?cursor=c1&${query}`]);
});

it('reads one task and one decision', async () => {
  const client = await clientFor(({ url }, response) => {
    if (url === '/api/v1/tasks/t1') return sendJson(response, 200, task);
    if (url === '/api/v1/decisions/d1') return sendJson(response, 200, decision);
    sendJson(response, 404, { code: 'not_found', detail: `There is no ${url}.` });
  });
  expect(await client.getTask('t1')).toEqual(task);
  expect(await client.getDecision('d1')).toEqual(decision);
  const notFound = { status: 404, code: 'not_found' };
  for (const id of ['a/b', '..%2f', '?', '']) {
    await expect(client.getTask(id)).rejects.toMatchObject(notFound);
    await expect(client.getDecision(id)).rejects.toMatchObject(notFound);
  }
  await expect(client.getTask('a/../t1')).rejects.toMatchObject({
    detail: 'There is no /api/v1/tasks/a%2F..%2Ft1.',
  });
});

it('reads a page of decisions', async () => {
  const page = { decisions: [decision, { decision_id: 'd2', updated_at, deleted: true }], ...rest };
  const client = await clientFor(({ url }, response) => {
    sendJson(response, url === '/api/v1/decisions?since=2026-01-01' ? 200 : 404, page);
  });
  expect(await client.listDecisions({ since: '2026-01-01' })).toEqual(page);
});

it('reads the projects, and throws where the key may not', async () => {
  const projects = [{ slug: 'web', name: 'Website', brain_only: true }];
  let status = 200;
  const client = await clientFor(({ url }, response) => {
    expect(url).toBe('/api/v1/projects');
    sendJson(response, status, status === 200 ? { projects } : { code: 'forbidden_tier', detail: 'No.' });
  });
  expect(await client.listProjects()).toEqual({ projects });
  status = 403;
  await expect(client.listProjects()).rejects.toMatchObject({ status: 403, code: 'forbidden_tier' });
});

it('takes what is no page for no answer', async () => {
  const client = await clientFor((_, response) => sendJson(response, 200, { items: [], ...rest }));
  await expect(client.listTasks()).rejects.toMatchObject({ code: 'invalid_answer' });
  await expect(client.listDecisions()).rejects.toMatchObject({ code: 'invalid_answer' });
});
