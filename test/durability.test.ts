import { createHash } from 'node:crypto';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, expect, test } from 'vitest';
import { pushUntilGone, type Sent, wordOf } from './support/feed/durable-pusher.ts';
import { api } from './support/http/api.ts';
import { type StartedService, startService, type Team } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

const pushers = 4;
/** The first kill comes after so many acknowledged rows, each later one after up to twice as many more. */
const rowsBetweenKills = 60;
const kills = { sqlite: 6, mongodb: 3 } as const;
const timeoutMs = 90_000;
const unlimited = { ITEM_WRITES_PER_MINUTE: '1000000' };

let service: StartedService | undefined;
afterEach(async () => {
  await service?.remove();
  service = undefined;
});

describeEachEngine('kill -9 under load', ({ name, storage }) => {
  test(
    'loses no acknowledged item, leaves none half-written, and the program starts again by itself',
    async () => {
      const options = serviceOptionsFor(storage(), unlimited);
      const random = seededRandom(kills[name]);
      const sent: Sent = new Map();
      let team: Team | undefined;
      for (let kill = 1; kill <= kills[name]; kill += 1) {
        service = await startService(options);
        team ??= await service.createTeam();
        await expectAllThere(service, team, sent);
        const goal = acknowledgedRows(sent) + rowsBetweenKills + random.integerBelow(rowsBetweenKills);
        await pushAndKill(service, team, sent, goal, kill);
      }
      service = await startService(options);
      if (team === undefined) throw new Error('there was no kill');
      await expectAllThere(service, team, sent);
      await expectQuestionSees(service, team, sent);
    },
    timeoutMs,
  );
});

async function pushAndKill(running: StartedService, team: Team, sent: Sent, goal: number, kill: number) {
  const pushing = Array.from({ length: pushers }, (_, index) =>
    pushUntilGone({
      service: running,
      team,
      sent,
      name: `pusher-${index}`,
      random: seededRandom(kill * pushers + index),
    }),
  );
  const enough = eventually('enough rows', () => acknowledgedRows(sent) >= goal, { withinMs: 30_000 });
  const gone = enough.finally(() => running.end('SIGKILL'));
  await Promise.all([gone, ...pushing]);
}

function acknowledgedRows(sent: Sent): number {
  return [...sent.values()].filter(({ acknowledged }) => acknowledged >= 0).length;
}

/** Each row is stored as acknowledged, or as a later version whose answer the kill cut off. */
async function expectAllThere(running: StartedService, team: Team, sent: Sent): Promise<void> {
  const stored = new Map((await pullAll(running, team)).map((row) => [row.row_key, row]));
  for (const { row_key, content, checksum } of stored.values()) {
    expect(`sha256:${createHash('sha256').update(content).digest('hex')}`, row_key).toBe(checksum);
    expect(sent.get(row_key)?.checksums, row_key).toContain(checksum);
  }
  for (const [rowKey, { checksums, acknowledged }] of sent) {
    if (acknowledged < 0) continue;
    const version = checksums.indexOf(stored.get(rowKey)?.checksum ?? '');
    expect(version, `${rowKey} was acknowledged`).toBeGreaterThanOrEqual(acknowledged);
  }
}

async function pullAll(running: StartedService, team: Team) {
  const rows: { row_key: string; content: string; checksum: string }[] = [];
  for (let cursor = '', more = true; more; ) {
    const { body } = await api(running, team, team.teamKey, `/api/v1/items?limit=200&cursor=${cursor}`);
    rows.push(...body.items);
    cursor = body.next_cursor;
    more = body.has_more;
  }
  return rows;
}

async function expectQuestionSees(running: StartedService, team: Team, sent: Sent): Promise<void> {
  const newest = [...sent].findLast(([, { acknowledged }]) => acknowledged >= 0)?.[0] ?? '';
  const { status, body } = await api(running, team, team.teamKey, '/api/v1/query', {
    body: { q: `${wordOf(newest)}?` },
  });
  expect(status).toBe(200);
  expect(body).toContain(`"row_key":${JSON.stringify(newest)}`);
  expect(body.trimEnd().endsWith('event: done\ndata: {}')).toBe(true);
}
