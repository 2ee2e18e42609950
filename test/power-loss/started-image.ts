import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { item } from '../support/http/api.ts';
import { type KeyHolder, keyHolder } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';
import { plentyOfWrites } from '../support/service/shared-service.ts';
import type { Expectation } from './expectation.ts';
import type { Checked } from './images.ts';
import { followed, type Recording, wordOf } from './workload.ts';

const itemsAskedFor = 6;
const pushedAfterwards = 'after-the-crash.md';
const afterReboot = join(import.meta.dirname, 'after-reboot.ts');
/** The index of a team is made within a second or two of its first question. */
const patience = { withinMs: 30_000, everyMs: 200 };

/** Starts the program on an image, and returns what a client finds wrong with it. */
export async function faultsOfStart(
  { root, expectation, random }: Checked,
  { team }: Pick<Recording, 'team'>,
): Promise<string[]> {
  const service = await startService({
    dataDirectory: join(root, 'data'),
    environment: { ...plentyOfWrites, NODE_OPTIONS: `--import ${afterReboot}` },
  });
  try {
    const faults = await faultsOfAdministration(service);
    // Before its answer nobody knows the keys of the team.
    if (expectation.certain(`team ${team.slug}`) !== 'there') return faults;
    const holder = keyHolder(service, team, team.teamKey);
    const ready = await fetch(`${service.url}/readyz`);
    if (ready.status !== 200) faults.push(`/readyz answers ${ready.status}`);
    faults.push(...(await faultsOfFollower(holder, expectation)));
    faults.push(...(await faultsOfAnswers(holder, expectation, (list) => random.pick(list))));
    const built = await readMetric(service.metricsUrl, 'teammemory_search_index_build_seconds_count');
    if (built !== 1) faults.push(`the search index was made ${built} times, not anew`);
    return faults;
  } finally {
    await service.remove();
  }
}

async function faultsOfAdministration(service: StartedService): Promise<string[]> {
  return asAdministrator(service, async (admin) => {
    const faults: string[] = [];
    for (const log of ['auth', 'content'] as const) {
      const { problem } = await admin.audit.verify(log);
      if (problem !== null) faults.push(`audit verify of ${log}: ${problem}`);
    }
    await admin.createTeam({ slug: 'after-the-crash', name: 'After the crash' });
    return faults;
  });
}

async function rowsBehind(
  team: KeyHolder,
  cursor: string,
  rows: Map<string, string>,
): Promise<Map<string, string>> {
  for (let next = cursor, more = true; more; ) {
    const { status, body } = await team.pull(`?include_deleted=true&limit=200&cursor=${next}`);
    if (status !== 200)
      throw new Error(`the cursor ${next} is answered by ${status}: ${JSON.stringify(body)}`);
    for (const [rowKey, checksum] of body.items.map(followed)) {
      if (checksum === null) rows.delete(rowKey);
      else rows.set(rowKey, checksum);
    }
    next = body.next_cursor;
    more = body.has_more;
  }
  return rows;
}

/** Who goes on from a cursor of before the crash comes to what somebody finds who begins anew. */
async function faultsOfFollower(team: KeyHolder, { follower }: Expectation): Promise<string[]> {
  await team.push(item(pushedAfterwards, 'zygote is kept here.'));
  const followedRows = await rowsBehind(team, follower.cursor, new Map(follower.rows));
  const stored = await rowsBehind(team, '', new Map());
  const faults: string[] = [];
  for (const rowKey of new Set([...followedRows.keys(), ...stored.keys()])) {
    const [own = 'nothing', theirs = 'nothing'] = [followedRows.get(rowKey), stored.get(rowKey)];
    if (own !== theirs) faults.push(`a follower has ${own} for ${rowKey}, where ${theirs} is stored`);
  }
  return faults;
}

/** Questions find items that are there for certain, whatever became of the file of the search index. */
async function faultsOfAnswers(
  team: KeyHolder,
  expectation: Expectation,
  pick: (list: readonly string[]) => string,
): Promise<string[]> {
  const present = [...expectation.subjects()].filter(
    (subject) => subject.startsWith('item ') && expectation.certain(subject)?.startsWith('sha256:'),
  );
  const faults: string[] = [];
  for (let count = 0; count < itemsAskedFor; count += 1) {
    const rowKey = pick([...present, `item ${pushedAfterwards}`]).slice('item '.length);
    const { status, body } = await team.call(`/items/${encodeURIComponent(rowKey)}`);
    if (status !== 200) {
      faults.push(`${rowKey} is answered by ${status}`);
      continue;
    }
    const finds = async () => {
      const { sources } = await team.ask(`What is known of ${wordOf(body.content)}?`);
      return sources.some((source) => source.row_key === rowKey);
    };
    await eventually(`search to find ${rowKey}`, finds, patience).catch((error) =>
      faults.push(String(error)),
    );
  }
  return faults;
}
