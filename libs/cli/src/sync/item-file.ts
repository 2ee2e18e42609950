import { createHash } from 'node:crypto';
import { CliError } from '../cli-error.ts';
import { type FrontMatter, frontMatterBlocks, splitFrontMatter } from './front-matter.ts';

/** Returns the checksum of a file in the form of the public API: `sha256:` and the digest in lower-case hex. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A file as the service stores it: the body without the front matter block, and the block as data. */
export interface FileContent {
  content: string;
  frontmatter: FrontMatter;
}

/**
 * Parses the bytes of a file. Throws CliError `invalid_encoding` unless they are UTF-8, because other text could not be
 * written back unchanged, and `invalid_front_matter`.
 */
export function contentFromFile(bytes: Uint8Array): FileContent {
  const { frontmatter, body } = splitFrontMatter(decodeUtf8(bytes));
  return { content: body, frontmatter };
}

/**
 * Returns the bytes of the file of an item. The service stores front matter as data, so its style is lost. But the
 * checksum is that of the original bytes: the usual styles are tried until one has that checksum and is therefore the
 * original file. If none has it, the plainest style is used.
 */
export function fileFromItem({ content, frontmatter, checksum }: FileContent & { checksum: string }): Buffer {
  const blocks = frontMatterBlocks(frontmatter);
  for (const text of candidates(content, blocks)) {
    const bytes = Buffer.from(text);
    if (checksumOf(bytes) === checksum.toLowerCase()) return bytes;
  }
  // Without an empty block before it, a body that begins with a fence would be read back as front matter.
  const needsBlock = Object.keys(frontmatter).length > 0 || content.startsWith('---');
  return Buffer.from(needsBlock ? `${blocks[0]}${content}` : content);
}

/** The content alone comes first: a file without front matter, or an item from a client that sends whole files. */
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
