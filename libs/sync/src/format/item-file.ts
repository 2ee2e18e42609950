import { SyncError } from '../sync-error.ts';
import { checksumOf } from './checksum.ts';
import { contentFromText, type FileContent, plainestText, possibleTexts } from './file-text.ts';

/**
 * Parses the bytes of a file as `contentFromText` does its text. Throws SyncError `invalid_encoding` unless the bytes are
 * UTF-8, and `invalid_front_matter`.
 */
export function contentFromFile(bytes: Uint8Array): FileContent {
  return contentFromText(decodeUtf8(bytes));
}

/** Returns the bytes of the file of an item: of its possible texts the one that its checksum is of, else the plainest. */
export function fileFromItem(item: FileContent & { checksum: string }): Buffer {
  const checksum = item.checksum.toLowerCase();
  for (const text of possibleTexts(item)) {
    const bytes = Buffer.from(text);
    if (checksumOf(bytes) === checksum) return bytes;
  }
  return Buffer.from(plainestText(item));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SyncError('invalid_encoding', 'is not UTF-8 text');
  }
}
