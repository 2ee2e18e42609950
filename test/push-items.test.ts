import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { type KeyHolder, newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { describeEachService } from './support/service/shared-service.ts';

const checksumOf = (digit: string) => `sha256:${digit.repeat(64)}`;

/** One entry of `errors` in the answer to a push. */
const refused = (index: number, row_key: string, code: string, members: object = {}) => ({
  index,
  row_key,
  code,
  detail: expect.stringMatching(/\S/),
  ...members,
});

describeEachService('pushing items', (service) => {
  describe('counts and statuses', () => {
    test('a batch that is stored whole answers 200 with its counts and nothing else', async () => {
      const { team } = await newTeam(service());
      const { status, body } = await team.push(item('a.md'), item('b.md', 'b', { tier: 'external' }));
      expect({ status, body }).toEqual({ status: 200, body: { accepted: 2, rejected: 0, errors: [] } });
    });

    test('each item stands alone: the good ones are stored, the others listed in order', async () => {
      const { team } = await newTeam(service());
      const badTier = item('c.md', 'c', { tier: 1 });
      const { status, body } = await team.push(item('/a'), item('b.md'), null, badTier);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          accepted: 1,
          rejected: 3,
          errors: [
            refused(0, '/a', 'invalid_request'),
            refused(2, '', 'invalid_request'),
            refused(3, 'c.md', 'invalid_request'),
          ],
        },
      });
      expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['b.md']);
    });

    test('nothing accepted is a problem 422 invalid_request with the counts', async () => {
      const { team } = await newTeam(service());
      const { status, headers, body } = await team.push(item('../a'), item(''));
      expect(status).toBe(422);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const errors = [refused(0, '../a', 'invalid_request'), refused(1, '', 'invalid_request')];
      expect(body).toEqual({ ...problem('invalid_request'), accepted: 0, rejected: 2, errors });
      expect(await team.rows('?include_deleted=true')).toEqual([]);
    });

    test('an admin item makes it 422 admin_tier, with the others stored all the same', async () => {
      const { team } = await newTeam(service());
      const { status, body } = await team.push(item('a.md'), item('b.md', 'secret', { tier: 'admin' }));
      expect(status).toBe(422);
      const errors = [refused(1, 'b.md', 'admin_tier')];
      expect(body).toEqual({ ...problem('admin_tier'), accepted: 1, rejected: 1, errors });
      expect((await team.rows()).map(({ row_key }) => row_key)).toEqual(['a.md']);
    });

    test('a batch of 200 is stored in its order and one of 201 not at all', async () => {
      const { team } = await newTeam(service());
      const batch = Array.from({ length: 201 }, (_, index) => item(`${index}.md`));
      expect((await team.push(...batch)).status).toBe(422);
      expect(await team.rows()).toEqual([]);
      expect((await team.push(...batch.slice(1))).body.accepted).toBe(200);
      const keys = (await team.rows('?limit=200')).map(({ row_key }) => row_key);
      expect(keys).toEqual(batch.slice(1).map(({ row_key }) => row_key));
    });
  });

  describe('private content', () => {
    type Door = [name: string, changes: Record<string, unknown>];
    const doors: Door[] = [
      ...['admin', 'private', 'personal', 'ADMIN', 'Private'].map((tier): Door => [`tier ${tier}`, { tier }]),
      ...['admin', 'private', 'personal', 'PERSONAL', ' private '].map(
        (audience): Door => [`audience "${audience}"`, { frontmatter: { audience } }],
      ),
      ['tier external with audience private', { tier: 'external', frontmatter: { audience: 'private' } }],
      ['tier admin with a bad row_key', { tier: 'admin', row_key: '/x' }],
      ['tier admin with a bad checksum', { tier: 'admin', checksum: 'x' }],
      ['tier admin without content', { tier: 'admin', content: undefined }],
      ['tier admin with front matter that is none', { tier: 'personal', frontmatter: [] }],
      ['audience private without content', { content: undefined, frontmatter: { audience: 'private' } }],
    ];
    let team: KeyHolder;
    beforeAll(async () => {
      ({ team } = await newTeam(service()));
    });

    test.for(doors)('does not get in by %s', async ([, changes]) => {
      const { status, body } = await team.push(item('a.md', 'secret', changes), item('b.md'));
      expect({ status, code: body.code, accepted: body.accepted }).toEqual({
        status: 422,
        code: 'admin_tier',
        accepted: 1,
      });
      expect(body.errors).toMatchObject([{ index: 0, code: 'admin_tier' }]);
      expect((await team.rows('?include_deleted=true')).map(({ row_key }) => row_key)).toEqual(['b.md']);
    });

    test('does not replace what is stored', async () => {
      const { team } = await newTeam(service());
      await team.push(item('a.md', 'one'));
      await team.push(item('a.md', 'two', { tier: 'private' }));
      expect(await team.rows()).toMatchObject([{ row_key: 'a.md', content: 'one', tier: 'team' }]);
    });
  });

  test('friendly names of tiers are stored as their canonical value, in any case', async () => {
    const { team } = await newTeam(service());
    const names = ['client', 'company', 'Company', 'EXTERNAL', 'Team'];
    await team.push(...names.map((tier) => item(`${tier}.md`, 'a', { tier })));
    expect((await team.rows()).map(({ tier }) => tier)).toEqual([...Array(4).fill('external'), 'team']);
  });

  test('a push with the same checksum and tier is a no-op: nothing moves', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md', 'one', { checksum: checksumOf('a') }));
    const before = await team.rows();
    const again = item('a.md', 'other text', { checksum: checksumOf('A'), frontmatter: { title: 'Other' } });
    expect((await team.push(again)).body).toEqual({ accepted: 1, rejected: 0, errors: [] });
    expect(await team.rows()).toEqual(before);
  });

  test('a push with another checksum replaces the item and moves it to the end of the feed', async () => {
    const { team } = await newTeam(service());
    await team.push(item('a.md', 'one'), item('b.md'));
    await team.push(item('a.md', 'two', { frontmatter: { title: 'Two' } }));
    expect(await team.rows()).toMatchObject([
      { row_key: 'b.md' },
      { row_key: 'a.md', content: 'two', title: 'Two', frontmatter: { title: 'Two' } },
    ]);
  });

  test('a push that changes only the tier hides content from external keys at once, and shows it again', async () => {
    const { team, external } = await newTeam(service());
    const plan = (tier: string) => item('plan.md', 'the launch is on Friday', { tier });
    await team.push(plan('external'));
    expect(await external.rows()).toHaveLength(1);
    expect((await team.push(plan('team'))).body).toMatchObject({ accepted: 1 });
    expect(await external.rows()).toEqual([]);
    expect((await external.ask('when is the launch?')).sources).toEqual([]);
    await team.push(plan('external'));
    expect(await external.rows()).toMatchObject([{ row_key: 'plan.md', tier: 'external' }]);
  });

  describe('base_checksum', () => {
    test('of the stored version lets an edit through, any other is a conflict that tells the stored one', async () => {
      const { team } = await newTeam(service());
      const [a, b, c] = ['a', 'b', 'c'].map(checksumOf);
      await team.push(item('x.md', 'one', { checksum: a }));
      const edit = (checksum = '', base_checksum = '') => item('x.md', checksum, { checksum, base_checksum });
      expect((await team.push(edit(b, a?.toUpperCase().replace('SHA', 'sha')))).body.accepted).toBe(1);
      const conflict = await team.push(edit(c, a), item('y.md'));
      expect(conflict.status).toBe(200);
      expect(conflict.body.errors).toEqual([refused(0, 'x.md', 'conflict', { current_checksum: b })]);
      expect((await team.rows()).map(({ checksum }) => checksum)).toContain(b);
      expect((await team.push(edit(b, a))).body).toMatchObject({ accepted: 1, rejected: 0 });
    });

    test('of what is not there is a conflict with null', async () => {
      const { team } = await newTeam(service());
      const orphan = item('x.md', 'x', { base_checksum: checksumOf('a') });
      const errors = [refused(0, 'x.md', 'conflict', { current_checksum: null })];
      expect((await team.push(orphan)).body.errors).toEqual(errors);
      await team.push(item('x.md'));
      await team.remove('x.md');
      expect((await team.push(orphan)).body.errors).toEqual(errors);
    });

    test('null creates, also over a removed item, and never overwrites', async () => {
      const { team } = await newTeam(service());
      const create = (content: string) => item('x.md', content, { base_checksum: null });
      expect((await team.push(create('one'))).body.accepted).toBe(1);
      const { checksum: current_checksum } = item('x.md', 'one');
      const errors = [refused(0, 'x.md', 'conflict', { current_checksum })];
      expect((await team.push(create('two'))).body.errors).toEqual(errors);
      expect(await team.rows()).toMatchObject([{ content: 'one' }]);
      // Its answer may have been lost.
      expect((await team.push(create('one'))).body).toEqual({ accepted: 1, rejected: 0, errors: [] });
      await team.remove('x.md');
      expect((await team.push(create('two'))).body.accepted).toBe(1);
      // Absent is not null: the last writer wins.
      expect((await team.push(item('x.md', 'three'))).body.accepted).toBe(1);
      expect(await team.rows()).toMatchObject([{ content: 'three' }]);
    });

    test('null lets exactly one of many creations win', async () => {
      const { team } = await newTeam(service());
      const creations = ['1', '2', '3', '4', '5', '6', '7', '8'].map((digit) =>
        team.push(item('x.md', digit, { base_checksum: null })),
      );
      const answers = await Promise.all(creations);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    test('lets exactly one of many edits of the same version win', async () => {
      const { team } = await newTeam(service());
      await team.push(item('x.md', 'one', { checksum: checksumOf('a') }));
      const edits = ['1', '2', '3', '4', '5', '6', '7', '8'].map((digit) =>
        team.push(item('x.md', digit, { checksum: checksumOf(digit), base_checksum: checksumOf('a') })),
      );
      const answers = await Promise.all(edits);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [winner] = await team.rows();
      expect(answers[Number(winner.content) - 1]?.status).toBe(200);
      for (const { body } of answers.filter(({ status }) => status !== 200)) {
        expect(body.errors).toMatchObject([{ code: 'conflict', current_checksum: winner.checksum }]);
      }
    });
  });

  describe('front matter as its author wrote it', () => {
    const text = 'ver: 1.10 # not 1.1\r\nzip: 01234\n\n"tier":"team"\n';

    test('comes back byte for byte, empty or not, and is gone after a push without it', async () => {
      const { team, external } = await newTeam(service());
      const open = { tier: 'external' };
      await team.push(
        item('a.md', 'one', { ...open, frontmatter: { ver: 1.1 }, frontmatter_text: text }),
        item('b.md', 'one', { ...open, frontmatter_text: '' }),
        item('c.md', 'one', open),
      );
      for (const reader of [team, external]) {
        const texts = (await reader.rows()).map(({ frontmatter_text }) => frontmatter_text);
        expect(texts).toEqual([text, '', undefined]);
      }
      await team.push(item('a.md', 'two', open));
      expect((await team.rows()).at(-1)).not.toHaveProperty('frontmatter_text');
    });

    test('changes nothing alone: the same checksum and tier are a no-op', async () => {
      const { team } = await newTeam(service());
      await team.push(item('a.md', 'one', { frontmatter_text: text }));
      const before = await team.rows();
      expect((await team.push(item('a.md', 'one', { frontmatter_text: 'other: text' }))).body.accepted).toBe(
        1,
      );
      expect(await team.rows()).toEqual(before);
    });

    test('answers no question and makes no task or project', async () => {
      const { team } = await newTeam(service());
      const frontmatter_text = 'title: The otter sleeps at noon\nproject: otters\n- [ ] feed the otter\n';
      await team.push(item('tasks.md', '- [ ] mow the lawn\n', { frontmatter_text }));
      expect((await team.ask('When does the otter sleep?')).sources).toEqual([]);
      expect((await team.call('/tasks')).body.tasks).toMatchObject([{ title: 'mow the lawn' }]);
      expect((await team.call('/projects')).body.projects).toEqual([]);
    });
  });

  test('of a row_key that comes twice in a batch the later one wins and both are accepted', async () => {
    const { team } = await newTeam(service());
    const { body } = await team.push(item('a.md', 'one'), item('b.md'), item('a.md', 'two'));
    expect(body).toEqual({ accepted: 3, rejected: 0, errors: [] });
    const stored = (await team.rows()).map(({ row_key, content }) => [row_key, content]);
    expect(stored.sort()).toEqual([
      ['a.md', 'two'],
      ['b.md', '# b.md\n'],
    ]);
  });

  describe('an external key', () => {
    test('pushes external items only', async () => {
      const { external } = await newTeam(service());
      const { status, body } = await external.push(
        item('a.md'),
        item('b.md', 'b', { tier: 'external' }),
        item('c.md', 'c', { tier: 'client' }),
      );
      expect(status).toBe(200);
      expect(body).toEqual({ accepted: 2, rejected: 1, errors: [refused(0, 'a.md', 'forbidden_tier')] });
    });

    test('cannot take over the row_key of a team item, nor make its own item internal', async () => {
      const { team, external } = await newTeam(service());
      await team.push(item('a.md', 'internal'));
      const takeover = await external.push(item('a.md', 'mine', { tier: 'external' }));
      expect(takeover.status).toBe(422);
      expect(takeover.body.errors).toEqual([refused(0, 'a.md', 'forbidden_tier')]);
      await external.push(item('b.md', 'mine', { tier: 'external' }));
      expect((await external.push(item('b.md', 'mine'))).body.errors).toMatchObject([
        { code: 'forbidden_tier' },
      ]);
      expect(await team.rows()).toMatchObject([
        { content: 'internal', tier: 'team' },
        { content: 'mine', tier: 'external' },
      ]);
    });
  });

  test('front matter is data: it comes back as it was given, whatever its keys and values', async () => {
    const { team } = await newTeam(service());
    const frontmatter =
      '{"$where":"1==1","__proto__":{"polluted":true},"a.b":{"$gt":""},"":null,"constructor":{"prototype":[]},' +
      '"toString":"x","$set":{"tier":"external"},"title":{"not":"text"},"date":"2026-02-30","tab\\t\\u0000":"\\u0000",' +
      '"deep":[[[[[[1]]]]]],"numbers":[0,-1.5,1e+21,9007199254740991],"emoji":"\u{1f600}","audience":7}';
    const { checksum } = item('a.md');
    const body = `{"items":[{"row_key":"a.md","content":"","frontmatter":${frontmatter},"tier":"team","checksum":"${checksum}"}]}`;
    expect((await team.call('/items', { body })).body.accepted).toBe(1);
    const [stored] = await team.rows();
    expect(JSON.stringify(stored.frontmatter)).toBe(JSON.stringify(JSON.parse(frontmatter)));
    expect(stored).toMatchObject({ title: 'a', tier: 'team' });
  });
});
