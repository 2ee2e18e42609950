import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';

/** File systems take 255; the rest is room for `.remote-99` and for the name of a temporary file. */
const maxNameBytes = 240;

/** Whether a name is that of a Markdown file. */
export function isMarkdown(name: string): boolean {
  return /\.(md|markdown)$/i.test(name);
}

/** Folders that are the business of tools, `.tms` and `.git` among them: neither read nor written. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name.toLowerCase() === 'node_modules';
}

/**
 * Why a row_key from the service must not become a file, as the end of a sentence;
 * undefined where it may. A pull writes only what a push would read: Markdown files
 * outside hidden folders. Anything else would let a member of the team place, say,
 * `.git/config` on the others' machines.
 */
export function rowKeyProblem(rowKey: string): string | undefined {
  const fault = rowKeyFault(rowKey);
  if (fault !== undefined) return fault;
  if (process.platform === 'win32' && /[:*?"<>|]/.test(rowKey)) return 'has a character that Windows refuses';
  const names = rowKey.split('/');
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'has a name that is too long';
  if (names.slice(0, -1).some(isSkippedFolder)) return 'lies in a hidden folder or in node_modules';
  if (!isMarkdown(rowKey)) return 'is not a Markdown file';
  return undefined;
}
