import { LRUCache } from 'lru-cache';

/**
 * Makes a cache of the `max` entries that were used last. lru-cache takes the room of all of them at once where it bounds
 * their number, which were megabytes in a service that nobody has asked yet; where it bounds their size, it does not.
 */
export function createLru<Value extends object | string | true>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
