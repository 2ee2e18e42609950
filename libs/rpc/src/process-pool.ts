import { hash } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createRemoteProcess, type RemoteProcess, type RemoteProcessOptions } from './remote-process.ts';

/** The processes of one part. */
export interface ProcessPool {
  /**
   * Answers who should take a call: by turns, or with an affinity always the
   * same one while it can be reached. Those in `tried` come only when there is
   * nobody else. Undefined when none can be reached.
   */
  choose(affinity: string | undefined, tried: ReadonlySet<RemoteProcess>): RemoteProcess | undefined;
  /** Resolves when there is a connection to one of them. @throws AppError `unavailable` */
  ready(): Promise<void>;
  /** Cuts all connections. */
  close(): void;
}

/** Makes the pool of the processes at these addresses. */
export function createProcessPool(urls: readonly string[], options: RemoteProcessOptions): ProcessPool {
  const processes = urls.map((url) => createRemoteProcess(url, options));
  let turn = 0;

  function byTurns(candidates: readonly RemoteProcess[]): RemoteProcess | undefined {
    turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    return candidates[turn % candidates.length];
  }

  return {
    choose(affinity, tried) {
      const reachable = processes.filter((process) => process.isReachable());
      const fresh = reachable.filter((process) => !tried.has(process));
      const candidates = fresh.length > 0 ? fresh : reachable;
      return affinity === undefined ? byTurns(candidates) : byAffinity(candidates, affinity);
    },
    async ready() {
      try {
        await Promise.any(processes.map((process) => process.connect()));
      } catch (cause) {
        throw new AppError('unavailable', 'A part of the service cannot be reached.', { cause });
      }
    },
    close() {
      for (const process of processes) process.close();
    },
  };
}

/**
 * Rendezvous hashing (Thaler, Ravishankar 1998): the process with the highest
 * weight for this key. When one goes, only its own keys move.
 */
function byAffinity(candidates: readonly RemoteProcess[], affinity: string): RemoteProcess | undefined {
  const weights = candidates.map(({ origin }) => hash('sha256', `${affinity} ${origin}`));
  return candidates[weights.indexOf(weights.toSorted().at(-1) ?? '')];
}
