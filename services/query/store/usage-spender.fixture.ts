import { connectMongo } from '@teammemory/mongo/mongo-connection.ts';
import { spendingOn } from '../domain/spending/spending.fixture.ts';
import { openQueryStores, type Storage } from './open-stores.ts';

/** Where a spender in a process of its own finds the store. */
export type SpenderStorage =
  | { engine: 'sqlite'; directory: string }
  | { engine: 'mongodb'; url: string; database: string };

/** What every spender is allowed, and what a call of it reserves and uses, in micro-dollars and tokens. */
export const spenderCaps = { member: 100_000, team: 8_000 };
export const spenderWorstCase = { inputTokens: 60, outputTokens: 40 };
export const spenderUsage = { inputTokens: 30, outputTokens: 20 };
export const parallelCalls = 8;

/**
 * The program of a process that spends until it is refused: it prints a line
 * `settled` for each call and `refused` at the end. After `callsBeforeStop`
 * calls it stands still in the middle of the others, to be killed there.
 */
async function spend(storage: SpenderStorage, memberId: string, callsBeforeStop: number): Promise<void> {
  const stores = await openQueryStores(await open(storage));
  const spending = spendingOn(stores.usage, spenderCaps);
  let settled = 0;
  const one = async () => {
    for (;;) {
      const charge = await spending.reserve({ teamId: 'team', memberId }, 'writer', spenderWorstCase);
      await charge.settle(spenderUsage);
      process.stdout.write('settled\n');
      settled += 1;
      if (settled === callsBeforeStop) process.kill(process.pid, 'SIGSTOP');
    }
  };
  await Promise.allSettled(Array.from({ length: parallelCalls }, one));
  process.stdout.write('refused\n', () => process.exit());
}

async function open(storage: SpenderStorage): Promise<Storage> {
  if (storage.engine === 'sqlite') return storage;
  return { engine: 'mongodb', connection: await connectMongo(storage) };
}

if (import.meta.main) {
  const [storage = '', memberId = '', callsBeforeStop] = process.argv.slice(2);
  await spend(JSON.parse(storage), memberId, Number(callsBeforeStop));
}
