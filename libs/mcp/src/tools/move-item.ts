import { quoted } from '../framed-text.ts';
import { type Call, type Item, type Memory, MemoryError, type NewItem } from '../memory.ts';
import { namedBy } from '../resource-uri.ts';

/**
 * Stores an item under its new name, and then removes the old one.
 * @throws MemoryError
 */
export async function moveItem(
  memory: Memory,
  stored: Item,
  item: NewItem,
  signal: AbortSignal,
): Promise<void> {
  const { access, member } = memory.holder;
  // Asked first: else the copy would be seen until it is taken back.
  if (access === 'own' && stored.updated_by !== member) {
    throw new MemoryError('forbidden_access', 'This key may move only what its member wrote last.');
  }
  await requireFree(memory, item.row_key, signal);
  await memory.pushItem(item, { signal });
  const copy = await memory.getItem(item.row_key, { signal }).catch((error) => {
    throw left(error, stored, item);
  });
  // A push of what somebody else stored meanwhile, with the same text, changes nothing.
  if (copy.checksum !== item.checksum || copy.updated_by !== member) {
    throw new MemoryError('conflict', 'Somebody else has written to the new row_key. Nothing was removed.');
  }
  await removeMoved(memory, stored, copy, signal);
}

/** Returns an error after which the item may have both names. */
function left(error: unknown, stored: Item, copy: Pick<Item, 'row_key'>): unknown {
  if (!(error instanceof MemoryError)) return error;
  const both = `It is stored as ${quoted(copy.row_key)} now, and may be left as ${quoted(stored.row_key)} too.`;
  return new MemoryError(error.code, `${both} ${error.message}`, { cause: error });
}

/** What is there already could be the same text, which a push takes for done: to move onto it would remove one of the two. */
async function requireFree(memory: Memory, rowKey: string, signal: AbortSignal): Promise<void> {
  if (namedBy(rowKey).kind !== 'item') {
    throw new MemoryError('invalid_request', 'Only an item can have this row_key; choose another.');
  }
  if ((await itemIfAny(memory, rowKey, { signal })) !== undefined) {
    throw new MemoryError('invalid_request', 'There is another item with this row_key; choose another.');
  }
}

/** Reads an item; undefined where there is none that the key may see. */
export async function itemIfAny(memory: Memory, rowKey: string, options: Call): Promise<Item | undefined> {
  return memory.getItem(rowKey, options).catch((error) => {
    if (error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** Refusals after which nothing was removed for certain. */
const refusals: ReadonlySet<string> = new Set(['conflict', 'forbidden_access', 'forbidden_tier']);

/** Removes what was moved. Where that is refused, the copy goes again, unless somebody has written over it. */
async function removeMoved(memory: Memory, stored: Item, copy: Item, signal: AbortSignal): Promise<void> {
  try {
    await memory.removeItem(stored, { signal });
  } catch (error) {
    if (!(error instanceof MemoryError && refusals.has(error.code))) throw left(error, stored, copy);
    const now = await memory.getItem(copy.row_key, { signal }).catch(() => undefined);
    const isCopy = now?.updated_at === copy.updated_at && now.updated_by === copy.updated_by;
    if (isCopy) await memory.removeItem(copy, { signal }).catch(() => undefined);
    throw error;
  }
}
