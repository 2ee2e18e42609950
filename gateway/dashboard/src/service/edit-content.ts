import { t } from '../language/language.ts';
import { checksumOf, textOf } from './item-text.ts';
import { type Item, pushItem } from './items.ts';
import { Problem, problemOf } from './problem.ts';

/** How often somebody else may be faster before a person is asked to try again. */
const maxAttempts = 5;

/**
 * Stores another text of an item, whose front matter stays as it is, byte for byte.
 * @throws Problem, with code `conflict` if `item` is not what is stored any more.
 */
export async function storeContent(item: Item, content: string): Promise<void> {
  const file = textOf(item);
  if (!file.endsWith(item.content))
    throw new Problem('internal', t('The note cannot be put together. Edit its text.'));
  const { row_key, frontmatter, frontmatter_text, tier } = item;
  await pushItem({
    row_key,
    content,
    frontmatter,
    ...(frontmatter_text !== undefined && { frontmatter_text }),
    tier,
    checksum: checksumOf(file.slice(0, file.length - item.content.length) + content),
    base_checksum: item.checksum,
  });
}

/** Reads, edits and stores again what met the edit of somebody else, unless `isFinal` says that it is of no use. */
export async function untilStored(
  store: () => Promise<void>,
  isFinal: (thrown: unknown) => boolean = () => false,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (thrown) {
      if (attempt === maxAttempts || isFinal(thrown) || problemOf(thrown).code !== 'conflict') throw thrown;
    }
  }
}
