const excerptCharacters = 220;

/** The beginning of a passage without the signs of Markdown. */
export function excerptOf(text: string): string {
  const lines = text.split('\n').filter((line) => !isTableRule(line));
  const plain = lines
    .join('\n')
    .replace(/!?\[([^[\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s>#|*+-]+|\*\*|[`|]/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > excerptCharacters ? `${plain.slice(0, excerptCharacters)}…` : plain;
}

/** Whether a line is the one below the head of a table. */
function isTableRule(line: string): boolean {
  return /^[\s|:-]+$/.test(line) && line.includes('-');
}
