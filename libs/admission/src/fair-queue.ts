/** Entries that wait in lanes, such as one for each team. Lanes take turns; the entries of a lane keep their order. */
export interface FairQueue<Entry> {
  /** Puts an entry behind those of its lane. */
  add(lane: string, entry: Entry): void;
  /** Returns the first entry that fits, of the lanes in their turn, and leaves it where it is. */
  find(fits: (entry: Entry) => boolean): Entry | undefined;
  /** Takes out an entry whose turn has come: its lane moves behind all others. */
  take(lane: string, entry: Entry): void;
  /** Takes out an entry that waits no longer, if it is there. */
  leave(lane: string, entry: Entry): void;
  /** Returns the entries of a lane. */
  of(lane: string): readonly Entry[];
  /** Returns how many entries wait. */
  size(): number;
  /** Takes out all entries. */
  clear(): Entry[];
}

/** Makes a queue without entries. */
export function createFairQueue<Entry>(): FairQueue<Entry> {
  /** In the order of turns. */
  const lanes = new Map<string, Entry[]>();
  let size = 0;

  function leave(lane: string, entry: Entry): void {
    const entries = lanes.get(lane) ?? [];
    const index = entries.indexOf(entry);
    if (index < 0) return;
    entries.splice(index, 1);
    size -= 1;
    if (entries.length === 0) lanes.delete(lane);
  }

  return {
    add(lane, entry) {
      lanes.getOrInsertComputed(lane, () => []).push(entry);
      size += 1;
    },
    find(fits) {
      for (const entries of lanes.values()) {
        const found = entries.find(fits);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    take(lane, entry) {
      leave(lane, entry);
      const others = lanes.get(lane);
      if (others === undefined) return;
      lanes.delete(lane);
      lanes.set(lane, others);
    },
    leave,
    of: (lane) => lanes.get(lane) ?? [],
    size: () => size,
    clear() {
      const entries = [...lanes.values()].flat();
      lanes.clear();
      size = 0;
      return entries;
    },
  };
}
