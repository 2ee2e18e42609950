/** Files that coding agents read as instructions, without the ending. What begins or ends so is one too. */
const obeyedFiles = new Set(
  `AGENT AGENTS AGENTS.OVERRIDE AGENTS.LOCAL AMP CLAUDE CLAUDE.LOCAL CODEBUDDY CODEX CONVENTIONS COPILOT-INSTRUCTIONS
  CRUSH CURSOR CURSORRULES CLINERULES GEMINI GOOSEHINTS HOOK HOOKS IFLOW INSTRUCTIONS JULES KIRO MEMORY OPENCODE PROMPT
  PROMPTS QWEN REPLIT ROOMODES RULES SKILL SKILLS SYSTEM SYSTEM-PROMPT WARP WINDSURFRULES`.split(/\s+/),
);
const obeyedEnding = /\.(?:AGENT|CHATMODE|COMMAND|HOOK|INSTRUCTIONS|MODE|PROMPT|RULES|SKILL)$/;
/** Folders whose files agents run or take for instructions. */
const obeyedFolders = new Set(
  'AGENTS CHATMODES COMMANDS HOOKS INSTRUCTIONS MEMORY-BANK OUTPUT-STYLES PLUGINS PROMPTS RULES SKILLS STEERING'.split(
    ' ',
  ),
);
/** Devices of Windows, with any ending. */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])(?:\.|$)/i;
const refusedByWindows = /[<>:"|?*]|[. ]$/;
/** How Windows shortens a name: `CLAUDE~1.MD` opens CLAUDE.local.md there. */
const shortName = /~\d/;
/** Letters of other scripts that look like these, in capitals; a reader takes one for the other. */
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
 * Why a file of this row_key may be more than a note, as the end of a sentence:
 * tools take it for instructions, hide it, or Windows makes something else of
 * its name. Undefined where it is a note. Letters that look alike count as one,
 * in any case, so it holds on every file system.
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

/** The name as all that is equal to it, or looks like it, is written. */
function fold(name: string): string {
  const visible = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}\s]/gu, '')
    .replace(/\.+$/, '');
  return visible.toUpperCase().replace(/[^\0-\x7f]/g, (letter) => lookAlikes[letter] ?? letter);
}
