import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../memory.ts';
import { checksumOf } from './fields.ts';

// What is pushed with the checksum that is stored changes nothing. So where front matter changes, the checksum is that of
// the file that begins with it, as tms and the dashboard compute it, and not that of the content alone.

/** The front matter of an item to be stored, with the text of its file before the content; empty where the checksum is of the content alone. */
export interface FrontMatter {
  fields: Pick<Item, 'frontmatter' | 'frontmatter_text'>;
  head: string;
}

type StoredFields = Pick<Item, 'content' | 'frontmatter' | 'frontmatter_text' | 'checksum'>;

/** Returns the front matter that an item has after a change: that which is given, else that which it has, byte for byte. */
export function frontMatterAfter(
  given: Record<string, unknown> | undefined,
  stored: StoredFields | undefined,
  content: string,
): FrontMatter {
  if (stored === undefined) return { fields: { frontmatter: given ?? {} }, head: '' };
  if (given === undefined || isDeepStrictEqual(given, stored.frontmatter)) return keptFrontMatter(stored);
  const source = Object.entries(given).map(sourceOf).join('');
  const changed = source === '' ? withoutSource : withSource(given, source);
  // Where the file would have the checksum of what is stored, an empty line makes it another one.
  return checksumOf(changed.head + content) === stored.checksum ? withSource(given, `${source}\n`) : changed;
}

const withoutSource: FrontMatter = { fields: { frontmatter: {} }, head: '' };

function withSource(frontmatter: Record<string, unknown>, source: string): FrontMatter {
  return { fields: { frontmatter, frontmatter_text: source }, head: `---\n${source}---\n` };
}

/** Names that YAML reads as text without quotes. */
const plainName = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9_-]{0,60}$/i;

/** Returns the line of a member. JSON is YAML too. */
function sourceOf([name, value]: [string, unknown]): string {
  return `${plainName.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}\n`;
}

function keptFrontMatter({
  frontmatter,
  frontmatter_text: source,
  content,
  checksum,
}: StoredFields): FrontMatter {
  if (source === undefined) return { fields: { frontmatter }, head: '' };
  const heads = ['\n', '\r\n'].flatMap((end) =>
    ['', '\ufeff'].map((mark) => `${mark}---${end}${source}---${end}`),
  );
  const head = heads.find((one) => checksumOf(one + content) === checksum) ?? '';
  return { fields: { frontmatter, frontmatter_text: source }, head };
}
