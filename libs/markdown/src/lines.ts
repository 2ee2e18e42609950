/** Characters of a line in which markers are looked for: bounds the cost of one line. */
export const maxMarkerCharacters = 1_000;
/** Spaces that make a line code unless it continues a paragraph. */
export const codeIndent = 4;

/** Front matter between lines of hyphens. Its first line is a key; otherwise the hyphens are a rule. */
const frontMatter = /^---[ \t]*\n(?:[ \t]*\n)*[\w-]+[ \t]*:[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const prefixForm = /^[ \t>*+\-\d.)]*/;
export const atxOpening = /^#{1,6}(?:[ \t]|$)/;
const fenceRun = /^(?:`{3,}|~{3,})/;
export const underline = /^(?:=+|-+)[ \t]*$/;
export const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const bulletMarker = /^[-+*](?=[ \t]|$)/;
const numberMarker = /^(\d{1,9})[.)](?=[ \t]|$)/;
/** A link reference definition on one line; its label is the first group. */
export const definition =
  /^\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** How each kind of HTML block in CommonMark begins and ends; undefined for a blank line. */
const htmlBlocks: { opening: RegExp; end: RegExp | undefined }[] = [
  { opening: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { opening: /^<!--/, end: /-->/ },
  { opening: /^<[?]/, end: /\?>/ },
  { opening: /^<![A-Za-z]/, end: />/ },
  { opening: /^<!\[CDATA\[/, end: /\]\]>/ },
  {
    opening:
      /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
    end: undefined,
  },
];
/** One whole tag alone on its line, which cannot interrupt a paragraph. */
const loneTag =
  /^(?:<[a-z][a-z\d-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z\d-]*\s*>)\s*$/i;

/**
 * Returns the first characters of a text as Markdown parsers expect it: without a byte-order mark, front matter blanked,
 * every line at its place and ended by a line feed.
 */
export function markdownBody(text: string, maxCharacters: number): string {
  return text
    .slice(0, maxCharacters)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(frontMatter, (block) => block.replace(/[^\n]/g, ''));
}

/** Returns a line whose tabs among the markers at its beginning are replaced by spaces up to the next fourth column. */
export function withColumns(line: string): string {
  const prefix = prefixForm.exec(line.slice(0, maxMarkerCharacters))?.[0] ?? '';
  if (!prefix.includes('\t')) return line;
  let columns = '';
  for (const character of prefix)
    columns += character === '\t' ? ' '.repeat(4 - (columns.length % 4)) : character;
  return columns + line.slice(prefix.length);
}

/** Returns the number of spaces from an index of a line on. */
export function indentOf(line: string, from = 0): number {
  let position = from;
  while (line[position] === ' ') position += 1;
  return position - from;
}

export function isBlankFrom(line: string, from: number): boolean {
  return from + indentOf(line, from) >= line.length || line.slice(from).trim() === '';
}

/** Returns the marks that open fenced code; backticks after them make it inline code instead. */
export function fenceOf(words: string): string | undefined {
  const run = fenceRun.exec(words)?.[0];
  return run?.startsWith('`') && words.includes('`', run.length) ? undefined : run;
}

export function closesFence(line: string, opening: string): boolean {
  const indent = indentOf(line);
  const words = line.slice(indent, indent + maxMarkerCharacters);
  const run = fenceRun.exec(words)?.[0] ?? '';
  return indent < codeIndent && run.startsWith(opening) && words.slice(run.length).trim() === '';
}

/** Returns the end of the HTML block that a line opens; undefined if it opens none. */
export function htmlOf(words: string, mayGoOn: boolean): { end: RegExp | undefined } | undefined {
  if (!words.startsWith('<')) return undefined;
  const found = htmlBlocks.find(({ opening }) => opening.test(words));
  return found ?? (!mayGoOn && loneTag.test(words) ? { end: undefined } : undefined);
}

/** Returns the marker of a list entry. One that interrupts a paragraph must have words after it and count from 1. */
export function listMarker(words: string, inParagraph: boolean): string | undefined {
  const number = numberMarker.exec(words);
  const marker = bulletMarker.exec(words)?.[0] ?? number?.[0];
  if (marker === undefined || !inParagraph) return marker;
  const isFirst = number === null || Number(number[1]) === 1;
  return isFirst && words.slice(marker.length).trim() !== '' ? marker : undefined;
}

/** Returns the words of a line that begins with the marks of a heading. */
export function atxText(line: string): string {
  const words = line.replace(/^#+/, '').trim();
  return words.replace(/(?:^|[ \t])#+$/, '').trim();
}
