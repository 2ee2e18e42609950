/**
 * Characters that nobody sees and that programs read: controls, marks of direction, tags, fillers, and variants beyond the
 * one that a character may have. Line ends, tabs and the joiners of letters and emoji are none of them.
 */
const unseen =
  /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0\u{e0000}-\u{e0fff}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;

/** Returns a text with each unseen character as its code, such as `⟨U+200B⟩`, for whoever is to accept the text. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
