import { expect, test } from 'vitest';
import { type Answer, item } from './support/api.ts';
import { asAdministrator } from './support/content-admin.ts';
import { describeEachService } from './support/describe-each-service.ts';
import { type KeyHolder, newTeam, type TeamClients } from './support/key-holder.ts';
import type { RunningService } from './support/running-service.ts';

/** Words that stand in team-tier tasks, decisions and projects only, one for each place that could leak. */
const stored = {
  taskTitle: 'zanzibarite',
  taskOwner: 'quillfeather',
  taskTag: 'mockingthrush',
  taskProject: 'hornswoggle',
  heading: 'bumblepuppy',
  rowKey: 'flibbertigib',
  hiddenTask: 'gobbledeguk',
  decisionTitle: 'snollygoster',
  decisionBody: 'widdershins',
  decisionTask: 'taradiddle',
  decisionProject: 'bibliotaph',
  project: 'skedaddle',
} as const;
const gone = { oldDecision: 'collywobbles', hiddenDecision: 'lickspittle' } as const;
const canaries = Object.values({ ...stored, ...gone });
const anyCanary = new RegExp(canaries.join('|'), 'i');

/** Plants the canaries in things never open, once open, hidden, and once with other words. */
async function plant(service: RunningService, { slug, team }: TeamClients): Promise<void> {
  const s = stored;
  await team.push(
    item('open-tasks.md', '- [ ] mow the lawn\n', { tier: 'external' }),
    item('was-open-tasks.md', '- [ ] sweep the yard\n', { tier: 'external' }),
    item(
      `${s.rowKey}/tasks.md`,
      `# ${s.heading}\n- [ ] ${s.taskTitle} @${s.taskOwner} #${s.taskTag} +${s.taskProject}\n`,
    ),
  );
  // Its external task becomes a row that tells only that it is gone.
  await team.call('/tasks');
  await team.push(item('was-open-tasks.md', `- [ ] sweep the yard\n- [ ] ${s.hiddenTask}\n`));
  await asAdministrator(service, async (admin) => {
    const secret = {
      team: slug,
      title: s.decisionTitle,
      project: s.decisionProject,
      audience: 'team',
    } as const;
    await admin.createDecision({ ...secret, body: `${s.decisionBody}\n\n- [ ] ${s.decisionTask}\n` });
    const open = {
      team: slug,
      title: 'Paint it blue',
      body: '- [ ] buy paint\n',
      audience: 'external',
    } as const;
    const edited = await admin.createDecision({ ...open, title: gone.oldDecision, audience: 'team' });
    await admin.editDecision(edited.decision_id, open);
    const hidden = await admin.createDecision(open);
    await admin.editDecision(hidden.decision_id, { team: slug, hidden: true });
    await admin.editDecision(hidden.decision_id, {
      team: slug,
      title: gone.hiddenDecision,
      body: gone.hiddenDecision,
    });
    await admin.createProject({ team: slug, slug: s.project, name: s.project });
  });
}

/** All that a key can ask the three lists for: parameters, cursors and errors. */
async function walk(client: KeyHolder): Promise<Answer[]> {
  const answers: Answer[] = [];
  const keep = async (path: string, method?: string) => {
    const answer = await client.call(path, method === undefined ? {} : { method });
    answers.push(answer);
    return answer.body;
  };
  for (const list of ['/tasks', '/decisions']) {
    for (const deleted of ['', '&include_deleted=true']) {
      for (const from of ['', '&since=1970-01-01', '&since=9999-01-01']) {
        let page = await keep(`${list}?limit=1${deleted}${from}`);
        while (page.has_more) page = await keep(`${list}?limit=1${deleted}&cursor=${page.next_cursor}`);
      }
    }
    await keep(`${list}?cursor=x`);
    await keep(`${list}?limit=x`);
    await keep(list, 'PUT');
  }
  await keep('/projects');
  await keep('/projects?page_token=a');
  for (const word of canaries) await keep(`/projects?slug=${word}`);
  return answers;
}

const textOf = ({ headers, body }: Answer) => `${JSON.stringify([...headers])}${JSON.stringify(body)}`;

describeEachService('tasks, decisions and projects that a key may not see', (service) => {
  test('are there for a team key, all but what was replaced or hidden', async () => {
    const clients = await newTeam(service());
    await plant(service(), clients);
    const found = (await walk(clients.team)).map(textOf).join('');
    for (const word of Object.values(stored)) expect(found).toContain(word);
    for (const word of Object.values(gone)) expect(found).not.toContain(word);
  });

  test('never show to an external key', async () => {
    const clients = await newTeam(service());
    await plant(service(), clients);
    const answers = await walk(clients.external);
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.map(textOf).filter((text) => anyCanary.test(text))).toEqual([]);
    const tasks = (await clients.external.call('/tasks')).body.tasks;
    expect(tasks.map(({ title }: { title: string }) => title)).toEqual(['mow the lawn', 'buy paint']);
  });

  test('never show to a key of another team, of either tier: it has no rows at all', async () => {
    const [mine, other] = [await newTeam(service()), await newTeam(service())];
    await plant(service(), mine);
    for (const stranger of [other.team, other.external]) {
      const answers = await walk(stranger);
      expect(answers.map(textOf).filter((text) => anyCanary.test(text))).toEqual([]);
      for (const { status, body } of answers) {
        if (status === 200) expect(body.tasks ?? body.decisions ?? body.projects).toEqual([]);
      }
    }
  });

  test('do not show in the cursor or the order of what an external key sees', async () => {
    const clients = await newTeam(service());
    const { slug, team, external } = clients;
    await team.push(item('todo.md', '- [ ] open\n', { tier: 'external' }));
    const seen = async () => {
      const lists = ['/tasks', '/decisions'].map((list) => external.call(`${list}?include_deleted=true`));
      return (await Promise.all(lists)).map(({ body }) => body);
    };
    const before = await seen();
    await team.push(item('other-todo.md', '- [ ] secret\n'));
    const secret = { team: slug, title: 'Secret', body: '- [ ] x', audience: 'team' } as const;
    await asAdministrator(service(), (admin) => admin.createDecision(secret));
    expect((await team.call('/tasks')).body.tasks).toHaveLength(3);
    expect(await seen()).toEqual(before);
  });
});
