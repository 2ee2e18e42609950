import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Redis answers in under a millisecond; one that takes this long does not count writes any more. */
const commandTimeoutMs = 1_000;

/** A script that the server knows by its digest once it has seen it. */
export interface RedisScript {
  source: string;
  sha1: string;
}

/** One connection, good until its first fault: it never reconnects and never queues for later. */
export interface RedisConnection {
  /**
   * Runs a script on one key; `withSource` sends all of it, so that it runs before
   * whatever is sent after it even where the server has forgotten its scripts.
   * @throws the fault, within the deadline; the connection is over then.
   */
  evaluate(
    script: RedisScript,
    key: string,
    args: readonly (string | number)[],
    how?: { withSource: boolean },
  ): Promise<unknown>;
  /** Aborted when the connection is of no use any more. */
  readonly over: AbortSignal;
  close(): void;
}

/** Reads the script `name` that lies beside this file. */
export function readRedisScript(name: string): RedisScript {
  const source = readFileSync(new URL(name, import.meta.url), 'utf8');
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/**
 * Connects to the server of a `redis:` or `rediss:` URL.
 * @throws the fault, within the deadline.
 */
export async function openRedisConnection(url: string): Promise<RedisConnection> {
  // Loading it is a good part of a start, and of no use without a server.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    // The older protocol, and no CLIENT SETINFO: proxies and older servers know no other.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
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

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      ended.signal.throwIfAborted();
      return await withinDeadline(work());
    } catch (error) {
      end(error);
      throw error;
    }
  }

  await run(() => client.connect());
  return {
    evaluate(script, key, args, { withSource } = { withSource: false }) {
      const rest = ['1', key, ...args.map(String)];
      const bySource = () => client.sendCommand(['EVAL', script.source, ...rest]);
      return run(() => {
        if (withSource) return bySource();
        return client.sendCommand(['EVALSHA', script.sha1, ...rest]).catch((error: unknown) => {
          if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return bySource();
          throw error;
        });
      });
    },
    over: ended.signal,
    close: () => end(new Error('the connection was closed')),
  };
}

function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const late = () => reject(new Error(`Redis did not answer within ${commandTimeoutMs} ms`));
  // A process that was held up itself finds its timers due before it has read the answers: those go first.
  const timer = setTimeout(() => setImmediate(late), commandTimeoutMs);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
