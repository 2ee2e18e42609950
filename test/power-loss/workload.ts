import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AdminClient, createAdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';
import { type Call, readCallLog } from './call-log.ts';
import { type Journal, openJournal, type Told } from './expectation.ts';
import { recordedEnvironment } from './recorder.ts';

const writers = 3;
const stepsOfWriter = 14;
const stepsOfAdministrator = 12;
const stepsOfFollower = 12;
/** A machine that is busy with other work answers late, and here that is no fault. */
const callTimeoutMs = 120_000;
/** A question uses so many tokens, each of which costs a millionth of a dollar. */
const tokensOfAnswer = 500;

/** One history of a service, from its first start on. */
export interface Recording {
  calls: Call[];
  team: Pick<TeamClients, 'slug' | 'teamKey'>;
  /** The folder as the calls left it; the service's directory is `data` in it. */
  root: string;
}

/** Where a history is recorded, and by what. */
export interface RecordingOptions {
  library: string;
  /** An empty folder. */
  folder: string;
  seed: number;
  /** Put into the service's environment on top. */
  environment?: Record<string, string>;
}

/**
 * Lets clients work on a service that starts twice: in between it ends in peace, at last it is killed. The requests are
 * the same for the same seed, their order is what comes of it.
 */
export async function recordService({
  library,
  folder,
  seed,
  environment,
}: RecordingOptions): Promise<Recording> {
  const root = join(folder, 'disk');
  const log = join(folder, 'calls');
  mkdirSync(root);
  const journal = openJournal(log);
  const model = await startModelServer((reply) => {
    reply.text('It is so. [1]');
    reply.finish({ prompt_tokens: 100, completion_tokens: tokensOfAnswer });
  });
  try {
    let team: TeamClients | undefined;
    for (const ending of ['SIGTERM', 'SIGKILL'] as const) {
      const service = await startService({
        dataDirectory: join(root, 'data'),
        environment: {
          ...settingsOf(model),
          ...recordedEnvironment({ library }, root, log),
          ...environment,
        },
      });
      try {
        team =
          team === undefined
            ? await makeTeam(journal, service)
            : { ...team, team: keyHolder(service, team, team.teamKey) };
        await work({ journal, service, team, random: seededRandom(seed + (ending === 'SIGKILL' ? 1 : 0)) });
        await service.end(ending);
      } finally {
        await service.remove();
      }
    }
    if (team === undefined) throw new Error('there was no start');
    return { calls: readCallLog(log), team, root };
  } finally {
    await model.stop();
  }
}

function settingsOf(model: ModelServer): Record<string, string> {
  return {
    ...plentyOfWrites,
    INDEX_REFRESH_SECONDS: '1',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
    MODEL_PRICES: '{"scripted":{"input":0,"output":1}}',
  };
}

function makeTeam(journal: Journal, service: StartedService): Promise<TeamClients> {
  return journal.act({ makes: ['team', 'key', 'key', 'key'] }, () => newTeam(service), madeTeam);
}

/** What the answers say that made a team. */
export function madeTeam({ slug, teamKey, externalKey, readKey }: TeamClients): Told {
  return {
    made: [
      [`team ${slug}`, 'there'],
      ...[teamKey, externalKey, readKey].map((key) => [`key ${idOf(key)}`, 'active'] as const),
    ],
    audited: ['team.create', 'member.add', 'key.create', 'key.create', 'key.create'],
  };
}

const idOf = (key: string) => key.split('_')[1] ?? '';

interface Work {
  journal: Journal;
  service: StartedService;
  team: TeamClients;
  random: SeededRandom;
}

async function work({ random, ...shared }: Work): Promise<void> {
  const own = () => seededRandom(Number(random.bits() & 0xffff_ffffn));
  const writing = Array.from({ length: writers }, (_, index) =>
    write({ ...shared, random: own() }, `w${index}`),
  );
  const { rpcUrl, adminToken } = shared.service;
  const admin = createAdminClient({ rpcUrl, token: adminToken, timeoutMs: callTimeoutMs });
  const administering = administer({ ...shared, random: own() }, admin).finally(admin.close);
  await Promise.all([...writing, administering, follow(shared.journal, shared.team.team)]);
}

