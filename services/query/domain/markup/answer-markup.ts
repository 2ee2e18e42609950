/** The kinds of Markdown in answers (setting ANSWER_MARKUP): only what shows words, or everything. */
export const answerMarkups = ['inert', 'full'] as const;

export type AnswerMarkup = (typeof answerMarkups)[number];

/** Images and links: their text is kept. */
const link = /!?\[([^[\]]*)\]\([^()]*\)/g;
const autolink = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/gi;
const tag = /<[a-z/!?][^<>]*>/gi;
/** Addresses that some renderers make links of wherever they stand, besides those of the web and of mail. */
const activeAddress = /(?:ftp|xmpp|javascript|vbscript|livescript):(?=\S)|(?<![:/])\/\/(?=[\p{L}\p{N}])/giu;
/** What would still be markup beside what follows it. */
const unfinished = /\](?=[(:])|!(?=\[)|<(?=[a-z/!?])/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** A title as plain text on one line: older items may have one with Markdown, HTML or control characters in it. */
export function plainTitle(title: string): string {
  return title
    .replace(unprintable, ' ')
    .replace(link, '$1')
    .replace(autolink, '$1')
    .replace(tag, '')
    .replace(unfinished, '$& ')
    .replace(activeAddress, '$& ')
    .replace(activeAddress, '$& ')
    .trim();
}

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
