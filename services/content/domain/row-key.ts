/** Bytes of a row_key in UTF-8. */
export const rowKeyMaxBytes = 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * What is wrong with a row_key, or undefined for a good one: a relative POSIX
 * path in Unicode NFC (decisions §3). A path that is not NFC is refused rather
 * than changed, so that what a client sent is what it gets back.
 */
export function rowKeyFault(rowKey: string): string | undefined {
  if (rowKey === '' || Buffer.byteLength(rowKey) > rowKeyMaxBytes) {
    return `row_key must have 1 to ${rowKeyMaxBytes} bytes`;
  }
  if (!rowKey.isWellFormed() || rowKey.normalize('NFC') !== rowKey) return 'row_key must be in Unicode NFC';
  if (controlCharacter.test(rowKey)) return 'row_key must have no control character';
  if (rowKey.includes('\\')) return 'row_key must have no backslash';
  if (rowKey.startsWith('/')) return 'row_key must be a relative path';
  if (rowKey.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return 'row_key must have no empty, "." or ".." segment';
  }
  return undefined;
}
