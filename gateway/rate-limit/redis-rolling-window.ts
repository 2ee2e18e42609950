import { AppError } from '@teammemory/errors/app-error.ts';
import type { Quota, RateLimiter } from './rate-limiter.ts';
import { readRedisScript } from './redis-connection.ts';
import type { RedisContact, RedisSession } from './redis-contact.ts';
import { createRollingWindow } from './rolling-window.ts';
import { createWindowLedger, stampGrainMs } from './window-ledger.ts';

/** Commands of one limit that may wait for Redis at once; a server that keeps up has fewer than a tenth of that. */
const maximumInFlight = 5_000;
/** Keys written at once when Redis is back. */
const restoredAtOnce = 100;

const script = readRedisScript('rolling-window.lua');

/** A limit counted over all gateways. */
export interface RedisRollingWindow extends RateLimiter {
  /** Writes all that this gateway admitted in the last window into a new session. */
  restore(session: RedisSession): Promise<void>;
}

/**
 * An exact rolling window over all gateways, counted by one script in Redis; and
 * while Redis is gone, this gateway's share of it, counted here. What this
 * gateway admits is kept here too: it counts against the share, and replaces
 * whatever Redis has of this gateway when Redis is back, which may come back
 * empty, with everything, or with a part.
 *
 * `reserve` throws AppError `unavailable` before Redis was first reached, and when too many commands wait for it.
 */
export function createRedisRollingWindow(options: {
  /** Tells limits apart in Redis. */
  name: string;
  limit: number;
  clock: () => number;
  windowMs: number;
  contact: RedisContact;
}): RedisRollingWindow {
  const { name, limit, clock, windowMs, contact } = options;
  const ledger = createWindowLedger({ clock, limit, windowMs });
  const local = createRollingWindow({ limit, ledger, share: () => contact.share(limit) });
  // Longer than any call behind the gateway takes: slots of a gateway that was killed count so long, and a window.
  const leaseMs = Math.ceil(windowMs / 2);
  const grainMs = stampGrainMs(limit, windowMs);
  let entered: RedisSession | undefined;
  /** Keys whose earlier admissions this session does not have yet. */
  let missing = new Set<string>();
  let inFlight = 0;

  async function run(
    session: RedisSession,
    key: string,
    operation: string,
    args: readonly (string | number)[],
  ) {
    const own = contact.ownLimit(limit);
    const all = [operation, session.name, windowMs, leaseMs, grainMs, limit, own, ...args];
    // In braces: the part of the name that Redis Cluster places keys by.
    const how = { withSource: operation === 'restore' };
    inFlight += 1;
    try {
      return await session.connection.evaluate(script, `tms:limit:{${name}:${key}}`, all, how);
    } finally {
      inFlight -= 1;
    }
  }

  async function restoreKey(session: RedisSession, key: string): Promise<void> {
    missing.delete(key);
    const { held, used } = ledger.copy(key);
    const stamps = used.flatMap(({ ageMs, count }) => [ageMs, count]);
    await run(session, key, 'restore', [session.gateway, held, ...stamps]);
  }

  function enter(session: RedisSession): void {
    if (session === entered) return;
    entered = session;
    missing = new Set(ledger.keys());
  }

  /** The session to count a key in. Commands are run in their order, so nothing need wait for a restore. */
  function sessionFor(key: string): RedisSession | undefined {
    const session = contact.session();
    if (session === undefined) return undefined;
    enter(session);
    // A fault of it ends the session, and is seen by the next command.
    if (missing.has(key)) restoreKey(session, key).catch(() => {});
    return session;
  }

  /** Holds slots in Redis and answers the milliseconds to wait if they are not free; undefined when Redis is gone. */
  async function reserveInRedis(key: string, count: number): Promise<number | undefined> {
    const session = sessionFor(key);
    if (session === undefined) return undefined;
    try {
      return Number(await run(session, key, 'reserve', [count]));
    } catch {
      return undefined;
    }
  }

  async function settle(key: string, count: number, used: number): Promise<void> {
    const session = sessionFor(key);
    ledger.settle(key, count, used);
    if (session === undefined) return;
    // If Redis is lost here, the ledger tells it when it is back.
    await run(session, key, 'settle', [count, Math.min(used, count)]).catch(() => {});
  }

  return {
    async reserve(key, count) {
      if (!contact.knowsGateways() || inFlight >= maximumInFlight) {
        throw new AppError('unavailable', 'The limits cannot be counted at this moment.');
      }
      const waitMs = await reserveInRedis(key, count);
      if (waitMs === undefined) {
        const result = await local.reserve(key, count);
        if ('retryAfterSeconds' in result) return result;
      } else if (waitMs > 0) {
        return { retryAfterSeconds: Math.ceil(waitMs / 1000) };
      } else {
        ledger.hold(key, count);
      }
      return { settle: (used) => settle(key, count, used) };
    },
    async quota(key): Promise<Quota> {
      const session = inFlight < maximumInFlight ? sessionFor(key) : undefined;
      if (session === undefined) return local.quota(key);
      try {
        const [remaining, resetMs] = (await run(session, key, 'quota', [])) as [number, number];
        const resetSeconds = Math.ceil(resetMs / 1000);
        return { limit, windowSeconds: Math.ceil(windowMs / 1000), remaining, resetSeconds };
      } catch {
        return local.quota(key);
      }
    },
    async restore(session) {
      enter(session);
      while (missing.size > 0) {
        const keys = missing.keys().take(restoredAtOnce).toArray();
        await Promise.all(keys.map((key) => restoreKey(session, key)));
      }
    },
  };
}
