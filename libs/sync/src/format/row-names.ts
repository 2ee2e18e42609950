import { posix } from 'node:path';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import type { Fault, RemoteVersion } from '../plan/plan-types.ts';
import { obeyedName } from './obeyed-name.ts';

/** File systems allow 255. The rest is for the name of a conflict copy, which is shortened if it must be. */
const maxNameBytes = 255;
/** Windows without long paths allows 260 characters, of which the root needs some. */
const maxWindowsPathCharacters = 200;
const maxHandleCharacters = 40;

const markdown = /\.(?:md|markdown)$/i;
const conflictCopy = /\.conflict-[a-z0-9._-]{1,40}-\d{8}T\d{9}Z\.(?:md|markdown)$/i;
/** Devices of Windows, with any extension. */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])(?:\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const refusedByWindows = /[<>:"|?*\u0000-\u001f]|[. ]$/;
/** Folders that belong to tools, whatever rules say. */
const neverSynced = new Set(['.tms', '.git']);

/** Whether a file name is that of a Markdown file. */
export function isMarkdown(name: string): boolean {
  return markdown.test(name);
}

/** Whether a file name is that of the copy of another version, which is never pushed. */
export function isConflictCopy(name: string): boolean {
  return conflictCopy.test(name);
}

/** Whether a folder is neither read nor written, whatever the ignore rules say. */
export function isNeverSynced(name: string): boolean {
  // Most names need no closer look, and a scan asks for every file.
  if (/^[\w.-]+$/.test(name)) return neverSynced.has(name.toLowerCase());
  return neverSynced.has(
    name
      .normalize('NFKC')
      .replace(/[\p{Cf}\p{M}\s]/gu, '')
      .toLowerCase(),
  );
}

/** Returns why a row_key cannot be the name of a file on Windows, as the end of a sentence, or undefined. */
export function windowsFault(rowKey: string): string | undefined {
  const names = rowKey.split('/');
  if (names.some((name) => deviceName.test(name))) return 'has a name that Windows reserves';
  if (names.some((name) => refusedByWindows.test(name)))
    return 'has a character or an end that Windows refuses';
  if (rowKey.length > maxWindowsPathCharacters) return 'has a path that is too long for Windows';
  return undefined;
}

/**
 * Returns why an item must not become a file here, or undefined if it may. Otherwise a member of the team could write
 * `.git/config` on the machines of others, and a guest could give orders to their coding agents.
 */
export function nameRefusal(
  rowKey: string,
  { tier }: Pick<RemoteVersion, 'tier'>,
  { platform, allowInstructions }: { platform: string; allowInstructions: boolean },
): Fault | undefined {
  const fault = rowKeyFault(rowKey);
  if (fault !== undefined) return { code: 'unsafe_path', reason: `has a row_key that ${fault}` };
  const names = rowKey.split('/');
  if (names.some(isNeverSynced)) return { code: 'unsafe_path', reason: 'lies in a folder of tools' };
  if (!isMarkdown(rowKey)) return { code: 'not_markdown', reason: 'is not a Markdown file' };
  if (isConflictCopy(rowKey)) return { code: 'unsafe_path', reason: 'has the name of a conflict copy' };
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) {
    return { code: 'name_too_long', reason: 'has a name that is too long for a file' };
  }
  const windows = platform === 'win32' ? windowsFault(rowKey) : undefined;
  if (windows !== undefined) return { code: 'name_not_possible', reason: windows };
  // A guest's key writes only items of this tier.
  const obeyed = tier === 'external' && !allowInstructions ? obeyedName(rowKey, tier) : undefined;
  if (obeyed === undefined) return undefined;
  const reason = `${obeyed}, and a guest may have written it: agents would take it for instructions`;
  return { code: 'instructions_from_guest', reason };
}

/** Returns the row_key-like path of the copy of another version: `plan.conflict-ada-20261121T062700123Z.md`. */
export function conflictCopyName(rowKey: string, { updatedAt, updatedBy }: RemoteVersion): string {
  const extension = posix.extname(rowKey);
  const folder = posix.dirname(rowKey);
  const handle =
    updatedBy
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .slice(0, maxHandleCharacters) || 'unknown';
  const digits = updatedAt.replace(/\D/g, '').padEnd(17, '0').slice(0, 17);
  const ending = `.conflict-${handle}-${digits.slice(0, 8)}T${digits.slice(8)}Z${extension}`;
  const stem = shortened(posix.basename(rowKey, extension), maxNameBytes - Buffer.byteLength(ending));
  return folder === '.' ? stem + ending : `${folder}/${stem}${ending}`;
}

function shortened(text: string, maxBytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > maxBytes) short = [...short].slice(0, -1).join('');
  return short;
}
