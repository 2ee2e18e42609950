/** A link or picture, and what is not looked into: blocks and spans of code. */
const codeOrLink =
  /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1[`~]*[ \t]*$|$(?![\s\S]))|(`+)[^`\n]+\2|(!?)\[([^[\]\n]{1,500})\]\(<?([^()\s<>]{1,500})>?(?:[ \t]+"[^"\n]*")?\)/gm;
/** The references to characters that notes have, by what readers are to see. */
const characters: Readonly<Record<string, string>> = {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};
const reference = /&(amp|gt|lt|quot|nbsp|#39);/g;

/**
 * Returns a text whose links are words with their address, `the guide (https://…)`, as people read them in a terminal too,
 * and whose references to characters are these characters. A link within the page is its words. Code stays as it is.
 */
export function withPlainLinks(text: string): string {
  if (!text.includes('](') && !text.includes('&')) return text;
  let shown = '';
  let end = 0;
  const plain = (words: string) => words.replace(reference, (_, name: string) => characters[name] ?? '');
  for (const { 0: whole, 3: bang, 4: words, 5: address, index } of text.matchAll(codeOrLink)) {
    shown += plain(text.slice(end, index));
    end = index + whole.length;
    if (words === undefined || address === undefined || bang === '!') shown += whole;
    else shown += address.startsWith('#') || address === words ? words : `${words} (${address})`;
  }
  return shown + plain(text.slice(end));
}
