import { hash } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { createProcessGroup, type ProcessGroupOptions } from './process-group.ts';
import type { RemoteProcess } from './remote-process.ts';

/** The processes of one part. */
export interface ProcessPool {
  /**
   * Answers who should take a call: by turns, or with an affinity always the
   * same one while it can be reached. Those in `tried` come only when there is
   * nobody else, and when none can be reached, those that may be back, each once.
   * Undefined when there are none of these either.
   */
  choose(affinity: string | undefined, tried: ReadonlySet<RemoteProcess>): RemoteProcess | undefined;
  /** How many there are now. */
  size(): number;
  /** Resolves when there is a connection to one of them. @throws AppError `unavailable` */
  ready(): Promise<void>;
  /** Cuts all connections. */
  close(): void;
}

/** Makes the pool of the processes that these URLs stand for. */
export function createProcessPool(urls: readonly string[], options: ProcessGroupOptions): ProcessPool {
  const groups = urls.map((url) => createProcessGroup(url, options));
  const all = () => groups.flatMap((group) => group.processes());
  let turn = 0;

  function byTurns(candidates: readonly RemoteProcess[]): RemoteProcess | undefined {
    turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    return candidates[turn % candidates.length];
  }

  return {
    choose(affinity, tried) {
      const processes = all();
      const reachable = processes.filter((process) => process.isReachable());
      const untried = (process: RemoteProcess) => !tried.has(process);
      const mayBeBack = processes.filter((process) => untried(process) && process.mayBeBack());
      const inOrder = [reachable.filter(untried), reachable, mayBeBack];
      const candidates = inOrder.find(({ length }) => length > 0) ?? [];
      return affinity === undefined ? byTurns(candidates) : byAffinity(candidates, affinity);
    },
    size: () => all().length,
    async ready() {
      try {
        await Promise.any(all().map((process) => process.connect()));
      } catch (cause) {
        throw new AppError('unavailable', 'A part of the service cannot be reached.', { cause });
      }
    },
    close() {
      for (const group of groups) group.close();
    },
  };
}

/**
 * Rendezvous hashing (Thaler, Ravishankar 1998): the process with the highest
 * weight for this key. When one goes, only its own keys move.
 */
function byAffinity(candidates: readonly RemoteProcess[], affinity: string): RemoteProcess | undefined {
  const weights = candidates.map(({ id }) => hash('sha256', `${affinity} ${id}`));
  return candidates[weights.indexOf(weights.toSorted().at(-1) ?? '')];
}
