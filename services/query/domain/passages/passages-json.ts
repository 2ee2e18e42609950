import type { ItemPassages } from './passage.ts';
import type { StoredItem } from './passage-store.ts';

type Stored = Pick<ItemPassages, 'title' | 'passages' | 'fields'>;

/**
 * What a row keeps of an item's text, as one JSON text: in it hostile strings
 * are data in either engine, lone surrogates and NUL included.
 */
export function passagesToJson({ title, passages, fields }: Stored): string {
  return JSON.stringify({ title, passages, fields });
}

/** The inverse of `passagesToJson`. */
export function passagesFromJson(json: string): Stored {
  return JSON.parse(json) as Stored;
}

/** The row of an item. */
export function storedItem({ rowKey, seq, tier, kind, ...stored }: ItemPassages): StoredItem {
  return { rowKey, seq, tier, ...(kind && { kind }), json: passagesToJson(stored) };
}
