import { type FrontMatter, frontMatterBlocks, parseSource, splitFrontMatter } from './front-matter.ts';

// Also runs in browsers: the dashboard edits texts byte for byte as the other clients do.

/** A file as the service stores it: the body without the front matter block, and the block as data and as its author wrote it. */
export interface FileContent {
  content: string;
  frontmatter: FrontMatter;
  frontmatter_text?: string;
}

/**
 * Parses the text of a file so that its item gives the same text again. A file that cannot be put together from front matter
 * and body, such as one with spaces behind a fence, keeps all of its text in `content`, with its front matter also as data.
 * Throws SyncError `invalid_front_matter`.
 */
export function contentFromText(text: string): FileContent {
  const { frontmatter, source, body } = splitFrontMatter(text);
  if (source === undefined) return { content: text, frontmatter };
  for (const candidate of texts(source, body)) {
    if (candidate === text) return { content: body, frontmatter, frontmatter_text: source };
  }
  return { content: text, frontmatter };
}

/**
 * Returns the texts that an item can come from: what its author wrote, with or without a byte order mark and Windows line
 * ends, and the usual styles of YAML where only data was pushed. The checksum tells which one it was.
 */
export function* possibleTexts({
  content,
  frontmatter,
  frontmatter_text: source,
}: FileContent): Generator<string> {
  // A file without front matter, or one that stands in the content as a whole.
  if (hasFrontMatter(content, frontmatter)) yield content;
  if (source !== undefined) {
    yield* texts(source, content);
    // Another client may leave out the last line end.
    yield* texts(`${source}\n`, content);
    yield* texts(`${source}\r\n`, content);
  }
  const blocks = frontMatterBlocks(frontmatter);
  for (const block of blocks) yield block + content;
  if (!content.includes('\r\n')) return;
  for (const block of blocks) yield block.replaceAll('\n', '\r\n') + content;
}

/** Returns the text of an item whose checksum is of none of the possible ones, its front matter in the plainest style. */
export function plainestText({ content, frontmatter, frontmatter_text: source }: FileContent): string {
  if (source !== undefined && saysTheSame(source, frontmatter)) {
    const [plainest = ''] = texts(source.endsWith('\n') ? source : `${source}\n`, content);
    return plainest;
  }
  // Without an empty block before it, a body that begins with a fence would be read back as front matter.
  const needsBlock = Object.keys(frontmatter).length > 0 || /^\ufeff?---/.test(content);
  return needsBlock ? `${frontMatterBlocks(frontmatter)[0]}${content}` : content;
}

/**
 * Returns the text that shows an item to whoever is to accept it: the text of its file, unless the front matter there says
 * something else than the data, which is what everybody else gets to see.
 */
export function textToReview(text: string, { content, frontmatter }: FileContent): string {
  try {
    if (isSame(splitFrontMatter(text).frontmatter, frontmatter)) return text;
  } catch {
    // What cannot be read says nothing of the data.
  }
  return plainestText({ content, frontmatter });
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
    return isSame(splitFrontMatter(content).frontmatter, frontmatter);
  } catch {
    return false;
  }
}

/** What a client wrote as text may say something else than its data, which is what everybody else sees. */
function saysTheSame(source: string, frontmatter: FrontMatter): boolean {
  try {
    return isSame(parseSource(source), frontmatter) && !/^---/m.test(source);
  } catch {
    return false;
  }
}

/** Whether two values that JSON can hold are the same, whatever the order of their members. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return (
    members.size === others.size &&
    [...members].every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  );
}
