import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describeEachEngine, type Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterEach, expect, test } from 'vitest';
import { noon, spendingOn } from '../domain/spending/spending.fixture.ts';
import { openQueryStores, type QueryStores } from './open-stores.ts';
import {
  parallelCalls,
  type SpenderStorage,
  spenderCaps,
  spenderUsage,
  spenderWorstCase,
} from './usage-spender.fixture.ts';
import { spentOn } from './usage-store.contract.ts';

const program = fileURLToPath(new URL('usage-spender.fixture.ts', import.meta.url));
/** A call reserves 100 and uses 50. */
const reserved = spenderWorstCase.inputTokens + spenderWorstCase.outputTokens;
const used = spenderUsage.inputTokens + spenderUsage.outputTokens;
const expired = noon + 60 * 60_000;
const timeoutMs = 60_000;
/** A process starts in a second, on a loaded machine in several times that. */
const patience = { withinMs: 20_000 };

/** Few enough to be done long before the cap is reached. */
const callsBeforeStop = 12;

interface Spender {
  process: ChildProcess;
  /** Resolves when it is gone and all that it said has been read. */
  gone: Promise<unknown>;
  counts: { settled: number; refused: number };
}

const spenders: Spender[] = [];
let stores: QueryStores | undefined;
afterEach(async () => {
  for (const { process } of spenders.splice(0)) process.kill('SIGKILL');
  await stores?.close();
  stores = undefined;
});

function startSpender(storage: SpenderStorage, memberId: string, stopsAfter = Infinity): Spender {
  const child = spawn(process.execPath, [program, JSON.stringify(storage), memberId, String(stopsAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const counts = { settled: 0, refused: 0 };
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) counts[line as keyof Spender['counts']] += 1;
  });
  const spender = { process: child, gone: once(child, 'close'), counts };
  spenders.push(spender);
  return spender;
}

function storageOf(engine: Engine): SpenderStorage {
  const storage = engine.storage();
  if (storage.engine === 'sqlite') return storage;
  const server = mongoServerForTests();
  if ('reason' in server) throw new Error(server.reason);
  return { engine: 'mongodb', url: server.url, database: storage.connection.db.databaseName };
}

describeEachEngine('kill -9 of a process that spends', (engine) => {
  // A file of SQLite has one process at a time; MongoDB is shared by several at once.
  const besides = engine.name === 'mongodb' ? 2 : 0;

  test(
    'lets nobody past the cap, and leaves nothing held back for ever',
    async () => {
      const storage = storageOf(engine);
      const killed = startSpender(storage, 'killed', callsBeforeStop);
      await eventually(
        'it spends and stands still',
        () => killed.counts.settled >= callsBeforeStop,
        patience,
      );
      // Not before: they could use up the cap while it is only starting.
      const others = Array.from({ length: besides }, (_, index) => startSpender(storage, `other-${index}`));
      const isShared = () => besides === 0 || others.some(({ counts }) => counts.settled > 0);
      await eventually('another one spends beside it', isShared, patience);
      killed.process.kill('SIGKILL');
      await killed.gone;
      others.push(startSpender(storage, 'next'));
      await Promise.all(others.map(({ gone }) => gone));
      expect(others.map(({ counts }) => counts.refused)).toEqual(others.map(() => 1));

      stores = await openQueryStores(engine.storage());
      const { usage } = stores;
      const settled = spenders.reduce((sum, { counts }) => sum + counts.settled, 0);
      const { team = 0 } = await spentOn(usage, 'team');
      expect(team).toBeGreaterThanOrEqual(settled * used);
      expect(team).toBeLessThanOrEqual(spenderCaps.team);
      // Each call that the killed process had under way may be held in full.
      expect(team).toBeLessThanOrEqual(settled * used + parallelCalls * reserved);
      // Whoever was refused last saw no room for one more call beside those that the others had under way.
      expect(team).toBeGreaterThan(spenderCaps.team - parallelCalls * others.length * reserved);

      await sweep(stores);
      expect(await usage.expired('team', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      const range = { from: '2026-11-21', to: '2026-11-21', after: undefined, limit: 10 };
      const totals = await usage.totals('team', range);
      expect(await spentOn(usage, 'team')).toMatchObject({ team });
      for (const { memberId, cost } of totals) {
        expect(await spentOn(usage, 'team', '2026-11-21', memberId)).toMatchObject({ member: cost });
      }
      const sum = totals.reduce((total, { cost }) => total + cost, 0);
      // A process that died between its member's day and the team's has charged one of them only.
      expect(Math.abs(sum - team)).toBeLessThanOrEqual(parallelCalls * reserved);
      await fillUp(stores);
    },
    timeoutMs,
  );
});

/** Lets the time of all reservations run out and a free call sweep them. */
async function sweep({ usage }: QueryStores): Promise<void> {
  const spending = spendingOn(usage, spenderCaps);
  spending.time.now = expired;
  await spending.reserve({ teamId: 'team', memberId: 'sweeper' }, 'free', spenderWorstCase);
  const open = await usage.expired('team', Number.MAX_SAFE_INTEGER, 10);
  expect(open.map(({ memberId }) => memberId)).toEqual(['sweeper']);
  for (const reservation of open) await usage.release('team', reservation);
}

/** Spends what is left to the last micro-dollar: neither more nor less was left. */
async function fillUp({ usage }: QueryStores): Promise<void> {
  const { team = 0 } = await spentOn(usage, 'team');
  const spending = spendingOn(usage, spenderCaps);
  const rest = { inputTokens: spenderCaps.team - team, outputTokens: 0 };
  await spending.reserve({ teamId: 'team', memberId: 'last' }, 'writer', rest);
  const more = spending.reserve({ teamId: 'team', memberId: 'last' }, 'writer', {
    inputTokens: 1,
    outputTokens: 0,
  });
  await expect(more).rejects.toMatchObject({
    dailyCap: { scope: 'team', spentMicroDollars: spenderCaps.team },
  });
}
