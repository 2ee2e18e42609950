import { afterAll, beforeAll, expect } from 'vitest';
import { readMetric } from '../service/read-metric.ts';
import { type StartedService, startService, type Team } from '../service/running-service.ts';
import {
  type BystanderAction,
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  peakMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from './bystander.ts';

/** A service that the tests of one file attack, and a team beside the attacks. */
export interface AttackedService {
  service: StartedService;
  other: Team;
}

/** Starts the program before the tests of a file, with a team for the bystanders, and removes it after them. */
export function attackedService(environment: Record<string, string>): () => AttackedService {
  let started: AttackedService;
  beforeAll(async () => {
    const service = await startService({ environment });
    started = { service, other: await service.createTeam() };
  });
  afterAll(() => started.service.remove());
  return () => started;
}

/** An attack, those who stand beside it, and what it may take. */
export interface AttackBeside extends AttackedService {
  name: string;
  /** What the bystanders do, by what it is called; by default one pulls. */
  actions?: Record<string, Partial<BystanderAction>>;
  /** What settings and limits allow the attack to take. */
  boundMegabytes: number;
}

/**
 * Runs an attack beside bystanders, prints what each of them saw, and expects each of them to be served in time and
 * the peak of the service's memory to stay within its bound. Returns the longest turn of the service's event loop.
 */
export async function besideBystanders(
  { name, service, other, actions = { pulls: {} }, boundMegabytes }: AttackBeside,
  attack: () => Promise<void>,
): Promise<{ longestTurnSeconds: number }> {
  const { pid } = service.process;
  const before = residentMegabytes(pid);
  const bystanders = await Promise.all(
    Object.entries(actions).map(async ([what, action]) => ({
      what,
      bystander: await startBystander(service, other, action),
    })),
  );
  await attack();
  const reports = await Promise.all(
    bystanders.map(async ({ what, bystander }) => ({ what, report: await bystander.stop() })),
  );
  const grown = peakMegabytes(pid) - before;
  const longestTurnSeconds = await readMetric(
    service.metricsUrl,
    'teammemory_event_loop_longest_turn_seconds',
  );
  const figures = `+${grown.toFixed(0)} MB, longest turn ${(longestTurnSeconds * 1_000).toFixed(0)} ms`;
  for (const { what, report } of reports) printFigures(`${name}, ${what}`, report, figures);
  for (const { what, report } of reports) {
    expect(report.failures, what).toEqual([]);
    expect(report.worstMs, what).toBeLessThan(bystanderBoundMs);
  }
  if (!Number.isNaN(grown)) expect(grown).toBeLessThan(boundMegabytes + extraMemoryBoundMegabytes);
  return { longestTurnSeconds };
}