/** Pushes, removes and erases items of its own, and asks. */
async function write(
  { journal, team: { team, slug, readKey }, service, random }: Work,
  name: string,
): Promise<void> {
  const texts = new Map<string, string[]>();
  const anyKey = () => random.pick([...texts.keys(), `${name}/${random.integerBelow(100)}.md`]);
  const push = async () => {
    const keys = new Set(Array.from({ length: 1 + random.integerBelow(4) }, anyKey));
    const items = [...keys].map((key) => item(key, textOf(random)));
    for (const { row_key, content } of items) texts.getOrInsert(row_key, []).push(content);
    const changes = items.map(({ row_key, checksum }) => [`item ${row_key}`, checksum] as const);
    await journal.act({ changes }, async () => expectStatus(200, await team.push(...items)));
  };
  const pushInVain = async () => {
    const refused = item(`${name}/refused-${randomUUID()}.md`, textOf(random));
    const reader = keyHolder(service, { slug }, readKey);
    await journal.act({}, async () => expectStatus(403, await reader.push(refused)));
    const wrong = { ...refused, tier: 'nobody' };
    const good = item(`${name}/beside-${randomUUID()}.md`, textOf(random));
    const changes = [[`item ${good.row_key}`, good.checksum]] as const;
    await journal.act({ changes }, async () => expectStatus(200, await team.push(good, wrong)));
  };
  const remove = async () => {
    const key = anyKey();
    if (!texts.has(key)) return;
    const erases = random.chance(0.5);
    const path = `/items/${encodeURIComponent(key)}${erases ? '?erase=true' : ''}`;
    await journal.act(
      { changes: [[`item ${key}`, erases ? 'erased' : 'removed']] },
      async () => expectStatus(204, await team.call(path, { method: 'DELETE' })),
      () => ({
        audited: [erases ? 'item.erase' : 'item.remove'],
        erased: erases ? (texts.get(key) ?? []).map(wordOf) : [],
      }),
    );
    texts.delete(key);
  };
  const ask = () =>
    journal
      .act(
        {},
        () =>
          team.ask(
            `What is known of ${random.pick([...texts.values(), ['nothing']].flat()).split(' ', 1)[0]}?`,
          ),
        ({ text }) => ({ spent: text.startsWith('It is so') ? tokensOfAnswer : 0 }),
      )
      // A machine that is busy with other work refuses questions, and here that is no fault.
      .catch((error) => {
        if (!String(error).includes('answered 503')) throw error;
      });
  for (let step = 0; step < stepsOfWriter; step += 1)
    await random.pick([push, push, push, pushInVain, remove, remove, ask, ask])();
}

/** Creates keys and decisions, and revokes, edits and removes them. */
async function administer({ journal, team: { slug }, random }: Work, admin: AdminClient): Promise<void> {
  const decisions = admin.decisions(slug);
  const keys: string[] = [];
  const made: string[] = [];
  const createKey = async () => {
    const { key_id } = await journal.act(
      { makes: ['key'] },
      () => admin.createKey({ team: slug, member: 'ada', tier: 'team' }),
      (key) => ({ made: [[`key ${key.key_id}`, 'active']], audited: ['key.create'] }),
    );
    keys.push(key_id);
  };
  const revokeKey = async () => {
    const id = keys.pop();
    if (id === undefined) return;
    await journal.act(
      { changes: [[`key ${id}`, 'revoked']] },
      () => admin.revokeKey(id),
      () => ({ audited: ['key.revoke'] }),
    );
  };
  const decide = async () => {
    const decision = { title: `Decision ${random.bits()}`, body: textOf(random), audience: 'team' } as const;
    const { decision_id } = await journal.act(
      { makes: ['decision'] },
      () => decisions.create(decision),
      ({ decision_id: id, title }) => ({ made: [[`decision ${id}`, title]], audited: ['decision.create'] }),
    );
    made.push(decision_id);
  };
  const edit = async () => {
    const id = made.at(-1);
    if (id === undefined) return;
    const title = `Edited ${random.bits()}`;
    await journal.act(
      { changes: [[`decision ${id}`, title]] },
      () => decisions.edit(id, { title }),
      () => ({ audited: ['decision.edit'] }),
    );
  };
  const remove = async () => {
    const id = made.pop();
    if (id === undefined) return;
    await journal.act(
      { changes: [[`decision ${id}`, 'removed']] },
      () => decisions.remove(id),
      () => ({ audited: ['decision.remove'] }),
    );
  };
  for (let step = 0; step < stepsOfAdministrator; step += 1)
    await random.pick([createKey, createKey, revokeKey, decide, decide, edit, remove])();
}

/** Follows the feed as `tms sync` does. */
async function follow(journal: Journal, team: KeyHolder): Promise<void> {
  let cursor = '';
  for (let step = 0; step < stepsOfFollower; step += 1) {
    const { body } = await journal.act(
      {},
      async () => expectStatus(200, await team.pull(`?include_deleted=true&cursor=${cursor}`)),
      (answer) => ({ page: { cursor: answer.body.next_cursor, rows: answer.body.items.map(followed) } }),
    );
    cursor = body.next_cursor;
  }
}

/** A row of the feed as a follower keeps it. */
export function followed(row: { row_key: string; checksum: string; deleted?: boolean }) {
  return [row.row_key, row.deleted === true ? null : row.checksum] as const;
}

/** @throws Error for an answer of another status. */
export function expectStatus<Answer extends { status: number; body: unknown }>(
  status: number,
  answer: Answer,
): Answer {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** A text of some sectors that begins with a word which no other has. */
function textOf(random: SeededRandom): string {
  const word = `word${createHash('sha256').update(String(random.bits())).digest('hex').slice(0, 16)}`;
  return `${word} is kept here.\n${`${word} lies beside ${random.bits()}.\n`.repeat(random.integerBelow(60))}`;
}

/** The word that a text begins with. */
export function wordOf(text: string): string {
  return text.split(' ', 1)[0] ?? '';
}
