// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text from elsewhere, made safe for a terminal: without the control characters
 * that move its cursor, rename its window or answer in the reader's name. Line
 * feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(controlCharacters, '');
}
