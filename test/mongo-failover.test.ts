import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseMongodb, type MongodbChoice } from './servers/choose-mongodb.ts';
import { type MortalMongodb, startMortalMongodb } from './servers/start-mongodb.ts';
import { type Answer, api, item } from './support/http/api.ts';
import { type StartedService, startService, type Team } from './support/service/running-service.ts';

const writers = 4;
/** Rows acknowledged before the server is killed, and after it is back. */
const rowsWanted = 40;
/** An operation on a dead server may take its whole deadline. */
const withinMs = 60_000;

const choice: MongodbChoice = await chooseMongodb(process.env);
const own = 'program' in choice;
const reason = 'reason' in choice ? choice.reason : 'the server of MONGODB_URL is not ours to kill';

describe.skipIf(!own)(`the MongoDB server is killed under load${own ? '' : ` (skipped: ${reason})`}`, () => {
  let mongodb: MortalMongodb | undefined;
  let service: StartedService;
  let team: Team;
  const acknowledged: string[] = [];
  const refused: Answer[] = [];

  beforeAll(async () => {
    if (!own) return;
    mongodb = await startMortalMongodb(choice);
    service = await startService({
      mongodbUrl: mongodb.url,
      environment: { ITEM_WRITES_PER_MINUTE: '1000000' },
    });
    team = await service.createTeam();
  }, withinMs);
  afterAll(async () => {
    await service?.remove();
    await mongodb?.stop();
  });

  async function write(name: string, finished: () => boolean): Promise<void> {
    for (let number = 0; !finished(); number += 1) {
      const rowKey = `${name}/${number}.md`;
      const answer = await api(service, team, team.teamKey, '/api/v1/items', {
        body: { items: [item(rowKey)] },
      });
      if (answer.status === 200) acknowledged.push(rowKey);
      else refused.push(answer);
    }
  }

  async function storedRows(): Promise<Set<string>> {
    const rows = new Set<string>();
    for (let cursor = '', more = true; more; ) {
      const { body } = await api(service, team, team.teamKey, `/api/v1/items?limit=200&cursor=${cursor}`);
      for (const { row_key } of body.items) rows.add(row_key);
      cursor = body.next_cursor;
      more = body.has_more;
    }
    return rows;
  }

  test(
    'what cannot be done is 503 with Retry-After, no acknowledged write is lost, and service resumes by itself',
    async () => {
      let finished = false;
      const writing = Array.from({ length: writers }, (_, index) => write(`w${index}`, () => finished));
      await eventually('writes before', () => acknowledged.length >= rowsWanted, { withinMs });
      await mongodb?.kill();
      await eventually('refusals', () => refused.length >= writers, { withinMs });
      const unready = await fetch(`${service.url}/readyz`);
      expect(unready.status).toBe(503);
      await mongodb?.revive();
      const before = acknowledged.length;
      await eventually('writes after', () => acknowledged.length >= before + rowsWanted, { withinMs });
      finished = true;
      await Promise.all(writing);

      for (const { status, body, headers } of refused) {
        expect([status, body.code]).toEqual([503, 'unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const stored = await storedRows();
      expect(acknowledged.filter((rowKey) => !stored.has(rowKey))).toEqual([]);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    },
    3 * withinMs,
  );
});
