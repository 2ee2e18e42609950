import { describe, expect, test } from 'vitest';
import { type Answer, item } from './support/api.ts';
import { describeEachService } from './support/describe-each-service.ts';
import { type KeyHolder, newTeam } from './support/key-holder.ts';

/** Words that stand in team items only, one for each place that could leak. */
const canaries = {
  content: 'zanzibarite',
  title: 'quillfeather',
  frontmatter: 'mockingthrush',
  folder: 'hornswoggle',
  removed: 'bumblepuppy',
  hidden: 'flibbertigib',
  history: 'gobbledeguk',
};
const anyCanary = new RegExp(Object.values(canaries).join('|'), 'i');
const secretKey = `${canaries.folder}/plan.md`;

/** Plants the canaries: items never open, once open, removed, and once with other content. */
async function plant(team: KeyHolder): Promise<void> {
  await team.push(
    item('open.md', 'The ferry leaves at nine.', { tier: 'external' }),
    item('was-open.md', 'The bridge is open.', { tier: 'external' }),
  );
  await team.push(
    item(secretKey, `The vault holds ${canaries.content}.`, {
      frontmatter: { title: `About ${canaries.title}`, [canaries.frontmatter]: canaries.frontmatter },
    }),
    item('removed.md', `It was about ${canaries.removed}.`),
    item('edited.md', `At first ${canaries.history}.`),
    item('was-open.md', `Since then it is about ${canaries.hidden}.`),
  );
  await team.push(item('edited.md', 'The mill grinds.', { tier: 'external' }));
  await team.remove('removed.md');
}

/** All that a key can ask for: every endpoint, parameter, cursor, error and stream. */
async function walk(client: KeyHolder, words: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const keep = async (answer: Promise<Answer>) => {
    answers.push(await answer);
    return (await answer).body;
  };
  for (const deleted of ['', '&include_deleted=true']) {
    for (const from of ['', '&since=1970-01-01', '&since=9999-01-01']) {
      let page = await keep(client.pull(`?limit=1${deleted}${from}`));
      while (page.has_more) page = await keep(client.pull(`?limit=1${deleted}&cursor=${page.next_cursor}`));
    }
  }
  for (const word of words) {
    await keep(client.call('/query', { body: { q: `What about ${word}?` } }));
    await keep(client.call('/query', { body: { q: word.slice(0, -2) } }));
  }
  const q = 'What does the vault hold? What was it about at first, and since then?';
  await keep(client.call('/query', { body: { q } }));
  await keep(client.pull('?cursor=x'));
  await keep(client.call('/nothing'));
  await keep(client.call('/items', { method: 'PUT' }));
  return answers;
}

/** The answers that have a canary in their headers or body. */
function leaks(answers: readonly Answer[]): string[] {
  return answers
    .map(({ headers, body }) => `${JSON.stringify([...headers])}${JSON.stringify(body)}`)
    .filter((text) => anyCanary.test(text));
}

const withoutIds = ({ status, body }: Answer) => ({
  status,
  body: typeof body === 'object' ? { ...body, request_id: '' } : body,
});

describeEachService('what a key may not see', (service) => {
  test('the canaries are there: a team key finds each that is stored', async () => {
    const { team } = await newTeam(service());
    await plant(team);
    const found = leaks(await walk(team, [])).join('');
    for (const name of ['content', 'title', 'frontmatter', 'folder', 'hidden'] as const) {
      expect(found).toContain(canaries[name]);
    }
    expect(found).not.toContain(canaries.removed);
    expect(found).not.toContain(canaries.history);
  });

  test('an external key walks every endpoint, parameter, cursor, error and stream and meets no canary', async () => {
    const { team, external } = await newTeam(service());
    await plant(team);
    const answers = await walk(external, Object.values(canaries));
    expect(answers.length).toBeGreaterThan(20);
    expect(leaks(answers)).toEqual([]);
  });

  test('a key of another team, of either tier, meets no canary and no row at all', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    await plant(mine.team);
    for (const stranger of [other.team, other.external]) {
      const answers = await walk(stranger, Object.values(canaries));
      expect(leaks(answers)).toEqual([]);
      expect(answers.flatMap(({ body }) => body.items ?? [])).toEqual([]);
    }
  });

  test('the log and the metrics tell nothing of what items say', async () => {
    const { team, external } = await newTeam(service());
    await plant(team);
    await walk(external, [canaries.content]);
    await walk(team, [canaries.content]);
    const { stdout, stderr } = service().output();
    const metrics = await (await fetch(service().metricsUrl)).text();
    expect(`${stdout}${stderr}${metrics}`).not.toMatch(anyCanary);
  });

  describe('looks exactly like what is not there', () => {
    test('when an external key removes it', async () => {
      const { team, external } = await newTeam(service());
      await plant(team);
      const absent = withoutIds(await external.remove('absent.md'));
      expect(absent.status).toBe(404);
      for (const row_key of [secretKey, 'removed.md']) {
        expect(withoutIds(await external.remove(row_key))).toEqual(absent);
      }
      expect((await team.rows()).map(({ row_key }) => row_key)).toContain(secretKey);
    });

    test('when an external key asks about it', async () => {
      const { team, external } = await newTeam(service());
      await plant(team);
      const absent = await external.ask('xylophonist');
      for (const word of Object.values(canaries)) expect(await external.ask(word)).toEqual(absent);
    });

    test('in the pages of an external key: they are the same with and without it', async () => {
      const [hiding, plain] = [await newTeam(service()), await newTeam(service())];
      for (const { team } of [hiding, plain]) await team.push(item('open.md', 'a', { tier: 'external' }));
      await hiding.team.push(item(secretKey), item('b.md'));
      await hiding.team.remove('b.md');
      const shown = async (external: KeyHolder) => {
        const { body } = await external.pull('?include_deleted=true');
        return body.items.map(({ row_key }: { row_key: string }) => row_key).concat(body.has_more);
      };
      expect(await shown(hiding.external)).toEqual(await shown(plain.external));
      const cursor = (await hiding.external.pull()).body.next_cursor;
      await hiding.team.push(item('c.md'));
      expect((await hiding.external.pull()).body.next_cursor).toBe(cursor);
    });

    test("when another team's key removes it or pushes under its name", async () => {
      const [mine, other] = [await newTeam(service()), await newTeam(service())];
      await plant(mine.team);
      expect(withoutIds(await other.team.remove(secretKey))).toEqual(
        withoutIds(await other.team.remove('absent.md')),
      );
      expect((await other.external.push(item(secretKey, 'own', { tier: 'external' }))).body.accepted).toBe(1);
      const own = (await mine.team.rows()).find(({ row_key }) => row_key === secretKey);
      expect(own.content).toContain(canaries.content);
    });
  });

  test('an external key that guesses a row_key to push learns no content, checksum or title', async () => {
    const { team, external } = await newTeam(service());
    await plant(team);
    const guess = {
      ...item(secretKey, 'guess', { tier: 'external' }),
      base_checksum: item('', 'x').checksum,
    };
    const { body } = await external.push(guess);
    const { content: stored } = (await team.rows()).find(({ row_key }) => row_key === secretKey) ?? {};
    expect(body.errors).toEqual([
      { index: 0, row_key: secretKey, code: 'forbidden_tier', detail: expect.not.stringContaining(stored) },
    ]);
  });
});
