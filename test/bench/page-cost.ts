import { api } from '../support/http/api.ts';
import type { RunningService, StartedService, Team } from '../support/service/running-service.ts';
import { startBenchService } from './bench-service.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { benchBatches, portOf, requestBytes } from './requests.ts';
import { interleavedRounds } from './rounds.ts';

const itemsPerPush = 200;
const fewItems = 1_000;
/** Places in the feed that pages are read from, evenly spread. */
const places = 100;
/** Around 50, and different, so that far more pages are asked for than the service remembers. */
const pageSizes = Array.from({ length: 20 }, (_, index) => 41 + index);
const maxPageItems = 200;

/** The time for a page anywhere in a feed of 100,000 items, against a feed of 1,000. */
export async function measurePageCost(context: BenchContext): Promise<Measurement> {
  const { quick, load } = context;
  const manyItems = quick ? 10_000 : 100_000;
  const services: StartedService[] = [];
  async function filled(items: number): Promise<() => Promise<number>> {
    const service = await startBenchService();
    services.push(service);
    const team = await service.createTeam();
    await fill(context, service, team, items);
    const requests = await pageRequests(service, team, items);
    return async () => {
      const result = await load({
        port: portOf(service),
        connections: 1,
        requests,
        durationMs: quick ? 300 : 1_500,
      });
      return result.milliseconds / result.answers;
    };
  }
  try {
    const contestants = [await filled(manyItems), await filled(fewItems)] as const;
    await interleavedRounds(1, ...contestants);
    return {
      name: `page of a feed of ${manyItems} items, against one of ${fewItems}`,
      unit: 'ms/page',
      goal: { atMost: 1.2 },
      ...(await interleavedRounds(quick ? 3 : 9, ...contestants)),
    };
  } finally {
    for (const service of services) await service.remove();
  }
}

async function fill(
  { load }: BenchContext,
  service: RunningService,
  team: Team,
  items: number,
): Promise<void> {
  const pushes = 20;
  for (let start = 0; start < items; start += pushes * itemsPerPush) {
    const batches = benchBatches(start, Math.min(pushes, (items - start) / itemsPerPush), itemsPerPush);
    const requests = batches.map((batch) => requestBytes(team, 'POST', '/api/v1/items', { items: batch }));
    await load({ port: portOf(service), connections: 2, requests });
  }
}

/** Pages of every size behind places that are found by reading through the feed once. */
async function pageRequests(service: RunningService, team: Team, items: number): Promise<Uint8Array[]> {
  const step = Math.min(maxPageItems, items / places);
  const every = items / places / step;
  const cursors: string[] = [];
  for (let cursor = '', page = 0, more = true; more; page += 1) {
    if (page % every === 0) cursors.push(cursor);
    const path = `/api/v1/items?cursor=${cursor}&limit=${step}`;
    const { body } = await api(service, team, team.teamKey, path);
    cursor = body.next_cursor;
    more = body.has_more;
  }
  return pageSizes.flatMap((limit) =>
    cursors.map((cursor) => requestBytes(team, 'GET', `/api/v1/items?cursor=${cursor}&limit=${limit}`)),
  );
}
