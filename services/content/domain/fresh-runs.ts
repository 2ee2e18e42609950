/** Work that runs once at a time per key. */
export interface FreshRuns {
  /** Resolves after a run that began after this call; callers that wait at the same time share it. */
  run(key: string): Promise<void>;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
}

interface Lane {
  running: Promise<void>;
  next?: Promise<void>;
}

/**
 * Wraps work that many callers want at once. The run under way may have missed
 * what a caller knows about, so whoever comes meanwhile shares the next one. A
 * failure reaches the callers of that run only.
 */
export function createFreshRuns(work: (key: string) => Promise<void>): FreshRuns {
  const lanes = new Map<string, Lane>();

  function start(key: string): Promise<void> {
    const lane: Lane = { running: work(key) };
    lanes.set(key, lane);
    const leave = () => {
      if (lane.next === undefined) lanes.delete(key);
    };
    lane.running.then(leave, leave);
    return lane.running;
  }

  return {
    run(key) {
      const lane = lanes.get(key);
      if (lane === undefined) return start(key);
      lane.next ??= lane.running.then(
        () => start(key),
        () => start(key),
      );
      return lane.next;
    },
    async settled() {
      while (lanes.size > 0) await Promise.allSettled([...lanes.values()].map(({ running }) => running));
    },
  };
}
