/** Owners, each with keys, to be found by key: both are whole numbers of 32 bits, owners 0 or more. */
export interface LinkedEntries {
  /** Gives an owner that has none its keys, each once. */
  add(owner: number, keys: readonly number[]): void;
  /** Takes all its keys from an owner. */
  remove(owner: number): void;
  /** How many owners have this key. */
  sizeOf(key: number): number;
  /** Visits the owners that have this key. */
  forEachOf(key: number, visit: (owner: number) => void): void;
}

/** An entry: its owner, its key, and the entries before and after it in the list of its key; entry 0 is none. */
const fields = 4;
const [ownerField, keyField, nextField, previousField] = [0, 1, 2, 3];

/** Grown by doubling: a service may hold thousands of teams of a few notes each. */
const firstCapacity = 16;

/** The entries of one key. */
interface List {
  first: number;
  size: number;
}

/**
 * Makes an empty relation. It takes 16 bytes for each key of an owner, where
 * sets of numbers would take more than twice as much; and it takes an owner out
 * in the time of its keys, however many others share them. The entries of an
 * owner stand one after the other.
 */
export function createLinkedEntries(): LinkedEntries {
  let entries = new Int32Array(fields * firstCapacity);
  let used = 1;
  /** Twice an owner: its first entry; the place after that: how many it has. */
  let blocks = new Uint32Array(firstCapacity);
  /** By length: where blocks began that are used no more. */
  const free: number[][] = [];
  const lists = new Map<number, List>();

  function field(entry: number, name: number): number {
    return entries[fields * entry + name] ?? 0;
  }

  function set(entry: number, name: number, value: number): void {
    entries[fields * entry + name] = value;
  }

  function link(entry: number, owner: number, key: number): void {
    const list = lists.get(key) ?? { first: 0, size: 0 };
    entries.set([owner, key, list.first, 0], fields * entry);
    if (list.first !== 0) set(list.first, previousField, entry);
    lists.set(key, { first: entry, size: list.size + 1 });
  }

  function unlink(entry: number): void {
    const key = field(entry, keyField);
    const list = lists.get(key);
    if (list === undefined) return;
    const [next, previous] = [field(entry, nextField), field(entry, previousField)];
    if (next !== 0) set(next, previousField, previous);
    if (previous !== 0) set(previous, nextField, next);
    list.first = list.first === entry ? next : list.first;
    list.size -= 1;
    if (list.size === 0) lists.delete(key);
  }

  return {
    add(owner, keys) {
      const start = free[keys.length]?.pop() ?? used;
      used = Math.max(used, start + keys.length);
      entries = withRoomFor(fields * used, entries, Int32Array);
      blocks = withRoomFor(2 * owner + 2, blocks, Uint32Array);
      blocks.set([start, keys.length], 2 * owner);
      for (const [index, key] of keys.entries()) link(start + index, owner, key);
    },
    remove(owner) {
      const start = blocks[2 * owner] ?? 0;
      const count = blocks[2 * owner + 1] ?? 0;
      if (count === 0) return;
      for (let entry = start; entry < start + count; entry += 1) unlink(entry);
      const others = free[count] ?? [];
      others.push(start);
      free[count] = others;
      blocks[2 * owner + 1] = 0;
    },
    sizeOf: (key) => lists.get(key)?.size ?? 0,
    forEachOf(key, visit) {
      for (let entry = lists.get(key)?.first ?? 0; entry !== 0; entry = field(entry, nextField))
        visit(field(entry, ownerField));
    },
  };
}

/** The values, or a longer copy of them where they are fewer than wanted. */
function withRoomFor<Values extends Int32Array | Uint32Array>(
  count: number,
  values: Values,
  Longer: new (length: number) => Values,
): Values {
  if (count <= values.length) return values;
  const more = new Longer(Math.max(count, 2 * values.length));
  more.set(values);
  return more;
}
