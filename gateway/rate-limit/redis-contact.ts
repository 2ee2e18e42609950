import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { answerRoll, heartbeatMs, leaveRoll, type Roll } from './gateway-roll.ts';
import { openRedisConnection, type RedisConnection } from './redis-connection.ts';

/** How often a gateway that has just come looks whether the others have seen it. */
const arrivalHeartbeatMs = 150;
/** Pause between attempts to reach a server that is gone; less up to a half, by chance. */
const probePauseMs = { shortest: 100, longest: 2_000 };

/** A connection with the name that this gateway counts under while it lasts. */
export interface RedisSession {
  connection: RedisConnection;
  gateway: string;
  /** Begins with `gateway`, like those of all its sessions. */
  name: string;
}

type Restore = (session: RedisSession) => Promise<unknown>;

/** How this gateway and Redis stand to each other (docs/adr/0016-redis-rate-limits.md). */
export interface RedisContact {
  /** Where to count; undefined while Redis is gone. */
  session(): RedisSession | undefined;
  /** What of a limit this gateway may admit by its own count. */
  share(limit: number): number;
  /** What of a limit this gateway may admit through Redis, besides the count of all. */
  ownLimit(limit: number): number;
  /** Whether it is known who shares the limits: false until Redis was reached once. */
  knowsGateways(): boolean;
  /** Seeks Redis from now on; `restore` writes what was admitted before into each new session. */
  start(restore: Restore): void;
  /** @throws AppError `unavailable` until all others have counted this gateway once. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps a gateway in contact with Redis, and remembers which gateways there are. */
export function createRedisContact(options: {
  url: string;
  /** Milliseconds that never go back. */
  clock: () => number;
  windowMs: number;
  log: Log;
  metrics: Metrics;
}): RedisContact {
  const { url, clock, windowMs, log, metrics } = options;
  const gateway = `${randomBytes(6).toString('base64url')}:`;
  const closing = new AbortController();
  let session: RedisSession | undefined;
  let sessions = 0;
  /** Attempts to reach Redis since limits were last exact. */
  let attempts = 0;
  /** Whether the count of all is enough; until then a session is arriving. */
  let exact = false;
  /** Whether all others have counted this gateway: before that it has no share. */
  let seated = false;
  /** Gateways last seen, this one included. */
  let known: ReadonlySet<string> = new Set();
  /** What the log said last. */
  let said: 'exact' | 'gone' | undefined;
  let ended = Promise.resolve();

  const liveSession = () => (session?.connection.over.aborted ? undefined : session);
  const isExact = () => exact && liveSession() !== undefined;
  const countLoss = metrics.counter('rate_limiter_redis_losses_total', 'Times that Redis was lost.');
  metrics.gauge('rate_limiter_redis_up', '1 while limits are counted over all gateways.', () =>
    Number(isExact()),
  );
  metrics.gauge('rate_limiter_gateways', 'Gateways last seen.', () => known.size);

  /** A new session is exact when all who were last seen have been in Redis since, or a window has passed. */
  function arrive({ lastHereMs }: Roll, sinceMs: number, waitedMs: number): void {
    const live = new Set(lastHereMs.keys());
    known = seated ? known.union(live) : live;
    const isBack = (other: string) => other === gateway || (lastHereMs.get(other) ?? 0) > sinceMs;
    if (waitedMs < windowMs && ![...known].every(isBack)) return;
    exact = true;
    seated = true;
    known = live;
    attempts = 0;
    if (said !== 'exact') log.info({ gateways: known.size }, 'limits are counted over all gateways');
    said = 'exact';
  }

  async function stay(current: RedisSession, restore: Restore): Promise<never> {
    const { connection } = current;
    const over = AbortSignal.any([connection.over, closing.signal]);
    await restore(current);
    const arrivedAtMs = clock();
    const first = await answerRoll(connection, gateway);
    for (let roll = first; ; roll = await answerRoll(connection, gateway)) {
      if (exact) known = new Set(roll.lastHereMs.keys());
      else arrive(roll, first.nowMs, clock() - arrivedAtMs);
      await delay(exact ? heartbeatMs : arrivalHeartbeatMs, undefined, { signal: over, ref: false });
    }
  }

  function lose(cause: unknown): void {
    exact = false;
    if (!seated) known = new Set();
    if (said === 'gone') return;
    if (said === 'exact') countLoss();
    said = 'gone';
    log.warn({ err: cause, gateways: known.size }, 'Redis is gone: limits are shared out between gateways');
  }

  async function keepContact(restore: Restore): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const connection = await openRedisConnection(url);
        sessions += 1;
        session = { connection, gateway, name: `${gateway}${sessions}` };
        await stay(session, restore);
      } catch (error) {
        if (closing.signal.aborted) break;
        lose(session?.connection.over.reason ?? error);
      }
      session?.connection.close();
      session = undefined;
      await delay(probePause(attempts), undefined, { signal: closing.signal, ref: false }).catch(() => {});
      attempts += 1;
    }
    const leaving = liveSession()?.connection;
    if (leaving !== undefined) await leaveRoll(leaving, gateway).catch(() => {});
    session?.connection.close();
  }

  const hasShare = () => known.size > 0 && (seated || liveSession() !== undefined);
  const share = (limit: number) => (hasShare() ? Math.floor(limit / known.size) : 0);
  return {
    session: liveSession,
    share,
    ownLimit: (limit) => (exact ? limit : share(limit)),
    knowsGateways: hasShare,
    start(restore) {
      ended = keepContact(restore);
    },
    async ready() {
      if (!seated) throw new AppError('unavailable', 'Redis was not reached yet.');
    },
    async close() {
      closing.abort();
      await ended;
    },
  };
}

function probePause(attempts: number): number {
  const pauseMs = Math.min(probePauseMs.longest, probePauseMs.shortest * 2 ** attempts);
  return pauseMs * (1 - Math.random() / 2);
}
