/** Calls that wait, each in a lane, of which one call at a time is under way; lanes take turns. */
export interface TeamTurns<Call> {
  /** Puts a call behind those that wait in its lane. */
  add(lane: string, call: Call): void;
  /** Takes the first call of the lane whose turn it is; undefined where every lane is empty or has one under way. */
  next(): { lane: string; call: Call } | undefined;
  /** Whether there is a call that `next` would take. */
  hasNext(): boolean;
  /** Notes that the call of a lane that was under way is over. */
  end(lane: string): void;
  /** Takes out a call that waits. */
  leave(lane: string, call: Call): void;
  /** How many calls wait in a lane. */
  waiting(lane: string): number;
  /** Takes out all calls that wait. */
  clear(): Call[];
}

/** Makes turns without calls. */
export function createTeamTurns<Call>(): TeamTurns<Call> {
  /** In the order of turns. */
  const lanes = new Map<string, Call[]>();
  const underWay = new Set<string>();

  const isNext = ([lane]: [string, Call[]]) => !underWay.has(lane);

  return {
    add: (lane, call) => void lanes.getOrInsertComputed(lane, () => []).push(call),
    next() {
      const found = lanes.entries().find(isNext);
      if (found === undefined) return undefined;
      const [lane, [call, ...others]] = found as [string, [Call, ...Call[]]];
      // Moves the lane behind all others.
      lanes.delete(lane);
      if (others.length > 0) lanes.set(lane, others);
      underWay.add(lane);
      return { lane, call };
    },
    hasNext: () => lanes.entries().some(isNext),
    end: (lane) => void underWay.delete(lane),
    leave(lane, call) {
      const others = lanes.get(lane)?.filter((other) => other !== call) ?? [];
      if (others.length === 0) lanes.delete(lane);
      else lanes.set(lane, others);
    },
    waiting: (lane) => lanes.get(lane)?.length ?? 0,
    clear() {
      const calls = [...lanes.values()].flat();
      lanes.clear();
      return calls;
    },
  };
}
