/** Thrown where something would take more memory than its budget has; nothing has been changed then. */
export class OutOfMemoryBudget extends Error {
  /** The budget that is used up: that of one index, or the one that all share. */
  readonly budget: MemoryBudget;

  constructor(budget: MemoryBudget) {
    super('the memory for search indexes is used up');
    this.budget = budget;
  }
}

/** Counts bytes before they are allocated. */
export interface MemoryBudget {
  /** @throws OutOfMemoryBudget where so many bytes are not left, here or in the budget that this is a part of. */
  take(bytes: number): void;
  give(bytes: number): void;
  /** Bytes that are taken. */
  taken(): number;
  /** Bytes that it may have at most. */
  maxBytes: number;
}

/** Makes a budget of its own, or a part of another: what it takes is taken from that too. */
export function createMemoryBudget(maxBytes: number, whole?: MemoryBudget): MemoryBudget {
  let taken = 0;
  const budget: MemoryBudget = {
    maxBytes,
    take(bytes) {
      if (taken + bytes > maxBytes) throw new OutOfMemoryBudget(budget);
      whole?.take(bytes);
      taken += bytes;
    },
    give(bytes) {
      taken -= bytes;
      whole?.give(bytes);
    },
    taken: () => taken,
  };
  return budget;
}
