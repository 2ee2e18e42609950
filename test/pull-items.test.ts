import { describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** A client that follows `next_cursor` as long as there is more. */
async function follow(client: KeyHolder, limit: number, cursor = '', more = '') {
  const rows = [];
  for (let next = cursor; ; ) {
    const { body } = await client.pull(
      `?limit=${limit}${more}${next && `&cursor=${encodeURIComponent(next)}`}`,
    );
    rows.push(...body.items);
    next = body.next_cursor;
    if (!body.has_more) return { rows, cursor: next };
  }
}

const keysOf = (rows: { row_key: string }[]) => rows.map(({ row_key }) => row_key);
const numbered = (count: number, changes = {}) =>
  Array.from({ length: count }, (_, index) => item(`${index}.md`, `${index}`, changes));
const at = (milliseconds: number) => new Date(milliseconds).toISOString();

describeEachService('pulling items', (service) => {
  test('an item has exactly the fields of the contract', async () => {
    const { team } = await newTeam(service());
    const sent = item('notes/a.md', '# Heading\n', { frontmatter: { date: '2026-11-21', tags: ['x'] } });
    await team.push(sent);
    const { status, headers, body } = await team.pull();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      items: [
        {
          ...sent,
          title: 'Heading',
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_by: 'ada',
        },
      ],
      next_cursor: expect.stringMatching(/./),
      has_more: false,
    });
  });

  test('the order is that of change, oldest first, and updated_at rises strictly', async () => {
    const { team } = await newTeam(service());
    await team.push(...numbered(30));
    await Promise.all(numbered(10).map(({ row_key }) => team.push(item(row_key, 'changed'))));
    const rows = await team.rows();
    const times = rows.map(({ updated_at }) => updated_at);
    expect(times).toEqual([...new Set(times)].sort());
    expect(keysOf(rows.slice(0, 20))).toEqual(keysOf(numbered(30).slice(10)));
  });

  describe('prefix', () => {
    test('lists one folder, in the order of change, over as many pages as there are', async () => {
      const { team } = await newTeam(service());
      const own = Array.from({ length: 7 }, (_, index) => item(`p/${index}.md`));
      await team.push(item('p.md'), ...own, ...numbered(20), item('projects/p/a.md'), item('P/a.md'));
      await team.push(item('p/3.md', 'changed'));
      const { rows } = await follow(team, 2, '', '&prefix=p/');
      expect(keysOf(rows)).toEqual(['0', '1', '2', '4', '5', '6', '3'].map((name) => `p/${name}.md`));
      expect(rows).toEqual((await team.rows('?prefix=p%2F&limit=200')).map((row: object) => row));
      expect(await team.rows('?prefix=none/')).toEqual([]);
      expect(await team.rows('?prefix=&limit=200')).toEqual(await team.rows('?limit=200'));
    });

    test('has a feed without holes: polls see what changes, removals too, and nothing twice', async () => {
      const { team, external } = await newTeam(service());
      const open = { tier: 'external' };
      await team.push(item('p/a.md', 'a', open), item('q/b.md', 'b', open), item('p/c.md'));
      for (const [reader, seen] of [
        [team, ['p/a.md', 'p/c.md']],
        [external, ['p/a.md']],
      ] as const) {
        const first = await follow(reader, 200, '', '&prefix=p/&include_deleted=true');
        expect(keysOf(first.rows)).toEqual(seen);
      }
      const polls = await Promise.all(
        [team, external].map((reader) => follow(reader, 200, '', '&prefix=p/&include_deleted=true')),
      );
      await team.push(item('q/d.md', 'd', open), item('p/a.md'), item('p/e.md', 'e', open));
      await team.remove('p/e.md');
      const later = async (index: number, reader: KeyHolder) => {
        const { rows } = await follow(reader, 200, polls[index]?.cursor, '&prefix=p/&include_deleted=true');
        return rows.map(({ row_key, deleted = false }) => [row_key, deleted]);
      };
      expect(await later(0, team)).toEqual([
        ['p/a.md', false],
        ['p/e.md', true],
      ]);
      expect(await later(1, external)).toEqual([
        ['p/a.md', true],
        ['p/e.md', true],
      ]);
    });

    test('that no row_key can begin with is refused', async () => {
      const { team } = await newTeam(service());
      for (const prefix of ['a%5Cb', 'a%00', 'e%CC%81', 'x'.repeat(1025), 'a&prefix=b']) {
        const { status, body } = await team.pull(`?prefix=${prefix}`);
        expect([prefix.slice(0, 9), status, body.code]).toEqual([prefix.slice(0, 9), 422, 'invalid_request']);
      }
    });
  });

  describe('view=summary', () => {
    test('leaves out content and front matter and nothing else, whatever they contain', async () => {
      const { team } = await newTeam(service());
      const nasty = '"content":"x","tier":"external","checksum":"sha256:0"},"tier":"';
      const frontmatter = { tier: 'external', content: nasty, a: { checksum: [nasty] } };
      await team.push(item(`${nasty.replaceAll('\\', '')}.md`, nasty, { frontmatter }), item('b.md', '', {}));
      const rows = await team.rows('?include_deleted=true');
      const summaries = await team.rows('?include_deleted=true&view=summary');
      expect(summaries).toEqual(rows.map(({ content: _, frontmatter: __, ...rest }) => rest));
      expect(await team.rows('?view=full')).toEqual(await team.rows());
      expect((await team.pull('?view=short')).body.code).toBe('invalid_request');
    });

    test('shows external keys the times that they know', async () => {
      const { team, external } = await newTeam(service());
      await team.push(...numbered(20), item('a.md', 'a', { tier: 'external' }));
      const [whole] = await external.rows();
      const { content: _, frontmatter: __, ...summary } = whole;
      expect(await external.rows('?view=summary')).toEqual([summary]);
    });
  });

  test('a cursor is good for the prefix and view that it was issued for', async () => {
    const { team } = await newTeam(service());
    await team.push(item('p/a.md'), item('p/b.md'));
    const parts = ['', '&prefix=p/', '&prefix=p', '&view=summary', '&prefix=p/&view=summary'];
    for (const part of parts) {
      const { next_cursor } = (await team.pull(`?limit=1${part}`)).body;
      for (const other of parts) {
        const { status, body } = await team.pull(`?cursor=${next_cursor}${other}`);
        expect([part, other, status, body.code]).toEqual(
          part === other ? [part, other, 200, undefined] : [part, other, 422, 'invalid_cursor'],
        );
      }
    }
  });

  describe('limit', () => {
    test('is 50 by default and 200 at most', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(200));
      await team.push(item('last.md'));
      const wanted = { '': 50, '?limit=1': 1, '?limit=007': 7, '?limit=200': 200, '?limit=201': 200 };
      for (const [query, count] of Object.entries({ ...wanted, [`?limit=${'9'.repeat(20)}`]: 200 })) {
        const { body } = await team.pull(query);
        expect([query, body.items.length, body.has_more]).toEqual([query, count, true]);
      }
    });

    test('has_more is false where the page ends with the last row', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(3));
      expect((await team.pull('?limit=3')).body.has_more).toBe(false);
      expect((await team.pull('?limit=2')).body.has_more).toBe(true);
    });
  });

  const badParameters = {
    limit: ['0', '-1', '1.5', '', 'ten', '1e2', '+5', ' 5', '0x10', '\u0663', '1&limit=2'],
    since: [
      '',
      'now',
      '2026',
      '2026-13-01',
      '2026-02-30',
      '2026-11-21T25:00Z',
      '2026-11-21T00:00+99:00',
      '0&since=0',
    ],
    cursor: ['a&cursor=b'],
    include_deleted: ['', '1', 'TRUE', 'true&include_deleted=true'],
  };
  test.for(Object.entries(badParameters))(
    '%s that is not what it should be is a 422',
    async ([name, values]) => {
      const { team } = await newTeam(service());
      const errors = [{ pointer: `/${name}`, detail: expect.stringMatching(/\S/) }];
      for (const value of values) {
        const { body } = await team.pull(`?${name}=${value.replace('+', '%2B')}`);
        expect({ value, ...body }).toEqual({ value, ...problem('invalid_request'), errors });
      }
    },
  );

  describe('since', () => {
    test('gives what changed after it, with any offset and any fraction', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(3));
      const [first, second, third] = await team.rows();
      const ms = Date.parse(second.updated_at);
      const inZone = (hours: number, offset: string) => at(ms + hours * 3_600_000).replace('Z', offset);
      const expected: [string, string[]][] = [
        [second.updated_at, [third.row_key]],
        [inZone(5.5, '+05:30'), [third.row_key]],
        [inZone(-8, '-08:00'), [third.row_key]],
        [second.updated_at.toLowerCase(), [third.row_key]],
        [second.updated_at.replace('Z', '999999Z'), [third.row_key]],
        [first.updated_at.replace('Z', '0000000000Z'), [second.row_key, third.row_key]],
        [at(ms - 1).replace('Z', '999Z'), [second.row_key, third.row_key]],
        ['1970-01-01', keysOf([first, second, third])],
        ['0001-01-01T00:00:00Z', keysOf([first, second, third])],
        ['9999-12-31T23:59:59.999-12:00', []],
      ];
      for (const [since, keys] of expected) {
        expect(keysOf(await team.rows(`?since=${encodeURIComponent(since)}`)), since).toEqual(keys);
      }
      const unencoded = await team.rows(`?since=${inZone(5.5, '+05:30')}`);
      expect(keysOf(unencoded)).toEqual([third.row_key]);
    });

    test('with the newest updated_at seen, polling misses nothing and repeats nothing', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(5));
      const seen = await team.rows('?limit=3');
      await team.push(item('late.md'));
      const rest = await team.rows(`?since=${seen.at(-1).updated_at}`);
      expect(keysOf([...seen, ...rest])).toEqual([...keysOf(numbered(5)), 'late.md']);
    });
  });

  describe('cursor', () => {
    test('leads through all rows once, and on the last page to those that come later', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(25));
      const first = await follow(team, 10);
      expect(keysOf(first.rows)).toEqual(keysOf(numbered(25)));
      await team.push(item('late.md'), item('3.md', 'changed'));
      const later = await follow(team, 10, first.cursor);
      expect(keysOf(later.rows)).toEqual(['late.md', '3.md']);
      expect((await follow(team, 10, later.cursor)).rows).toEqual([]);
    });

    test('of an empty team is good once there is something', async () => {
      const { team } = await newTeam(service());
      const { body } = await team.pull();
      expect(body).toEqual({ items: [], next_cursor: expect.stringMatching(/./), has_more: false });
      await team.push(item('a.md'));
      expect(keysOf((await follow(team, 10, body.next_cursor)).rows)).toEqual(['a.md']);
    });

    test('wins over since', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(3));
      const { next_cursor } = (await team.pull('?limit=1')).body;
      expect(keysOf(await team.rows(`?cursor=${next_cursor}&since=9999-01-01`))).toEqual(['1.md', '2.md']);
      expect(keysOf(await team.rows(`?cursor=${next_cursor}&since=1970-01-01`))).toEqual(['1.md', '2.md']);
    });

    test('wins over a since that is none, too, and an empty one does not', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(3));
      const { next_cursor } = (await team.pull('?limit=1')).body;
      for (const since of ['since=garbage', 'since=', 'since=1970-01-01&since=x']) {
        expect(keysOf(await team.rows(`?${since}&cursor=${next_cursor}`)), since).toEqual(['1.md', '2.md']);
        expect((await team.pull(`?${since}&cursor=garbage`)).body.code).toBe('invalid_cursor');
        expect((await team.pull(`?${since}&cursor=`)).body.errors).toMatchObject([{ pointer: '/since' }]);
      }
    });

    test('of another team or tier, or that was never issued, is a 422 invalid_cursor', async () => {
      const [mine, other] = [await newTeam(service()), await newTeam(service())];
      await mine.team.push(...numbered(3, { tier: 'external' }));
      await other.team.push(...numbered(3));
      const cursorOf = async (client: KeyHolder) =>
        (await client.pull('?limit=1')).body.next_cursor as string;
      const own = await cursorOf(mine.team);
      const cursors = [
        await cursorOf(other.team),
        await cursorOf(mine.external),
        own.slice(0, -1),
        `${own}x`,
        own.toUpperCase(),
        own.replace(/^./, (first) => (first === 'z' ? 'y' : 'z')),
        'garbage',
        '0',
        '.',
        '../../etc',
        '\u0000',
        'x'.repeat(5_000),
      ];
      for (const cursor of cursors) {
        const { status, body } = await mine.team.pull(`?cursor=${encodeURIComponent(cursor)}`);
        expect({ cursor, status, code: body.code }).toEqual({ cursor, status: 422, code: 'invalid_cursor' });
      }
      expect(keysOf(await mine.team.rows(`?cursor=${own}`))).toEqual(['1.md', '2.md']);
    });
  });

  describe('rows that are gone', () => {
    const gone = (row_key: string) => ({ row_key, updated_at: expect.any(String), deleted: true });

    test('come once with include_deleted, and not without it', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(3));
      await team.remove('1.md');
      expect(keysOf(await team.rows())).toEqual(['0.md', '2.md']);
      expect(keysOf(await team.rows('?include_deleted=false'))).toEqual(['0.md', '2.md']);
      const all = await follow(team, 1, '', '&include_deleted=true');
      expect(all.rows.at(-1)).toEqual(gone('1.md'));
      expect(all.rows).toHaveLength(3);
      expect((await follow(team, 1, all.cursor, '&include_deleted=true')).rows).toEqual([]);
    });

    test('a removal reaches those who follow from before it, by cursor and by since', async () => {
      const { team } = await newTeam(service());
      await team.push(...numbered(2));
      const { body } = await team.pull('?include_deleted=true');
      await team.remove('0.md');
      const since = body.items.at(-1).updated_at;
      for (const from of [`cursor=${body.next_cursor}`, `since=${since}`]) {
        expect(await team.rows(`?include_deleted=true&${from}`)).toEqual([gone('0.md')]);
      }
    });

    test('an item that an external key may no longer see comes once and says nothing but that', async () => {
      const { team, external } = await newTeam(service());
      await team.push(item('a.md', 'one', { tier: 'external' }), item('b.md', 'b', { tier: 'external' }));
      const { cursor } = await follow(external, 10);
      await team.push(item('a.md', 'hidden words'));
      const hidden = await follow(external, 10, cursor, '&include_deleted=true');
      expect(hidden.rows).toEqual([gone('a.md')]);
      // What happens to it out of sight is nothing to an external key.
      await team.push(item('a.md', 'more hidden words'));
      await team.remove('a.md');
      expect((await follow(external, 10, hidden.cursor, '&include_deleted=true')).rows).toEqual([]);
      expect(keysOf(await external.rows())).toEqual(['b.md']);
    });

    test('an item that an external key could never see never comes', async () => {
      const { team, external } = await newTeam(service());
      await team.push(item('a.md'));
      await team.push(item('a.md', 'changed'));
      await team.remove('a.md');
      expect(await external.rows('?include_deleted=true')).toEqual([]);
    });
  });

  test('a team key sees both tiers, an external key external items only', async () => {
    const { team, external } = await newTeam(service());
    await team.push(item('a.md'), item('b.md', 'b', { tier: 'external' }), item('c.md'));
    expect(keysOf(await team.rows())).toEqual(['a.md', 'b.md', 'c.md']);
    expect(keysOf(await external.rows())).toEqual(['b.md']);
  });
});
