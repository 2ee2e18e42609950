import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterEach, test } from 'vitest';
import { writeAndFollow } from './support/feed/write-and-follow.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { serviceOptionsFor } from './support/service/shared-service.ts';

/** SecantusDB writes a hundred rows a second, and fewer where two processes collide. */
const mongodb = mongoServerForTests();
const isSlow = 'name' in mongodb && mongodb.name.startsWith('SecantusDB');
const upsertsOfOneProcess = { sqlite: 2_000, mongodb: isSlow ? 320 : 2_000 };
const upsertsOfTwoProcesses = isSlow ? 240 : 2_000;
/** A limit for what hangs: seconds, on a busy machine a minute or two. */
const timeoutMs = 300_000;
/** Followers must leave a slow server some time to write. */
const pollPauseMs = { sqlite: 20, mongodb: 250 } as const;
const unlimited = { ITEM_WRITES_PER_MINUTE: '1000000' };

const running: StartedService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.remove();
});

describeEachEngine('the item feed', ({ name, storage }) => {
  test(
    'shows every change once and in order to all who follow it while eight writers push',
    async () => {
      await followed([await start()], upsertsOfOneProcess[name]);
    },
    timeoutMs,
  );

  // SQLite belongs to one process.
  if (name === 'sqlite') return;
  test(
    'has no holes when two processes write to one database',
    async () => {
      await followed([await start(), await start()], upsertsOfTwoProcesses);
    },
    timeoutMs,
  );

  async function followed(targets: [StartedService, ...StartedService[]], upserts: number): Promise<void> {
    const team = await targets[0].createTeam();
    await writeAndFollow({ team, targets, upserts, pauseMs: pollPauseMs[name] });
  }

  async function start(): Promise<StartedService> {
    const service = await startService(serviceOptionsFor(storage(), unlimited));
    running.push(service);
    return service;
  }
});
