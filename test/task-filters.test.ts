import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { describeEachService } from './support/service/shared-service.ts';

const log = [
  '- [ ] a @ada due:2026-12-01 +web',
  '- [x] b @Ada due:2026-12-02',
  '- [ ] c @bo',
  '- [-] d due:2026-11-30 +web',
  '- [ ] e @ADA due:2026-11-30',
  '',
].join('\n');

/** Follows the cursor as long as there is more. */
async function follow(client: KeyHolder, query: string, cursor = '') {
  const rows = [];
  for (let next = cursor; ; ) {
    const { status, body } = await client.call(`/tasks?${query}${next && `&cursor=${next}`}`);
    expect(status).toBe(200);
    rows.push(...body.tasks);
    next = body.next_cursor;
    if (!body.has_more) return { titles: rows.map(({ title }) => title), rows, cursor: next };
  }
}

describeEachService('a filter of the list of tasks', (service) => {
  /** Of a team with this log, which the tests that only read share. */
  let reader: KeyHolder;
  beforeAll(async () => {
    reader = (await newTeam(service())).team;
    await reader.push(item('tasks.md', log));
  });

  test.for([
    ['status=open', 'ace'],
    ['status=done', 'b'],
    ['status=cancelled', 'd'],
    ['owner=ada', 'abe'],
    ['owner=BO', 'c'],
    ['owner=nobody', ''],
    ['project=web', 'ad'],
    ['due_by=2026-11-30', 'de'],
    ['due_by=2026-12-01', 'ade'],
    ['status=open&owner=ada&due_by=2026-12-31', 'ae'],
    ['status=open&owner=ada&project=web&due_by=2026-12-31', 'a'],
  ] as const)('%s lists those that fit, as the whole list has them', async ([query, titles]) => {
    const all = (await reader.call('/tasks')).body.tasks;
    for (const limit of [1, 200]) {
      const { rows } = await follow(reader, `${query}&limit=${limit}`);
      expect(rows).toEqual(all.filter(({ title }: { title: string }) => titles.includes(title)));
    }
  });

  test('is a feed: polls see what fits now, and nothing of what no longer fits or is gone', async () => {
    const { team } = await newTeam(service());
    await team.push(item('tasks.md', log));
    const { cursor } = await follow(team, 'status=open&include_deleted=false');
    await team.push(
      item('tasks.md', log.replace('[ ] a', '[x] a').replace('[x] b', '[ ] b').replace('- [ ] c', '- c')),
    );
    const later = await follow(team, 'status=open', cursor);
    expect(later.titles).toEqual(['b']);
    expect(await follow(team, 'status=open', later.cursor)).toEqual({
      titles: [],
      rows: [],
      cursor: later.cursor,
    });
  });

  test('shows external keys what they see without it', async () => {
    const { team, external } = await newTeam(service());
    await team.push(
      item('tasks.md', log),
      item('open-tasks.md', '- [ ] x @ada\n- [x] y @ada\n', { tier: 'external' }),
    );
    expect((await follow(external, 'owner=ada&limit=1')).titles).toEqual(['x', 'y']);
    const before = (await external.call('/tasks?status=open&owner=ada')).body;
    expect(before).toMatchObject({ tasks: [{ title: 'x' }], has_more: false });
    await team.push(item('tasks.md', `${log}- [ ] z @ada\n`));
    expect((await external.call('/tasks?status=open&owner=ada')).body).toEqual(before);
    await team.push(item('open-tasks.md', '- [ ] x @ada\n- [x] y @ada\n'));
    expect((await follow(external, 'owner=ada')).titles).toEqual([]);
  });

  test('belongs to its cursors: another one is refused', async () => {
    const filters = [
      '',
      '&status=open',
      '&status=done',
      '&owner=ada',
      '&project=web',
      '&due_by=2026-12-01',
      '&owner=ada&project=web',
    ];
    for (const filter of filters) {
      const { next_cursor } = (await reader.call(`/tasks?limit=1${filter}`)).body;
      for (const other of filters) {
        const { status, body } = await reader.call(`/tasks?cursor=${next_cursor}${other}`);
        expect([filter, other, status, body.code]).toEqual(
          filter === other ? [filter, other, 200, undefined] : [filter, other, 422, 'invalid_cursor'],
        );
      }
    }
    const { next_cursor } = (await reader.call('/tasks?limit=1&owner=ADA')).body;
    expect((await reader.call(`/tasks?limit=1&owner=ada&cursor=${next_cursor}`)).status).toBe(200);
  });

  describe('is refused with its place', () => {
    test.for([
      ['/status', 'status='],
      ['/status', 'status=Open'],
      ['/status', 'status=open&status=open'],
      ['/owner', 'owner='],
      ['/owner', 'owner=@ada'],
      ['/owner', 'owner=a%00'],
      ['/owner', `owner=${'x'.repeat(65)}`],
      ['/owner', 'owner=a&owner=b'],
      ['/project', 'project='],
      ['/project', 'project=Web'],
      ['/project', 'project=a&project=b'],
      ['/due_by', 'due_by='],
      ['/due_by', 'due_by=2026-02-30'],
      ['/due_by', 'due_by=tomorrow'],
      ['/due_by', 'due_by=2026-12-01T00:00:00Z'],
      ['/include_deleted', 'include_deleted=true&status=open'],
      ['/include_deleted', 'include_deleted=true&due_by=2026-12-01'],
    ] as const)('%s: %s', async ([pointer, query]) => {
      const { status, body } = await reader.call(`/tasks?${query}`);
      expect([status, body.code]).toEqual([422, 'invalid_request']);
      expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    });
  });

  test('is no parameter of other lists', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md'));
    for (const list of ['items', 'decisions'])
      expect((await team.call(`/${list}?status=none&owner=@&include_deleted=true`)).status).toBe(200);
  });
});
