import { randomBytes } from 'node:crypto';
import type { DecisionMethods } from '@teammemory/client/rpc/decisions.ts';
import { scan, snapshot } from '../analytics/valid-bodies.ts';
import { item } from '../http/api.ts';
import { type KeyHolder, keyHolder, type TeamClients } from '../http/key-holder.ts';
import { asAdministrator } from '../service/as-administrator.ts';
import type { RunningService } from '../service/running-service.ts';

/** Where a team key reads words that an external key must not, directly or in what is made of it. */
const readPlaces = [
  ...['content', 'title', 'frontmatterKey', 'frontmatterValue', 'folder', 'editedLast'],
  ...['itemProject', 'pathProject', 'heading', 'task', 'owner', 'tag', 'taskProject', 'hiddenTask'],
  ...['decisionTitle', 'decisionBody', 'decisionTask', 'decisionProject', 'hiddenDecision'],
  ...['project', 'projectName'],
] as const;
/** Where a team key reads them in the lists of codebases and scans, which agents do not have. */
const scanPlaces = ['codebase', 'fullName', 'provider', 'commit', 'pillar'] as const;
/** Where they were until something took their place, or go in without ever being shown again. */
const unreadPlaces = [
  ...['removed', 'replaced', 'replacedDecision', 'goneDecision'],
  ...['rubric', 'contributor', 'issue', 'member'],
] as const;

/** A word for each place that could leak. */
export type Canaries = Record<
  (typeof readPlaces)[number] | (typeof scanPlaces)[number] | (typeof unreadPlaces)[number],
  string
>;

/** Letters of random words: no vowels, so that they spell nothing and have no endings to cut. */
const letters = 'bcdfghjklmnpqrtv';

/** A word that stands nowhere else. */
export function canary(): string {
  return Array.from(randomBytes(12), (byte) => letters[byte % letters.length]).join('');
}

/** Makes a new word for each place. */
export function newCanaries(): Canaries {
  const places = [...readPlaces, ...scanPlaces, ...unreadPlaces];
  return Object.fromEntries(places.map((place) => [place, canary()])) as Canaries;
}

/** The words of which a text has at least the beginning, in any case. */
export function canariesIn(text: string, canaries: Canaries): string[] {
  const lower = text.toLowerCase();
  return Object.entries(canaries)
    .filter(([, word]) => lower.includes(word.slice(0, 9)))
    .map(([place]) => place);
}

/** The places whose words an agent with a team key finds, sorted. */
export const placesToRead: readonly string[] = [...readPlaces].toSorted();

/** Those that a team key finds over HTTP, sorted. */
export const placesOverHttp: readonly string[] = [...readPlaces, ...scanPlaces].toSorted();

const open = { tier: 'external' };

/**
 * Gives a team rows that external keys see, of which some are withdrawn: with canaries by hiding them, without by
 * removing them. To an external key both teams must look the same.
 */
export async function writeRows(
  service: RunningService,
  clients: TeamClients,
  words?: Canaries,
): Promise<void> {
  const { slug, team } = clients;
  await team.push(
    item('open.md', 'The ferry leaves at nine.', open),
    item('was-open.md', 'The bridge is open.', open),
    item('open-tasks.md', '- [ ] mow the lawn\n- [x] feed the hens\n', open),
    item('was-open-tasks.md', '- [ ] sweep the yard\n', open),
  );
  await followed(team);
  if (words !== undefined) await plantItems(service, clients, words);
  await team.push(item('edited.md', 'The mill grinds.', open));
  await asAdministrator(service, (admin) => writeDecisions(admin.decisions(slug), words));
  if (words !== undefined) await plantOnTheServiceSide(service, clients, words);
  await followed(team);
  if (words === undefined) {
    for (const rowKey of ['was-open.md', 'was-open-tasks.md']) await team.remove(rowKey);
  } else {
    await team.push(item('was-open.md', `Since then it is about ${words.editedLast}.`));
    await team.push(item('was-open-tasks.md', `- [ ] sweep the yard\n- [ ] ${words.hiddenTask}\n`));
  }
}

