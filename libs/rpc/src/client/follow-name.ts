import type { Log } from '@teammemory/log/log.ts';
import type { ResolveName } from './resolve-name.ts';

/** How often a name is resolved; the name servers of Kubernetes keep what they know for as long. */
const defaultEveryMs = 5_000;
/** When a process was lost it is resolved sooner, but not more often than this. */
const soonestMs = 1_000;
/** A name server that takes longer is as good as none, and the log says so; callers never wait for it. */
const defaultLateMs = 5_000;
/** Addresses of one name that count, as many as processes that a setting may list. */
const addressesMax = 64;

/** Something that looks again and again which addresses a name has. */
export interface NameFollower {
  /** Looks soon: a process was lost, and perhaps another has come in its place. */
  lookAgain(): void;
  close(): void;
}

/**
 * Tells the addresses of a name, sorted, whenever it has been resolved. While
 * that fails nothing is told: what was last known stays good.
 */
export function followName(options: {
  name: string;
  resolve: ResolveName;
  /** Milliseconds between two looks, 5,000 unless told. */
  everyMs?: number;
  /** Milliseconds after which an answer is late, 5,000 unless told. */
  lateMs?: number;
  log: Log;
  onAddresses(addresses: readonly string[]): void;
}): NameFollower {
  const { name, resolve, everyMs = defaultEveryMs, lateMs = defaultLateMs, log } = options;
  let lookedAtMs = 0;
  /** Unset while a look is under way. */
  let next: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isClosed = false;

  function tell(addresses: readonly string[]): void {
    if (isClosed) return;
    isFailing = false;
    if (addresses.length > 0) options.onAddresses([...new Set(addresses)].sort().slice(0, addressesMax));
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
      // However long it takes: another look would wait for the same name server, and hold one more thread.
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
