import { markdownBody } from '@teammemory/markdown/lines.ts';
import { type MarkdownBlock, markdownStructure } from '@teammemory/markdown/structure.ts';
import { maxTitleCharacters } from '@teammemory/vocabulary/limits.ts';
import { plainTitle } from '../markdown/plain-text.ts';

/** A heading further down than this is not the title of the whole. */
const maxHeadingSearchCharacters = 20_000;
/** The title of an item that has no other. */
const untitled = 'Untitled';

/**
 * Returns the title of an item as plain text: the front matter's `title`, else the first heading outside of code, else
 * the file name without extension, whichever of them is the first that has words.
 */
export function itemTitle(rowKey: string, content: string, frontmatter: Record<string, unknown>): string {
  const given = frontmatter.title;
  const title =
    (typeof given === 'string' && given.isWellFormed() ? plainTitle(given) : '') ||
    plainTitle(firstHeading(markdownBody(content, maxHeadingSearchCharacters)) ?? '') ||
    plainTitle(fileName(rowKey)) ||
    untitled;
  return [...title.slice(0, maxTitleCharacters * 2)]
    .slice(0, maxTitleCharacters)
    .join('')
    .trim()
    .toWellFormed();
}

/** The first heading with words that is of the text itself: none in a quote, a list or code, and no underlined table. */
function firstHeading(content: string): string | undefined {
  const { blocks } = markdownStructure(content, isTitle);
  return blocks.find(isTitle)?.content;
}

function isTitle({ kind, content, isNested }: MarkdownBlock): boolean {
  return kind === 'heading' && !isNested && content !== '' && !content.startsWith('|');
}

function fileName(rowKey: string): string {
  const name = rowKey.slice(rowKey.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
