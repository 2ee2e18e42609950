import {
  contentFromText,
  type FileContent,
  plainestText,
  possibleTexts,
} from '@teammemory/sync/format/file-text.ts';
import { SyncError } from '@teammemory/sync/sync-error.ts';
import { contentSaysPrivate, frontmatterSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { hash as sha256 } from 'fast-sha256';
import { t } from '../language/language.ts';
import type { Item, ItemToPush } from './items.ts';
import { Problem } from './problem.ts';

/** Returns the checksum of a file in the form of the public API. Browsers have `crypto.subtle` over HTTPS only. */
export function checksumOf(text: string): string {
  const digest = sha256(new TextEncoder().encode(text));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `sha256:${hex}`;
}

/** Returns the text of the file that an item was pushed from, byte for byte where its checksum tells. */
export function textOf(item: Item): string {
  const checksum = item.checksum.toLowerCase();
  for (const text of possibleTexts(item)) if (checksumOf(text) === checksum) return text;
  return plainestText(item);
}

/**
 * Returns a text as the item that it becomes, with its checksum.
 * @throws Problem if its front matter cannot be read, and for a private text, which does not leave the browser.
 */
export function contentToPush(
  text: string,
): Pick<ItemToPush, 'content' | 'frontmatter' | 'frontmatter_text' | 'checksum'> {
  const content = readContent(text);
  if (contentSaysPrivate(text) || frontmatterSaysPrivate(content.frontmatter)) {
    throw new Problem(
      'admin_tier',
      t('It says that it is private, and stays in this browser. Correct its audience.'),
    );
  }
  return { ...content, checksum: checksumOf(text) };
}

function readContent(text: string): FileContent {
  try {
    return contentFromText(text);
  } catch (thrown) {
    if (!(thrown instanceof SyncError)) throw thrown;
    throw new Problem('invalid_request', t('It {message}.', { message: thrown.message }));
  }
}
