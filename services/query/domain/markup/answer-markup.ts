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
