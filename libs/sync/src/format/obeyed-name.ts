/** Names, without their extension, of files that coding agents read as instructions. */
const obeyedFiles = new Set(
  `AGENT AGENTS AGENTS.OVERRIDE AGENTS.LOCAL AMP CLAUDE CLAUDE.LOCAL CODEBUDDY CODEX CONVENTIONS COPILOT-INSTRUCTIONS
  CRUSH CURSOR CURSORRULES CLINERULES GEMINI GOOSEHINTS HOOK HOOKS IFLOW INSTRUCTIONS JULES KIRO MEMORY OPENCODE PROMPT
  PROMPTS QWEN REPLIT ROOMODES RULES SKILL SKILLS SYSTEM SYSTEM-PROMPT WARP WINDSURFRULES`.split(/\s+/),
);
const obeyedEnding = /\.(?:AGENT|CHATMODE|COMMAND|HOOK|INSTRUCTIONS|MODE|PROMPT|RULES|SKILL)$/;
/** Folders whose files agents run or read as instructions. */
const obeyedFolders = new Set(
  'AGENTS CHATMODES COMMANDS HOOKS INSTRUCTIONS MEMORY-BANK OUTPUT-STYLES PLUGINS PROMPTS RULES SKILLS STEERING'.split(
    ' ',
  ),
);
/** Devices of Windows, with any extension. */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])(?:\.|$)/i;
const refusedByWindows = /[<>:"|?*]|[. ]$/;
/** How Windows shortens a name: `CLAUDE~1.MD` opens CLAUDE.local.md there. */
const shortName = /~\d/;
/** Capital letters of other scripts that look like Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    A: 'АΑ',
    B: 'ВΒ',
    C: 'СϹ',
    D: 'Ԁ',
    E: 'ЕΕ',
    G: 'ԌƓ',
    H: 'НΗ',
    I: 'ІΙӀ',
    J: 'Ј',
    K: 'КΚ',
    L: 'Ⅼ',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟ',
    P: 'РΡ',
    Q: 'Ԛ',
    R: 'Ʀ',
    S: 'Ѕ',
    T: 'ТΤ',
    U: 'Ս',
    W: 'Ԝ',
    X: 'ХΧ',
    Y: 'УΥ',
    Z: 'Ζ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

/**
 * Returns as the end of a sentence why a file of this row_key may be more than a note: tools take it for instructions or
 * hide it, or its name has another meaning on Windows. Returns undefined for a note. Letters that look alike count as the
 * same letter, in any case, so the result is right on every file system.
 */
export function obeyedName(rowKey: string): string | undefined {
  const names = rowKey.split('/');
  if (names.some((name) => deviceName.test(name) || refusedByWindows.test(name) || shortName.test(name)))
    return 'has a name that means something else on Windows';
  const folded = names.map(fold);
  if (folded.some((name) => name.startsWith('.'))) return 'is hidden';
  if (folded.slice(0, -1).some((name) => obeyedFolders.has(name))) return 'lies in a folder that tools obey';
  const stem = folded.at(-1)?.replace(/(?:\.(?:MD|MDC|MARKDOWN))+$/, '') ?? '';
  if (obeyedFiles.has(stem) || obeyedEnding.test(stem)) return 'has a name that tools obey';
  return undefined;
}

/** Returns the form that a name shares with all names that equal it or look like it. */
function fold(name: string): string {
  const visible = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}\s]/gu, '')
    .replace(/\.+$/, '');
  return visible.toUpperCase().replace(/[^\0-\x7f]/g, (letter) => lookAlikes[letter] ?? letter);
}
