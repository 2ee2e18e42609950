import { join } from 'node:path';
import { type FileSystem, writeAtomically } from '../state/file-system.ts';
import { hasTexts } from '../state/stored.ts';
import { stateFolder } from '../state/workspace.ts';
import type { KnownFile } from './examine.ts';

const maxBytes = 256 * 1024 * 1024;

function pathOf(root: string): string {
  return join(root, stateFolder, 'files.json');
}

/** Returns what the last scan found out. Whatever is wrong with that only makes the next scan slower. */
export async function readKnownFiles(files: FileSystem, root: string): Promise<Map<string, KnownFile>> {
  const path = pathOf(root);
  if ((await files.stat(path))?.kind !== 'file') return new Map();
  const bytes = await files.read(path, maxBytes);
  try {
    const entries: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return Array.isArray(entries) && entries.every(isEntry) ? new Map(entries) : new Map();
  } catch {
    return new Map();
  }
}

/** Keeps what a scan found out for the next one, if that is something new. */
export async function writeKnownFiles(
  files: FileSystem,
  root: string,
  before: ReadonlyMap<string, KnownFile>,
  known: ReadonlyMap<string, KnownFile>,
): Promise<void> {
  const isSame =
    before.size === known.size &&
    [...known].every(([rowKey, { stamp, fileChecksum }]) => {
      const old = before.get(rowKey);
      return old?.stamp === stamp && old.fileChecksum === fileChecksum;
    });
  if (isSame) return;
  const text = JSON.stringify([...known]);
  await writeAtomically(files, pathOf(root), Buffer.from(text), { mode: 0o600, flush: false });
}

function isEntry(entry: unknown): entry is [rowKey: string, KnownFile] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [rowKey, file] = entry as unknown[];
  return (
    typeof rowKey === 'string' &&
    hasTexts(file, 'stamp', 'fileChecksum') &&
    typeof file.isPrivate === 'boolean' &&
    (file.fault === undefined || hasTexts(file.fault, 'code', 'reason'))
  );
}
