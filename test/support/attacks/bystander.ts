import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningService, Team } from '../service/running-service.ts';
import type { BystanderReport, BystanderRequest } from './bystander-program.ts';

/**
 * What a bystander's slowest answer may take while an attack goes on. The goal is 500 ms on two idle cores, which the
 * figures that tests print are to be held against. What is asserted is twenty times that: it tells a service that hangs
 * from one that answers, whatever else the machine does. A service that computes for too long at once fails by its own
 * monitor, which counts processor time (longest turn of the event loop).
 */
export const bystanderBoundMs = 10_000;

/** What an attack may add to the memory that settings bound. */
export const extraMemoryBoundMegabytes = 300;

/** What a bystander does over and over. */
export interface BystanderAction {
  path: string;
  /** Sent as JSON with POST; without one the request is a GET. */
  body: object;
  pauseMs: number;
}

/** A client of another team, which goes on pulling while an attack is under way. */
export interface Bystander {
  /** Ends it and returns what it saw. */
  stop(): Promise<BystanderReport>;
}

/** Processes whose bystander has stopped, for the next one of this test file: starting a process costs half a second. */
const idle: ChildProcess[] = [];

/** Between two requests of a bystander. */
const defaultPauseMs = 40;

/**
 * Starts a process that pulls one item every 40 ms with the team's key, or sends
 * another request; resolves once its first answer has come.
 */
export async function startBystander(
  service: Pick<RunningService, 'url'>,
  team: Pick<Team, 'slug' | 'teamKey'>,
  { path = '/api/v1/items?limit=1', body, pauseMs = defaultPauseMs }: Partial<BystanderAction> = {},
): Promise<Bystander> {
  const child = idle.pop() ?? fork(join(import.meta.dirname, 'bystander-program.ts'));
  const finished = new AbortController();
  const failed = once(child, 'exit', { signal: finished.signal }).then(([code]) => {
    throw new Error(`the bystander ended with ${code}`);
  });
  failed.catch(() => undefined);
  const message = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  const request: BystanderRequest = {
    url: `${service.url}${path}`,
    headers: {
      authorization: `Bearer ${team.teamKey}`,
      'x-svc-team': team.slug,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    pauseMs,
  };
  child.ref();
  child.channel?.ref();
  const pulling = message();
  child.send(request);
  await pulling;
  return {
    async stop() {
      const report = message();
      child.send('stop');
      const seen = (await report) as BystanderReport;
      finished.abort();
      // An idle process does not keep this one from ending, and ends with it.
      child.unref();
      child.channel?.unref();
      idle.push(child);
      return seen;
    },
  };
}

/** Memory that a process holds now (`VmRSS` of Linux), in megabytes of 2^20 bytes; not a number elsewhere. */
export function residentMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, 'VmRSS');
}

/** The most that it ever held (`VmHWM`). */
export function peakMegabytes(pid: number | undefined): number {
  return megabytesOf(pid, 'VmHWM');
}

function megabytesOf(pid: number | undefined, field: string): number {
  if (process.platform !== 'linux' || pid === undefined) return Number.NaN;
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  return Number(kilobytes) / 1024;
}

/** One line for the figures of an attack, which are to be read in the output of a run. */
export function printFigures(
  attack: string,
  { worstMs, medianMs, requests }: BystanderReport,
  more = '',
): void {
  const times = `worst ${worstMs.toFixed(0)} ms, median ${medianMs.toFixed(1)} ms of ${requests} requests`;
  console.log(`${attack}: bystander ${times}${more === '' ? '' : `, ${more}`}`);
}
