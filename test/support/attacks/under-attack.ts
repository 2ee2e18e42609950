import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { StartedService } from '../service/running-service.ts';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from './bystander.ts';

/** How often the memory of the service is looked at. */
const sampleMs = 100;

/**
 * Runs an attack while a bystander of another team pulls, prints what it cost,
 * and expects the bystander and the memory of the service to have kept within
 * their bounds. `boundMegabytes` is what settings and limits allow beside.
 */
export async function underAttack(
  name: string,
  service: StartedService,
  attack: () => Promise<void>,
  boundMegabytes = 0,
): Promise<void> {
  const bystander = await startBystander(service, await service.createTeam());
  const before = residentMegabytes(service.process.pid);
  let most = before;
  const ended = new AbortController();
  const sampling = (async () => {
    while (!ended.signal.aborted) {
      most = Math.max(most, residentMegabytes(service.process.pid));
      await delay(sampleMs);
    }
  })();
  try {
    await attack();
  } finally {
    ended.abort();
    await sampling;
  }
  const seen = await bystander.stop();
  const added = most - before;
  printFigures(name, seen, `+${added.toFixed(0)} MB`);
  expect(seen.failures).toEqual([]);
  expect(seen.worstMs).toBeLessThan(bystanderBoundMs);
  if (!Number.isNaN(added)) expect(added).toBeLessThan(extraMemoryBoundMegabytes + boundMegabytes);
}
