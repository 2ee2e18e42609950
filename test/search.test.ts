import { beforeAll, describe, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { searchPath } from './support/privacy/walk-api.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** Items that name no day have that of their push. */
const aDay = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const otter = 'The otter Bartholomew sleeps in the harbour at noon.';
const open = { tier: 'external' };

/** The passages that a key finds. */
async function found(key: TeamClients['team'], q: string, limit = 50): Promise<Record<string, unknown>[]> {
  const { status, body } = await key.call(`${searchPath(q)}&limit=${limit}`);
  expect([status, body.incomplete]).toEqual([200, false]);
  return body.passages;
}

describeEachService('searching for passages', (service) => {
  test('a passage says where it is from, what it is and how well it fits', async () => {
    const { team } = await newTeam(service());
    const content = `# Animals\n\n## At sea\n\n${otter}\n\n## On land\n\nThe badger digs.\n`;
    await team.push(item('animals/otter.md', content, { frontmatter: { title: 'The otter' } }));
    const { status, body } = await team.call(searchPath('Where does Bartholomew sleep?'));
    expect(status).toBe(200);
    expect(body).toEqual({
      passages: [
        {
          row_key: 'animals/otter.md',
          title: 'The otter',
          headings: ['Animals', 'At sea'],
          text: otter,
          tier: 'team',
          kind: 'item',
          date: aDay,
          status: null,
          score: expect.any(Number),
        },
      ],
      incomplete: false,
    });
  });

  test('only passages of a folder, a kind and a time are found where a search says so, within the tier of the key', async () => {
    const clients = await newTeam(service());
    const { team, external } = clients;
    await team.push(
      item('sea/otter.md', otter, { frontmatter: { date: '2026-03-01' } }),
      item('sea/open.md', otter, { frontmatter: { date: '2026-05-01' }, ...open }),
      item('seaside.md', otter, { frontmatter: { date: '2026-04-01' }, ...open }),
    );
    const body = 'Bartholomew sleeps at noon.';
    await asAdministrator(service(), (admin) =>
      admin.decisions(clients.slug).create({ title: 'Otter', body, audience: 'team' }),
    );
    const keys = async (key: typeof team, filter: string) => {
      const answer = await key.call(`${searchPath('When does Bartholomew sleep?')}&${filter}`);
      return answer.body.passages.map(({ row_key }: { row_key: string }) => row_key).toSorted();
    };
    expect(await keys(team, 'prefix=sea/')).toEqual(['sea/open.md', 'sea/otter.md']);
    expect(await keys(team, 'prefix=sea&kind=item&since=2026-04-01')).toEqual(['sea/open.md', 'seaside.md']);
    expect(await keys(team, 'prefix=decisions/')).toEqual(await keys(team, 'kind=decision'));
    expect(await keys(team, 'kind=decision')).toHaveLength(1);
    expect(await keys(team, 'prefix=sea/&limit=1')).toHaveLength(1);
    expect(await keys(external, 'prefix=sea/')).toEqual(['sea/open.md']);
    expect(await keys(external, 'kind=decision')).toEqual([]);
    expect(await keys(external, 'since=2026-05-02')).toEqual([]);
    for (const wrong of ['prefix=a%00', 'kind=task', 'since=2026-02-30', 'since=1d', 'kind=item&kind=item']) {
      expect((await team.call(`${searchPath('otter')}&${wrong}`)).status).toBe(422);
    }
  });

  test('decisions and projects are found with what they are, and what they have no word for is null', async () => {
    const { team, slug } = await newTeam(service());
    const decisionId = await asAdministrator(service(), async (admin) => {
      await admin.createProject({ team: slug, slug: 'heron', name: 'The heron survey' });
      const body = 'The heron survey counts nests.';
      const decision = { title: 'Count herons', body, status: 'accepted', audience: 'team' } as const;
      return (await admin.decisions(slug).create(decision)).decision_id;
    });
    const passages = await found(team, 'heron survey');
    const shown = passages.map(({ row_key, kind, date, status }) => ({ row_key, kind, date, status }));
    expect(shown).toContainEqual({
      row_key: `decisions/${decisionId}`,
      kind: 'decision',
      date: aDay,
      status: 'accepted',
    });
    expect(shown).toContainEqual({
      row_key: 'projects/heron',
      kind: 'project',
      date: expect.toBeOneOf([null, aDay]),
      status: null,
    });
  });

  test('passages come best first, as many as are wanted', async () => {
    const { team } = await newTeam(service());
    await team.push(
      ...Array.from({ length: 60 }, (_, index) => item(`${index}.md`, `The heron ${index} stands still.`)),
      item('best.md', 'Where the heron nests: the heron nests in the oak.'),
    );
    const question = 'Where does the heron nest?';
    const passages = await found(team, question);
    expect(passages).toHaveLength(50);
    expect(passages[0]).toMatchObject({ row_key: 'best.md' });
    const scores = passages.map(({ score }) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await found(team, question, 3)).toEqual(passages.slice(0, 3));
    expect(await found(team, question, 1_000)).toEqual(passages);
    expect((await team.call(searchPath(question))).body.passages).toEqual(passages.slice(0, 10));
  });

  test('a push, a change of tier and a removal are seen at once, and only by keys that may see them', async () => {
    const { team, external } = await newTeam(service());
    const question = 'Where does Bartholomew sleep?';
    const seen = async () => [(await found(team, question)).length, (await found(external, question)).length];
    expect(await seen()).toEqual([0, 0]);
    await team.push(item('a.md', otter));
    expect(await seen()).toEqual([1, 0]);
    await team.push(item('a.md', otter, open));
    expect(await seen()).toEqual([1, 1]);
    await team.remove('a.md');
    expect(await seen()).toEqual([0, 0]);
  });

  test('a team finds nothing of another team', async () => {
    const [one, other] = [await newTeam(service()), await newTeam(service())];
    await one.team.push(item('a.md', otter, open));
    for (const key of [other.team, other.external]) expect(await found(key, 'Bartholomew')).toEqual([]);
  });

  describe('the parameters', () => {
    let team: TeamClients['team'];
    beforeAll(async () => {
      ({ team } = await newTeam(service()));
      await team.push(item('a.md', otter));
    });

    test('a question has at most 4,000 characters', async () => {
      expect(await found(team, 'x'.repeat(4_000))).toEqual([]);
      const { status, body } = await team.call(searchPath('x'.repeat(4_001)));
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '/q' }]]);
    });

    test.for([
      ['', '/q'],
      ['q=', '/q'],
      ['q=%20%0a', '/q'],
      ['q=a&q=b', '/q'],
      ['q[]=a', '/q'],
      ['q=a&limit=0', '/limit'],
      ['q=a&limit=-1', '/limit'],
      ['q=a&limit=1.5', '/limit'],
      ['q=a&limit=', '/limit'],
      ['q=a&limit=ten', '/limit'],
      ['q=a&limit=1&limit=1', '/limit'],
      ['limit=x', '/q', '/limit'],
    ])('%s is a 422 that says where', async ([query, ...pointers]) => {
      const { status, body } = await team.call(`/search?${query}`);
      const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
      expect({ status, body }).toEqual({ status: 422, body: { ...problem('invalid_request'), errors } });
    });

    test.for([
      'q=%00',
      'q=%ff',
      'q=%',
      'q=a%0d%0aX: y',
      'q=__proto__&__proto__=a',
      "q='%20OR%201=1--",
      'q=%5B%5D',
    ])('%s is only words to search for', async (query) => {
      expect((await team.call(`/search?${query.replaceAll(' ', '%20')}`)).status).toBe(200);
      expect(await found(team, 'Bartholomew')).toHaveLength(1);
    });
  });

  test('readers that go away leave nothing behind: the service answers others as before', async () => {
    const { team, slug, teamKey } = await newTeam(service());
    await team.push(item('a.md', otter));
    const headers = { authorization: `Bearer ${teamKey}`, 'x-svc-team': slug };
    const leave = async (afterMs: number) => {
      const signal = AbortSignal.timeout(afterMs);
      await fetch(`${service().url}/api/v1${searchPath('Bartholomew')}`, { headers, signal }).catch(() => {});
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => leave(index)));
    expect(await found(team, 'Bartholomew')).toHaveLength(1);
    expect(service().output().stderr).not.toMatch(/"level":"(error|fatal)"/);
  });
});
