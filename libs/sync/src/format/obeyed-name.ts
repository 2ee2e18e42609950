/** Names, without their extension, of files that coding agents read as instructions, in whatever case. */
const obeyedFiles = new Set(
  `AGENT AGENTS AGENTS.OVERRIDE AGENTS.LOCAL AMP BOOTSTRAP CLAUDE CLAUDE.LOCAL CODEBUDDY CODEX CONVENTIONS
  COPILOT-INSTRUCTIONS CRUSH CURSOR CURSORRULES CLINERULES GEMINI GOOSEHINTS HEARTBEAT HERMES HOOK HOOKS IDENTITY IFLOW
  INSTRUCTIONS JULES KIRO MEMORY OPENCODE PROMPT PROMPTS QWEN REPLIT ROOMODES RULES SKILL SKILLS SOUL SYSTEM SYSTEM-PROMPT
  TOOLS USER WARP WINDSURFRULES`.split(/\s+/),
);
/** Names in capitals that every project has. Agents give their instructions such names too, and new ones each month. */
const everyProjects = new Set(['README', 'CHANGELOG', 'LICENSE', 'CONTRIBUTING', 'SECURITY']);
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
 * hide it, or its name has another meaning on Windows. What a guest may have written, of tier `external`, is no note either if its
 * name is in capitals: new tools choose such names. Returns undefined for a note. Letters that look alike count as the
 * same letter, in any case, so the result is right on every file system.
 */
export function obeyedName(rowKey: string, tier: string): string | undefined {
  const names = rowKey.split('/');
  if (names.some((name) => deviceName.test(name) || refusedByWindows.test(name) || shortName.test(name)))
    return 'has a name that means something else on Windows';
  const plain = names.map(withoutDisguise);
  const folded = plain.map((name) => name.toUpperCase());
  if (folded.some((name) => name.startsWith('.'))) return 'is hidden';
  if (folded.slice(0, -1).some((name) => obeyedFolders.has(name))) return 'lies in a folder that tools obey';
  const stem = folded.at(-1)?.replace(/(?:\.(?:MD|MDC|MARKDOWN))+$/, '') ?? '';
  if (obeyedFiles.has(stem) || obeyedEnding.test(stem)) return 'has a name that tools obey';
  const isLikely = tier === 'external' && isInCapitals(plain.at(-1) ?? '');
  return isLikely ? 'has a name in capitals, as files have that tools obey' : undefined;
}

/** Whether a name is in capitals up to its first dot, but for those that every project has. */
function isInCapitals(name: string): boolean {
  const [first = ''] = name.split('.');
  return /\p{Lu}/u.test(first) && first === first.toUpperCase() && !everyProjects.has(first);
}

/** Returns the form that a name shares with all names that look like it. */
function withoutDisguise(name: string): string {
  const visible = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}\s]/gu, '')
    .replace(/\.+$/, '');
  return visible.replace(/[^\0-\x7f]/g, (letter) => {
    const capital = letter.toUpperCase();
    const latin = lookAlikes[capital];
    if (latin === undefined) return letter;
    return letter === capital ? latin : latin.toLowerCase();
  });
}
