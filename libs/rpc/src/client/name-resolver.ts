import { lookup } from 'node:dns/promises';
import type { Log } from '@teammemory/log/log.ts';

/** Returns the IP addresses that a host name has now. @throws if there are none, or resolving fails. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/**
 * Resolves with the system's resolver, as connecting does: its hosts file and search domains apply.
 * Returns addresses of the preferred family only: a process with one of each must not count twice.
 */
export const resolveName: ResolveName = async (name) => {
  const found = await lookup(name, { all: true });
  return found.filter(({ family }) => family === found[0]?.family).map(({ address }) => address);
};

/** The interval between two look-ups; the name servers of Kubernetes cache for as long. */
const defaultEveryMs = 5_000;
/** After an endpoint is lost the name is resolved sooner, but not more often than this. */
const soonestMs = 1_000;
/** A name server that takes longer is logged as failing; callers never wait for it. */
const defaultLateMs = 5_000;
/** Addresses of one name that count, as many as a setting may list endpoints. */
const maxAddresses = 64;

/** Resolves a name at intervals. */
export interface NameWatcher {
  /** Resolves soon: an endpoint was lost, and another may have taken its place. */
  lookAgain(): void;
  close(): void;
}

/**
 * Calls `onAddresses` with the sorted addresses of a name whenever it was resolved. While resolving
 * fails it is not called: the last known addresses stay valid.
 */
export function watchName(options: {
  name: string;
  resolve: ResolveName;
  /** Milliseconds between two look-ups, 5,000 by default. */
  everyMs?: number;
  /** Milliseconds after which an answer is late, 5,000 by default. */
  lateMs?: number;
  log: Log;
  onAddresses(addresses: readonly string[]): void;
}): NameWatcher {
  const { name, resolve, everyMs = defaultEveryMs, lateMs = defaultLateMs, log } = options;
  let lookedAtMs = 0;
  /** Unset during a look-up. */
  let next: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isClosed = false;

  function tell(addresses: readonly string[]): void {
    if (isClosed) return;
    isFailing = false;
    if (addresses.length > 0) options.onAddresses([...new Set(addresses)].sort().slice(0, maxAddresses));
  }

  function failed(err: unknown): void {
    if (!isFailing && !isClosed) log.warn({ name, err }, 'a name cannot be resolved');
    isFailing = true;
  }

  async function look(): Promise<void> {
    next = undefined;
    lookedAtMs = performance.now();
    const timer = setTimeout(() => failed(new Error('the name server does not answer')), lateMs).unref();
    try {
      // However long it takes: another look-up would wait for the same name server and occupy one more thread.
      tell(await resolve(name));
    } catch (err) {
      failed(err);
    }
    clearTimeout(timer);
    if (!isClosed) next = setTimeout(look, everyMs).unref();
  }

  void look();
  return {
    lookAgain() {
      if (next === undefined) return;
      clearTimeout(next);
      next = setTimeout(look, Math.max(0, lookedAtMs + soonestMs - performance.now())).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(next);
      next = undefined;
    },
  };
}
