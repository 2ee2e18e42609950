import { beforeAll, expect, test } from 'vitest';
import { snapshot } from './support/analytics/valid-bodies.ts';
import { untilTasksAreMade } from './support/backup/changing-team.ts';
import { type Answer, item } from './support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from './support/http/key-holder.ts';
import {
  type Canaries,
  canariesIn,
  canary,
  newCanaries,
  placesOverHttp,
  secretKey,
  secretScan,
  writeRows,
} from './support/privacy/canaries.ts';
import { newTeamWithSecrets, type TeamWithSecrets } from './support/privacy/team-with-secrets.ts';
import { asText, feeds, listQuestions, type Names, searchPath, walkApi } from './support/privacy/walk-api.ts';
import { callContent, exchange } from './support/rpc/caller-tokens.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';

/** A walk is some 250 requests, and a test walks up to three times. */
const walkTimeoutMs = 180_000;
const nothing: Names = { words: [], rowKeys: [], items: [], rowIds: [], cursors: [] };

/** Paths of items that an external key may not see, in all that can be read of them. */
const hiddenPaths = (words: Canaries) =>
  [secretKey(words), 'was-open.md', 'removed.md'].flatMap((rowKey) =>
    ['', '/versions', '/versions/1'].map((rest) => `/items/${encodeURIComponent(rowKey)}${rest}`),
  );

const absentId = '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11';

const leaks = (answers: readonly Answer[], words: Canaries) =>
  answers.map(asText).filter((text) => canariesIn(text, words).length > 0);

