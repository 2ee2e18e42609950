/** Bytes of a row_key in UTF-8. */
export const maxRowKeyBytes = 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** Characters that nobody sees, and those that let a name read in another order than it has. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/u;
/**
 * Where such characters belong to what people write: in emoji that Unicode recommends, between letters of scripts that join
 * their letters, and behind the characters of which they choose the form. Made when a name needs it: that takes longer than
 * most commands of a program.
 */
let seen: RegExp | undefined;

function seenPattern(): RegExp {
  const joining = 'Arab Syrc Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu'
    .split(' ')
    .map((script) => String.raw`\p{scx=${script}}`);
  return new RegExp(
    [
      String.raw`\p{RGI_Emoji}`,
      String.raw`(?<=[[\p{L}\p{M}]&&[${joining.join('')}]])[\u{200c}\u{200d}](?=\p{L})`,
      String.raw`(?<=\p{Ideographic})[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]`,
      String.raw`(?<=\p{Script=Mongolian})[\u{180b}-\u{180f}]`,
    ].join('|'),
    'gv',
  );
}

/**
 * The names under which answers cite decisions and projects, and tools read decisions and tasks. An item of such a name
 * would be taken for what it names; so would one with blanks behind it, which nobody sees and programs cut off.
 */
const nameOfOther =
  /^((decisions|tasks)\/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|projects\/[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?)[\s\u2800]*$/;

/** Where names of this form begin. */
export const foldersOfOthers = ['decisions/', 'projects/', 'tasks/'] as const;

/** Whether a row_key is the name of a decision, a project or a task, whether or not that exists. */
export function namesOther(rowKey: string): boolean {
  return nameOfOther.test(rowKey);
}

/**
 * Returns what is wrong with a text as the beginning of row_keys, as the end of a sentence, or undefined if row_keys can
 * begin with it.
 */
export function rowKeyPrefixFault(prefix: string): string | undefined {
  if (bytesOf(prefix) > maxRowKeyBytes) return `must have at most ${maxRowKeyBytes} bytes`;
  if (!prefix.isWellFormed() || prefix.normalize('NFC') !== prefix) return 'must be in Unicode NFC';
  if (controlCharacter.test(prefix)) return 'must have no control character';
  return prefix.includes('\\') ? 'must have no backslash' : undefined;
}

/**
 * Returns what is wrong with a row_key, as the end of a sentence, or undefined for a good one: a relative POSIX
 * path in Unicode NFC (docs/contract.md, "Push items"). A path that is not NFC is refused rather
 * than changed, so that what a client sent is what it gets back.
 */
export function rowKeyFault(rowKey: string): string | undefined {
  if (rowKey === '' || bytesOf(rowKey) > maxRowKeyBytes) {
    return `must have 1 to ${maxRowKeyBytes} bytes`;
  }
  if (!rowKey.isWellFormed() || rowKey.normalize('NFC') !== rowKey) return 'must be in Unicode NFC';
  if (controlCharacter.test(rowKey)) return 'must have no control character';
  if (unseen.test(rowKey)) {
    seen ??= seenPattern();
    if (unseen.test(rowKey.replace(seen, ''))) {
      return 'must have no invisible character and none that changes the order of others';
    }
  }
  if (rowKey.includes('\\')) return 'must have no backslash';
  if (rowKey.startsWith('/')) return 'must be a relative path';
  if (rowKey.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return 'must have no empty, "." or ".." segment';
  }
  if (namesOther(rowKey.trimStart())) {
    return 'must not be a name that decisions, projects and tasks have; add an ending such as .md';
  }
  return undefined;
}

/** Bytes of a text in UTF-8, also in browsers. A text with too many characters has too many bytes. */
function bytesOf(text: string): number {
  return text.length > maxRowKeyBytes ? text.length : new TextEncoder().encode(text).byteLength;
}
