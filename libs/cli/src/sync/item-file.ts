import { createHash } from 'node:crypto';
import { CliError } from '../cli-error.ts';
import { type FrontMatter, frontMatterBlocks, splitFrontMatter } from './front-matter.ts';

/** `sha256:` and the lower-case hex digest of the bytes: the form of the wire. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** What a file says, as the service stores it: the body without the front matter block, and the block as data. */
export interface FileContent {
  content: string;
  frontmatter: FrontMatter;
}

/**
 * Reads the bytes of a file. Throws CliError: `invalid_encoding` for anything but
 * UTF-8, which could not be written back unharmed, and `invalid_front_matter`.
 */
export function contentFromFile(bytes: Uint8Array): FileContent {
  const { frontmatter, body } = splitFrontMatter(decodeUtf8(bytes));
  return { content: body, frontmatter };
}

/**
 * Writes an item as a file. The service keeps front matter as data, so its style
 * is lost; but the checksum is that of the original bytes, so the usual styles are
 * tried until one has it, and then the file is the original to the byte. Where
 * none has, the plainest is taken.
 */
export function fileFromItem({ content, frontmatter, checksum }: FileContent & { checksum: string }): Buffer {
  const blocks = frontMatterBlocks(frontmatter);
  for (const text of candidates(content, blocks)) {
    const bytes = Buffer.from(text);
    if (checksumOf(bytes) === checksum.toLowerCase()) return bytes;
  }
  // A body that itself begins with a fence would be read back as front matter without an empty block before it.
  const needsBlock = Object.keys(frontmatter).length > 0 || content.startsWith('---');
  return Buffer.from(needsBlock ? `${blocks[0]}${content}` : content);
}

/** The bare content comes first: a file without front matter, or an item of a client that sends whole files. */
function* candidates(content: string, blocks: readonly string[]): Generator<string> {
  yield content;
  for (const block of blocks) yield block + content;
  if (!content.includes('\r\n')) return;
  for (const block of blocks) yield block.replaceAll('\n', '\r\n') + content;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError('invalid_encoding', 'The file was not pushed: it is not UTF-8 text.');
  }
}
