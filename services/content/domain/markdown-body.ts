/** A block between lines of hyphens at the very beginning; its first line is a key, or it is a rule and what follows. */
const frontMatter = /^---[ \t]*\n(?:[ \t]*\n)*[\w-]+[ \t]*:[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * The first characters of a text as a Markdown parser is to see them: without
 * a byte-order mark, front matter blanked, every line at its place and ended
 * by a line feed.
 */
export function markdownBody(text: string, maxCharacters: number): string {
  return text
    .slice(0, maxCharacters)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(frontMatter, (block) => block.replace(/[^\n]/g, ''));
}
