/** Work that runs once at a time per key. */
export interface SingleFlight<Result> {
  /** The result of a run that begins after this call; it may be shared with other callers. */
  run(key: string): Promise<Result>;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
}

interface Lane<Result> {
  running: Promise<Result>;
  next?: Promise<Result>;
}

/**
 * Wraps work that many callers want at once. The run under way may have missed
 * what a caller knows about, so whoever comes meanwhile waits for its end and
 * shares the next one. A failure reaches the callers of that run only.
 */
export function createSingleFlight<Result>(work: (key: string) => Promise<Result>): SingleFlight<Result> {
  const lanes = new Map<string, Lane<Result>>();

  function start(key: string): Promise<Result> {
    const lane: Lane<Result> = { running: work(key) };
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
      const startNext = () => start(key);
      lane.next ??= lane.running.then(startNext, startNext);
      return lane.next;
    },
    async settled() {
      while (lanes.size > 0) await Promise.allSettled(lanes.values().map(({ running }) => running));
    },
  };
}
