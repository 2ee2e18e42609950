import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@teammemory/async/backoff.ts';
import { within } from '@teammemory/async/bounded-wait.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** Redis answers in under a millisecond; one that takes this long does not count writes any more. */
const commandTimeoutMs = 1_000;
/** Commands that may wait for an answer at once; a server that keeps up has fewer than a tenth of that. */
const maxCommandsUnderWay = 5_000;
/** Pauses between attempts to reach a server that is gone. */
const reconnecting = { firstMs: 100, lastMs: 2_000 };
/** How often it is checked that Redis takes writes, so that the first request after a fault need not find out. */
const checkEveryMs = 1_500;
/** It takes what counting takes: a server that may be written to, and has memory left. */
const check = ['SET', 'tms:slots-check', '1', 'PX', '1'];

/** A script that the server knows by its digest once it has seen it. */
export interface RedisScript {
  source: string;
  sha1: string;
}

/** Reads the script `name` that lies beside this file. */
export function readRedisScript(name: string): RedisScript {
  const source = readFileSync(new URL(name, import.meta.url), 'utf8');
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/** Redis, as long as it answers. */
export interface RedisConnection {
  /** Runs a script on one key. Returns undefined where Redis does not answer: at once while it is known to be gone. */
  evaluate(script: RedisScript, key: string, args: readonly (string | number)[]): Promise<unknown>;
  /** Whether so many commands wait for an answer that no more should be begun. */
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Connects to the server of a `redis:` or `rediss:` URL, and again whenever it was lost. */
export function connectRedis(options: { url: string; log: Log; metrics: Metrics }): RedisConnection {
  const { url, log, metrics } = options;
  const closing = new AbortController();
  /** Before it is known whether Redis answers, nothing is counted: a gateway that starts has no count of its own. */
  const firstAttempt = Promise.withResolvers<void>();
  /** The connection while Redis answers. */
  let session: RedisSession | undefined;
  let commandsUnderWay = 0;
  let said: 'here' | 'gone' | undefined;

  const liveSession = () => (session?.over.aborted ? undefined : session);
  const countLoss = metrics.counter('teammemory_rate_limiter_redis_losses_total');
  metrics.gauge('teammemory_rate_limiter_redis_up', () => Number(liveSession() !== undefined));

  function sayHere(): void {
    if (said !== 'here') log.info('limits are counted over all gateways');
    said = 'here';
  }

  function sayGone(cause: unknown): void {
    if (said === 'gone') return;
    if (said === 'here') countLoss();
    said = 'gone';
    log.warn({ err: cause }, 'Redis is gone: each gateway counts by itself');
  }

  /** Uses one connection until its first fault. */
  async function useOneConnection(): Promise<never> {
    const opened = await openSession(url);
    const over = AbortSignal.any([opened.over, closing.signal]);
    try {
      for (;;) {
        await opened.run(check);
        session = opened;
        firstAttempt.resolve();
        sayHere();
        await delay(checkEveryMs, undefined, { signal: over, ref: false });
      }
    } catch (error) {
      throw opened.over.reason ?? error;
    } finally {
      session = undefined;
      opened.close();
    }
  }

  async function stayConnected(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const startedMs = performance.now();
      await useOneConnection().catch((error: unknown) => {
        if (!closing.signal.aborted) sayGone(error);
      });
      firstAttempt.resolve();
      // A server that answers the check and no script is lost again at once, and is not asked for more and more often.
      if (performance.now() - startedMs > 2 * reconnecting.lastMs) failures = 0;
      const pauseMs = backoffMs(reconnecting, failures);
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  const ended = stayConnected();
  return {
    async evaluate(script, key, args) {
      commandsUnderWay += 1;
      try {
        await firstAttempt.promise;
        const current = liveSession();
        return current && (await runScript(current, script, ['1', key, ...args.map(String)]));
      } catch {
        // The session is over, and says why.
        return undefined;
      } finally {
        commandsUnderWay -= 1;
      }
    },
    isBusy: () => commandsUnderWay >= maxCommandsUnderWay,
    async close() {
      closing.abort();
      await ended;
    },
  };
}

function runScript({ run }: RedisSession, { source, sha1 }: RedisScript, rest: string[]): Promise<unknown> {
  return run(['EVALSHA', sha1, ...rest], ['EVAL', source, ...rest]);
}

/** One connection, good until its first fault: it never reconnects and never queues for later. */
interface RedisSession {
  /**
   * Runs a command, and `whenUnknown` where the server has forgotten its script.
   * @throws the fault, within the deadline; the session is over then.
   */
  run(command: string[], whenUnknown?: string[]): Promise<unknown>;
  /** Aborted when the session is of no use any more. */
  readonly over: AbortSignal;
  close(): void;
}

/** @throws the fault, within the deadline. */
async function openSession(url: string): Promise<RedisSession> {
  // Loading it is a good part of a start, and of no use without a server. Of a CommonJS module a bundle has the default
  // export only.
  const { default: redis } = await import('@redis/client');
  const client = redis.createClient({
    url,
    // The older protocol, and no CLIENT SETINFO: proxies and older servers know no other.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    // The client's own way to reconnect takes one that accepts connections for one that answers.
    socket: { connectTimeout: commandTimeoutMs, reconnectStrategy: false },
  });
  const ended = new AbortController();
  const end = (cause: unknown) => {
    if (ended.signal.aborted) return;
    ended.abort(cause);
    if (client.isOpen) client.destroy();
  };
  client.on('error', end);
  client.on('end', () => end(new Error('Redis closed the connection')));

  async function withinDeadline<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      ended.signal.throwIfAborted();
      return await settledInTime(work());
    } catch (error) {
      end(error);
      throw error;
    }
  }

  await withinDeadline(() => client.connect());
  return {
    run: (command, whenUnknown) =>
      withinDeadline(() =>
        client.sendCommand(command).catch((error: unknown) => {
          const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
          if (isUnknown && whenUnknown !== undefined) return client.sendCommand(whenUnknown);
          throw error;
        }),
      ),
    over: ended.signal,
    close: () => end(new Error('the connection was closed')),
  };
}

/** The client's own deadline ends when a command is written; this one lasts until it is answered. */
async function settledInTime<Result>(work: Promise<Result>): Promise<Result> {
  const answer = await within(
    work.then((result) => ({ result })),
    commandTimeoutMs,
  );
  if (answer === undefined) throw new Error(`Redis did not answer within ${commandTimeoutMs} ms`);
  return answer.result;
}
