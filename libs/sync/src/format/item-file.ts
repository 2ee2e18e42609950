import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { maxContentBytes, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { SyncError } from '../sync-error.ts';
import { type FrontMatter, frontMatterBlocks, parseSource, splitFrontMatter } from './front-matter.ts';

/** The service accepts no larger file. The YAML of front matter may be longer than its JSON, hence the factor of two. */
export const maxFileBytes = maxContentBytes + 2 * maxFrontmatterBytes;

/** Returns the checksum of a file in the form of the public API: `sha256:` and the digest in lower-case hex. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A file as the service stores it: the body without the front matter block, and the block as data and as its author wrote it. */
export interface FileContent {
  content: string;
  frontmatter: FrontMatter;
  frontmatter_text?: string;
}

/**
 * Parses the bytes of a file so that `fileFromItem` gives the same bytes again. A file that cannot be put together from
 * front matter and body, such as one with spaces behind a fence, keeps all of its text in `content`, with its front matter
 * also as data. Throws SyncError `invalid_encoding` unless the bytes are UTF-8, and `invalid_front_matter`.
 */
export function contentFromFile(bytes: Uint8Array): FileContent {
  const text = decodeUtf8(bytes);
  const { frontmatter, source, body } = splitFrontMatter(text);
  if (source === undefined) return { content: text, frontmatter };
  const checksum = checksumOf(bytes);
  for (const candidate of texts(source, body)) {
    if (checksumOf(Buffer.from(candidate)) === checksum) {
      return { content: body, frontmatter, frontmatter_text: source };
    }
  }
  return { content: text, frontmatter };
}

/**
 * Returns the bytes of the file of an item. The checksum tells which of the ways to put front matter and content together
 * is the original one: what its author wrote, with or without a byte order mark and Windows line ends, or one of the usual
 * styles of YAML where only data was pushed. If none fits, the front matter is written in the plainest style.
 */
export function fileFromItem(item: FileContent & { checksum: string }): Buffer {
  const { content, frontmatter, frontmatter_text: source } = item;
  const checksum = item.checksum.toLowerCase();
  const blocks = frontMatterBlocks(frontmatter);
  for (const text of candidates(item, blocks)) {
    const bytes = Buffer.from(text);
    if (checksumOf(bytes) === checksum) return bytes;
  }
  if (source !== undefined && saysTheSame(source, frontmatter)) {
    const [plainest = ''] = texts(source.endsWith('\n') ? source : `${source}\n`, content);
    return Buffer.from(plainest);
  }
  // Without an empty block before it, a body that begins with a fence would be read back as front matter.
  const needsBlock = Object.keys(frontmatter).length > 0 || /^\ufeff?---/.test(content);
  return Buffer.from(needsBlock ? `${blocks[0]}${content}` : content);
}

function* candidates(
  { content, frontmatter, frontmatter_text: source }: FileContent,
  blocks: readonly string[],
): Generator<string> {
  // A file without front matter, or one that stands in the content as a whole.
  if (hasFrontMatter(content, frontmatter)) yield content;
  if (source !== undefined) {
    yield* texts(source, content);
    // Another client may leave out the last line end.
    yield* texts(`${source}\n`, content);
    yield* texts(`${source}\r\n`, content);
  }
  for (const block of blocks) yield block + content;
  if (!content.includes('\r\n')) return;
  for (const block of blocks) yield block.replaceAll('\n', '\r\n') + content;
}

/** The texts that a front matter and a body can come from: line ends of the fences, a last fence without one, a byte order mark. */
function* texts(source: string, body: string): Generator<string> {
  const ends = source.includes('\r\n') || body.includes('\r\n') ? ['\r\n', '\n'] : ['\n', '\r\n'];
  for (const mark of ['', '\ufeff']) {
    for (const first of ends) {
      for (const last of body === '' ? [...ends, ''] : ends) {
        yield `${mark}---${first}${source}---${last}${body}`;
      }
    }
  }
}

/** Another client may compute its checksum from the content alone; a file without the front matter is not the item. */
function hasFrontMatter(content: string, frontmatter: FrontMatter): boolean {
  if (Object.keys(frontmatter).length === 0) return true;
  try {
    return isDeepStrictEqual(splitFrontMatter(content).frontmatter, frontmatter);
  } catch {
    return false;
  }
}

/** What a client wrote as text may say something else than its data, which is what everybody else sees. */
function saysTheSame(source: string, frontmatter: FrontMatter): boolean {
  try {
    return isDeepStrictEqual(parseSource(source), frontmatter) && !/^---/m.test(source);
  } catch {
    return false;
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SyncError('invalid_encoding', 'is not UTF-8 text');
  }
}