describeEachService('what a key may not see', (service) => {
  let hiding: TeamWithSecrets;
  beforeAll(async () => {
    hiding = await newTeamWithSecrets(service());
  });

  test('the canaries are there: a team key finds each that can be read, and none that was replaced', async () => {
    const { team, words } = hiding;
    const found = canariesIn((await walkApi(team, nothing)).map(asText).join(), words);
    expect(found.toSorted()).toEqual(placesOverHttp);
  });

  test('the canaries are in answers, too: a team key gets decisions, tasks and projects, and none that is gone', async () => {
    const { team, words } = hiding;
    const shown = [
      'task',
      'decisionTitle',
      'decisionBody',
      'decisionTask',
      'project',
      'projectName',
    ] as const;
    for (const place of [...shown, 'goneDecision', 'replacedDecision'] as const) {
      const answer = asText(await team.call('/query', { body: { q: `What about ${words[place]}?` } }));
      const isThere = canariesIn(answer, words).includes(place);
      expect([place, isThere]).toEqual([place, (shown as readonly string[]).includes(place)]);
    }
  });

  test('the canaries are in passages, too: a team key finds those of items, decisions and projects', async () => {
    const { team, words } = hiding;
    for (const place of ['content', 'decisionBody', 'projectName'] as const) {
      const found = asText(await team.call(searchPath(`What about ${words[place]}?`)));
      expect([place, canariesIn(found, words).includes(place)]).toEqual([place, true]);
    }
  });

  test('an external key walks every endpoint, parameter, cursor, error and stream and meets no canary', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { team, external, words, names } = hiding;
    const answers = await walkApi(external, names);
    expect(answers.length).toBeGreaterThan(150);
    expect(leaks(answers, words)).toEqual([]);
    const { tasks } = (await external.call('/tasks')).body;
    const titles = tasks.map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual(['buy paint', 'feed the hens', 'mow the lawn']);
    const rowKeys = (await team.rows()).map(({ row_key }) => row_key);
    expect(rowKeys).toEqual(expect.arrayContaining([secretKey(words), 'was-open.md']));
  });

  test('a key of another team, of either tier, meets no canary and no row at all', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { words, names } = hiding;
    const other = await newTeam(service());
    for (const stranger of [other.team, other.external]) {
      const answers = await walkApi(stranger, names);
      expect(leaks(answers, words)).toEqual([]);
      for (const { body } of answers) expect(body.items ?? body.tasks ?? body.decisions ?? []).toEqual([]);
      expect((await stranger.call('/projects')).body.projects ?? []).toEqual([]);
    }
  });

  test('the log and the metrics tell nothing of what anybody wrote', {
    timeout: walkTimeoutMs,
  }, async () => {
    const { team, external, words, names } = hiding;
    await walkApi(external, { ...names, words: [words.content] });
    await walkApi(team, { ...nothing, words: [words.content] });
    const { stdout, stderr } = service().output();
    const metrics = await service().metrics();
    expect(canariesIn(`${stdout}${stderr}${metrics}`, words)).toEqual([]);
  });

  test('to an external key a team with secrets looks exactly like one where they never were', {
    timeout: walkTimeoutMs,
  }, async () => {
    const plain = await newTeam(service());
    await writeRows(service(), plain);
    const own = item('own.md', 'The owl hoots.', { tier: 'external' });
    const walk = async ({ external }: TeamClients) => {
      const answers = [await external.push(own), ...(await walkApi(external, hiding.names))];
      return answers.map(asText);
    };
    expect(await walk(hiding)).toEqual(await walk(plain));
  });

  test('to an external key nothing changes while team-tier rows come, change and go', async () => {
    const clients = await newTeam(service());
    const { slug, team, external } = clients;
    await writeRows(service(), clients);
    const seen = async () => {
      const lists = feeds.map((feed) => external.call(`/${feed}?include_deleted=true`));
      const asked = ['When does the ferry leave?', 'What about the ferry, the mill and the owl?', 'paint'];
      const answers = [...asked, ...listQuestions].map((q) => external.call('/query', { body: { q } }));
      // Every passage with its score, which a word that is rarer elsewhere would change.
      const found = asked.map((q) => external.call(`${searchPath(q)}&limit=50`));
      return (await Promise.all([...lists, ...answers, ...found])).map(({ body }) => body);
    };
    const before = await seen();
    const texts = ['ferry ferry ferry', 'leave at nine or at ten', 'the mill and the owl', 'paint the ferry'];
    await team.push(...texts.map((text, index) => item(`${index}-todo.md`, `${text}\n\n- [ ] ${text}\n`)));
    const secret = { title: 'Ferry', body: '- [ ] ferry', audience: 'team' } as const;
    await asAdministrator(service(), async (admin) => {
      await admin.decisions(slug).create(secret);
      await admin.createProject({ team: slug, slug: 'ferry', name: 'Paint the ferry' });
    });
    expect((await team.call('/tasks')).body.tasks).toHaveLength(8);
    expect(await seen()).toEqual(before);
    await team.remove('0-todo.md');
    expect(await seen()).toEqual(before);
  });

  test('no time that an external key sees tells how much was changed out of its sight', async () => {
    const clients = await newTeam(service());
    const { slug, team, external } = clients;
    const open = { tier: 'external' };
    // Written in one go: each row is at least a millisecond after the one before it.
    const hidden = Array.from({ length: 50 }, (_, index) => item(`secret-${index}.md`));
    const log = item('secret-tasks.md', '- [ ] secret\n'.repeat(400));
    await team.push(log, ...hidden, item('tasks.md', '- [ ] a\n- [ ] b\n', open));
    const seen = async (feed: string) => {
      // Tasks are made when somebody reads them; a reader whose time is up before that gets 503.
      if (feed === 'tasks') await untilTasksAreMade(external);
      const { status, body } = await external.call(`/${feed}?include_deleted=true`);
      expect([feed, status, body.detail]).toEqual([feed, 200, undefined]);
      return body;
    };
    const tasks = await seen('tasks');
    const nowMs = Date.now();
    const hide = { title: 'Secret', body: '- [ ] secret\n'.repeat(10), audience: 'team' } as const;
    await asAdministrator(service(), async (admin) => {
      const decisions = admin.decisions(slug);
      await Promise.all(Array.from({ length: 20 }, () => decisions.create(hide)));
      await decisions.create({ title: 'Open', body: '- [ ] c\n', audience: 'external' });
    });
    const rows = [...tasks.tasks, ...(await seen('items')).items];
    const times = rows.map(({ updated_at }) => Date.parse(updated_at));
    expect(times).toHaveLength(3);
    for (const time of times) expect(time).toBeLessThanOrEqual(nowMs);
    const later = [...(await seen('decisions')).decisions, ...(await seen('tasks')).tasks.slice(2)];
    expect(later).toHaveLength(2);
    for (const { updated_at } of later) expect(Date.parse(updated_at)).toBeLessThanOrEqual(Date.now());
    // The feed goes on from any of these times without a loss, and its cursors are as long as ever.
    const [first, second] = tasks.tasks;
    expect((await external.call(`/tasks?since=${first.updated_at}`)).body.tasks[0]).toEqual(second);
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
    expect(tasks.next_cursor).toMatch(/^.{8}\../);
    const newestOfTeam = (await team.call('/tasks?limit=200')).body.tasks;
    expect(newestOfTeam).toHaveLength(200);
  });

  test('what is hidden gets the answer of what is not there, headers included', async () => {
    const { slug, external, words, names } = hiding;
    const other = await newTeam(service());
    const member = (handle: string) => other.team.call('/metrics', { body: snapshot({ member: handle }) });
    const team = (name: string) => keyHolder(service(), { slug: name }, other.team.key).pull();
    const scan = (body: object) => external.call('/codebases', { body });
    const ask = (word: string) => external.call('/query', { body: { q: `What about ${word}?` } });
    const search = (word: string) => external.call(searchPath(`What about ${word}?`));
    const hidden = [words.content, words.decisionBody, words.task, words.project, words.projectName];
    const pairs: [hidden: Answer, absent: Answer][] = [
      [await external.remove(secretKey(words)), await external.remove('absent.md')],
      [await external.remove('removed.md'), await external.remove('absent.md')],
      [await other.team.remove(secretKey(words)), await other.team.remove('absent.md')],
      ...(await Promise.all(
        hiddenPaths(words).map(
          async (path) =>
            [await external.call(path), await external.call('/items/absent.md')] as [Answer, Answer],
        ),
      )),
      ...(await Promise.all(
        ['tasks', 'decisions'].flatMap((list) =>
          names.rowIds.map(
            async (id): Promise<[Answer, Answer]> => [
              await external.call(`/${list}/${id}`),
              await external.call(`/${list}/${absentId}`),
            ],
          ),
        ),
      )),
      [await member(words.member), await member(canary())],
      [await team(slug), await team(canary())],
      [await scan(secretScan(words)), await scan(secretScan(newCanaries()))],
      ...(await Promise.all(
        hidden.map(async (word): Promise<[Answer, Answer]> => [await ask(word), await ask(canary())]),
      )),
      ...(await Promise.all(
        hidden.map(async (word): Promise<[Answer, Answer]> => [await search(word), await search(canary())]),
      )),
    ];
    for (const [hidden, absent] of pairs) expect(asText(hidden)).toBe(asText(absent));
    expect(pairs.map(([{ status }]) => status)).toEqual([
      ...[404, 404, 404],
      ...hiddenPaths(words).map(() => 404),
      ...names.rowIds.flatMap(() => [404, 404]),
      ...[422, 403, 403],
      ...hidden.map(() => 200),
      ...hidden.map(() => 200),
    ]);
  });

  test('a cursor of a team key is as foreign to other keys as one that nobody was given', async () => {
    const { external, names } = hiding;
    const other = await newTeam(service());
    for (const stranger of [external, other.team, other.external]) {
      for (const feed of feeds) {
        const foreign = asText(await stranger.call(`/${feed}?cursor=abc`));
        expect(foreign).toMatch(/^422 .*invalid_cursor/);
        for (const cursor of names.cursors) {
          expect(asText(await stranger.call(`/${feed}?cursor=${cursor}`))).toBe(foreign);
        }
      }
    }
  });

  test('an external key that guesses a row_key to push learns no content, checksum or title', async () => {
    const { team, external, words } = hiding;
    const row_key = secretKey(words);
    const { checksum } = (await team.rows()).find((row) => row.row_key === row_key);
    const push = (changes: object) => external.push(item(row_key, 'guess', { tier: 'external', ...changes }));
    const answers = [await push({}), await push({ checksum }), await push({ base_checksum: null })];
    // Each of them costs a write.
    const texts = answers.map((answer) =>
      asText(answer)
        .replaceAll(row_key, '<row_key>')
        .replace(/;r=\d+/, ''),
    );
    expect([...new Set(texts)]).toEqual([texts[0]]);
    expect(canariesIn(texts.join(), words)).toEqual([]);
    const detail = expect.any(String);
    expect(answers[0]?.body.errors).toEqual([{ index: 0, row_key, code: 'forbidden_tier', detail }]);
    expect((await team.rows()).find((row) => row.row_key === row_key).checksum).toBe(checksum);
  });

  test('the ids of hidden tasks and decisions are known to the tests', () => {
    expect(hiding.names.rowIds.length).toBeGreaterThan(5);
  });

  test('over RPC neither an external key nor another team gets more than over HTTP', async () => {
    const { external, words } = hiding;
    const other = await newTeam(service());
    for (const { key } of [external, other.team, other.external]) {
      const content = await exchange(service(), key);
      for (const id of hiding.names.rowIds) {
        for (const method of ['GetTask', 'GetShownDecision']) {
          const { code } = await callContent(service(), content, method, { taskId: id, decisionId: id });
          expect(code).toBe('not_found');
        }
      }
      for (const list of ['ListItems', 'ListTasks', 'ListDecisions', 'ListProjects']) {
        const { code, message } = await callContent(service(), content, list, {
          page: { includeDeleted: true },
        });
        expect(['ok', 'permission_denied', 'forbidden_tier']).toContain(code);
        const rows = Buffer.from(message.page?.rowsJson ?? '', 'base64').toString();
        expect(canariesIn(`${rows}${JSON.stringify(message)}`, words)).toEqual([]);
      }
    }
  });

  test("under another team's names a team writes rows of its own", async () => {
    const { team, words } = hiding;
    const other = await newTeam(service());
    const row_key = secretKey(words);
    expect((await other.external.push(item(row_key, 'own', { tier: 'external' }))).body.accepted).toBe(1);
    expect((await team.rows()).find((row) => row.row_key === row_key).content).toContain(words.content);
    const bare = { ...secretScan(words), contributions: [], issues: [] };
    const [mine, theirs] = [
      await team.call('/codebases', { body: secretScan(words) }),
      await other.team.call('/codebases', { body: bare }),
    ];
    expect(theirs.body).toMatchObject({ status: 'ok', contributions: 0, issues: 0 });
    expect(theirs.body.codebase_id).not.toBe(mine.body.codebase_id);
    expect(theirs.body.metrics_id).not.toBe(mine.body.metrics_id);
  });

  test('the request id of the caller comes back as it is, and names nobody else', async () => {
    const { external, words } = hiding;
    for (const path of [`/items/${encodeURIComponent(secretKey(words))}`, '/items/absent.md']) {
      const headers = { 'x-request-id': 'a-request-1' };
      const answer = await external.call(path, { method: 'DELETE', headers });
      expect([answer.headers.get('x-request-id'), answer.body.request_id]).toEqual([
        'a-request-1',
        'a-request-1',
      ]);
    }
  });
});