/** One that external keys see, with canaries not from its first version on, and one that is withdrawn. */
async function writeDecisions(decisions: DecisionMethods, words?: Canaries): Promise<void> {
  const blue = { title: 'Paint it blue', body: '- [ ] buy paint\n', audience: 'external' } as const;
  if (words === undefined) await decisions.create(blue);
  else {
    const { replacedDecision: title } = words;
    const { decision_id } = await decisions.create({ title, body: title, audience: 'team' });
    await decisions.edit(decision_id, blue);
  }
  const red = await decisions.create({ title: 'Paint it red', body: 'Soon.', audience: 'external' });
  const withdrawn =
    words === undefined ? { hidden: true } : { audience: 'team' as const, body: words.hiddenDecision };
  await decisions.edit(red.decision_id, withdrawn);
}

/** Tasks are made before what comes next is written, so that their order does not depend on when that happened. */
async function followed(team: KeyHolder): Promise<void> {
  await team.call('/tasks');
}

/** The row_key of an item that external keys must not know of. */
export const secretKey = ({ folder }: Canaries) => `${folder}/plan.md`;

async function plantItems(service: RunningService, clients: TeamClients, words: Canaries): Promise<void> {
  const { team } = clients;
  const { heading, task, owner, tag, taskProject, itemProject } = words;
  const frontmatter = {
    title: `About ${words.title}`,
    project: itemProject,
    [words.frontmatterKey]: [{ [`x-${words.frontmatterKey}`]: words.frontmatterValue }],
  };
  await team.push(
    item(secretKey(words), `The vault holds ${words.content}.`, { frontmatter }),
    item(
      `projects/${words.pathProject}/tasks.md`,
      `# ${heading}\n- [ ] ${task} @${owner} #${tag} +${taskProject}\n`,
    ),
    item('removed.md', `It was about ${words.removed}.`),
    item('edited.md', `At first ${words.replaced}.`),
  );
  await team.remove('removed.md');
  const agent = keyHolder(service, clients, await clients.newKey('team', { access: 'propose' }));
  await agent.push(
    item(`proposed-${secretKey(words)}`, `The vault holds ${words.content}.`, { frontmatter }),
  );
}

async function plantOnTheServiceSide(service: RunningService, { slug, team }: TeamClients, words: Canaries) {
  await asAdministrator(service, async (admin) => {
    const decisions = admin.decisions(slug);
    await decisions.create({
      title: words.decisionTitle,
      body: `${words.decisionBody}\n\n- [ ] ${words.decisionTask}\n`,
      project: words.decisionProject,
      audience: 'team',
    });
    const gone = { title: words.goneDecision, body: words.goneDecision, audience: 'team' } as const;
    await decisions.edit((await decisions.create(gone)).decision_id, { hidden: true });
    await admin.createProject({ team: slug, slug: words.project, name: words.projectName });
    await admin.addMember({ team: slug, handle: words.member, role: 'member' });
  });
  const answers = [
    await team.call('/codebases', { body: secretScan(words) }),
    await team.call('/metrics', { body: snapshot({ member: words.member }) }),
  ];
  for (const { status, body } of answers) if (status !== 200) throw new Error(JSON.stringify(body));
}

/** A scan whose every text is a canary. */
export function secretScan(words: Canaries) {
  const { metrics } = scan();
  return {
    codebase: { slug: words.codebase, full_name: words.fullName, provider: words.provider },
    metrics: {
      ...metrics,
      head_sha: words.commit,
      readiness_pillars: { [words.pillar]: { passed: 1, total: 2 } },
      readiness_rubric_version: words.rubric,
    },
    contributions: [{ member: words.contributor, commits: 7, agent_commits: 3 }],
    issues: [{ number: 12, title: words.issue, state: 'open' }],
  };
}
