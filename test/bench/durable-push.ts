import { join } from 'node:path';
import { startBenchService } from './bench-service.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { openRawEngine } from './raw-engine.ts';
import { benchBatches, portOf, requestBytes } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

const itemsPerPush = 60;
/** Rows that the service puts into one commit at most. */
const maxGroupRows = 400;

/** Durable pushes of 60 new items of 2 KB, against SQLite itself writing the same rows in commits of the same size. */
export async function measureDurablePush(
  { quick, load }: BenchContext,
  connections: number,
): Promise<Measurement> {
  const service = await startBenchService();
  const raw = openRawEngine(service.dataDirectory, join(service.dataDirectory, 'content.sqlite'));
  try {
    const team = await service.createTeam();
    const pushes = quick ? 16 : 64;
    const rows = pushes * itemsPerPush;
    let oursFrom = 0;
    let theirsFrom = 0;
    const ours = async () => {
      const requests = benchBatches(oursFrom, pushes, itemsPerPush).map((items) =>
        requestBytes(team, 'POST', '/api/v1/items', { items }),
      );
      oursFrom += rows;
      const { milliseconds } = await load({ port: portOf(service), connections, requests });
      return (rows / milliseconds) * 1000;
    };
    const theirs = async () => {
      const items = benchBatches(theirsFrom, pushes, itemsPerPush).flat();
      theirsFrom += rows;
      return (rows / raw.write(items, Math.min(maxGroupRows, itemsPerPush * connections))) * 1000;
    };
    await interleavedRounds(1, ours, theirs);
    const plural = connections === 1 ? '' : 's';
    return {
      name: `durable push of ${itemsPerPush} items of 2 KB, ${connections} connection${plural}, against SQLite`,
      unit: 'items/s',
      goal: { atLeast: 0.85 },
      ...(await interleavedRounds(quick ? 3 : 7, ours, theirs)),
    };
  } finally {
    raw.close();
    await service.remove();
  }
}
