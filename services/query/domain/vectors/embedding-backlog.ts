/** Items whose passages have to be compared with the vectors that are stored for them. */
export interface EmbeddingBacklog {
  /** Adds an item; nothing happens for one that is there. */
  add(rowKey: string): void;
  /** Takes one out, at random; undefined where there is none. */
  take(): string | undefined;
  size(): number;
}

/**
 * Makes an empty backlog. Items come at random, so that processes that work on
 * the same team at once find each other's vectors stored instead of making them
 * again in the same order.
 */
export function createEmbeddingBacklog(): EmbeddingBacklog {
  const rowKeys: string[] = [];
  const known = new Set<string>();
  return {
    add(rowKey) {
      if (known.has(rowKey)) return;
      known.add(rowKey);
      rowKeys.push(rowKey);
    },
    take() {
      const place = Math.floor(Math.random() * rowKeys.length);
      const taken = rowKeys[place];
      const last = rowKeys.pop();
      if (taken === undefined || last === undefined) return undefined;
      if (place < rowKeys.length) rowKeys[place] = last;
      known.delete(taken);
      return taken;
    },
    size: () => rowKeys.length,
  };
}
