import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { embeddingProgram, found, untilFoundByMeaning } from './support/models/embedding-program.ts';
import type { RunningService } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

const timeoutMs = 120_000;
const program = embeddingProgram();
const everySecond = { INDEX_REFRESH_SECONDS: '1' };

/** Waits until the team has an index of which so many passages have no vector. */
function untilWarm(running: RunningService, backlog = 0, isBuilt = true): Promise<unknown> {
  // An index that is being built has no backlog yet.
  const warm = [
    isBuilt ? 'teammemory_search_index_build_seconds_count 1' : 'teammemory_search_index_teams 1',
    `teammemory_embedding_backlog_passages ${backlog}`,
  ];
  return eventually(
    'a warm index',
    async () => {
      const lines = (await running.metrics()).split('\n');
      return warm.every((line) => lines.includes(line));
    },
    { withinMs: 60_000, everyMs: 100 },
  );
}

describeEachEngine('before anybody asks', (engine) => {
  test(
    'what is pushed is embedded, and after a restart the first question finds by meaning',
    async () => {
      const options = serviceOptionsFor(engine.storage());
      const { running, clients } = await program().startWithCrossings(everySecond, options);
      await eventually('three texts at the model', () => program().sent().length === 3, { withinMs: 60_000 });
      await untilWarm(running);
      expect(program().sent()).toHaveLength(3);
      expect(await running.end()).toBe(0);

      const again = await program().start(everySecond, options);
      // Beside SQLite the file of its index is still there.
      await untilWarm(again, 0, engine.name === 'mongodb');
      expect(program().sent()).toHaveLength(3);
      await untilFoundByMeaning(again, clients.teamKey);
    },
    timeoutMs,
  );
});

test(
  'where nothing may be spent nothing is sent, before and after a question',
  async () => {
    const { running, clients } = await program().startWithCrossings({
      ...everySecond,
      DAILY_TEAM_CAP_USD: '0',
    });
    await untilWarm(running, 3);
    expect((await found(running, clients.teamKey, 'When does the train cross at ten?'))[0]).toBe('a-rail.md');
    await untilWarm(running, 3);
    expect(program().sent()).toEqual([]);
  },
  timeoutMs,
);
