import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import { portInUse } from '@teammemory/process/listening.ts';
import { openAll } from '@teammemory/process/open-all.ts';
import { gatewayPorts } from './config.ts';
import { findFreePorts } from './free-ports.ts';
import { planParts, type Shared } from './plan-parts.ts';
import { type Supervisor, supervise } from './supervise.ts';

/** Seven or more processes on a small machine that is busy. */
const startTimeoutMs = 90_000;
const pollMs = 100;
/** A gateway gives each part it asks less than this. */
const readyTimeoutMs = 10_000;
/** Other programs take one of a few ports in the second before it is bound; three times in a row is no accident. */
const maxStarts = 3;

/** All parts, up and kept running. */
export interface StartedParts {
  supervisor: Supervisor;
  /** Base addresses of the gateways, in their order. */
  gateways: string[];
  rpcAddress: string;
  /** Stops all parts. */
  stop(): Promise<void>;
}

/** The settings that all parts share. */
export type PartsOptions = Omit<Shared, 'freePort'> & { repository: string; log: Log };

/**
 * Starts all parts and waits until every gateway says that it is ready. Where
 * something else took a port that was chosen here, it starts them anew on others.
 * @throws AppError `unavailable` when a part cannot be started, or too slowly;
 *   `invalid_request` when only some of the settings of TLS are there.
 */
export async function startParts(options: PartsOptions): Promise<StartedParts> {
  const { RPC_PORT, METRICS_PORT } = options.settings;
  const except = [...gatewayPorts(options.settings), RPC_PORT, METRICS_PORT];
  for (let starts = 1; ; starts += 1) {
    const ports = findFreePorts({ host: '127.0.0.1', except });
    const plan = await planParts({ ...options, freePort: ports.take });
    await ports.release();
    try {
      return await startPlanned(plan, options);
    } catch (error) {
      const taken = portInUse(error);
      if (taken === undefined || !ports.found(taken.port) || starts === maxStarts) throw error;
      options.log.warn({ port: taken.port }, 'something else took a port; starting again on others');
    }
  }
}

function startPlanned(
  { parts, rpcAddress }: Awaited<ReturnType<typeof planParts>>,
  { repository, log }: PartsOptions,
): Promise<StartedParts> {
  return openAll(log, async (onStop) => {
    const supervisor = supervise({ parts, repository, log });
    onStop(supervisor.stop);
    const gateways = parts.filter(({ stage }) => stage === 0).map(({ address }) => address);
    const starting = new AbortController();
    await Promise.race([supervisor.failed, untilReady(gateways, starting.signal)]).finally(() =>
      starting.abort(),
    );
    supervisor.keepRunning();
    return { supervisor, gateways, rpcAddress };
  });
}

/**
 * Waits until every gateway reaches every part. A gateway is ready before that, but here all parts start at once.
 * @throws AppError `unavailable` when that takes too long, naming what is missing.
 */
async function untilReady(gateways: readonly string[], signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (const address of gateways) {
    for (;;) {
      const missing = await missingAt(address);
      if (missing.length === 0) break;
      if (performance.now() > deadline) {
        throw new AppError(
          'unavailable',
          `The parts did not get ready in time; missing: ${missing.join(', ')}.`,
        );
      }
      await delay(pollMs, undefined, { signal });
    }
  }
}

/** Returns what a gateway says it waits for, or the gateway itself if it does not answer. */
async function missingAt(address: string): Promise<string[]> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    const { missing = [], degraded = [] } = (await answer.json()) as Partial<
      Record<'missing' | 'degraded', string[]>
    >;
    return [...missing, ...degraded];
  } catch {
    return ['gateway'];
  }
}
