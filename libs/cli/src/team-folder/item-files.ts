import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '@teammemory/client/item.ts';
import type { ItemImport } from '@teammemory/client/rpc/team-rows.ts';
import { checksumOf } from '@teammemory/sync/format/checksum.ts';
import { contentFromFile, fileFromItem } from '@teammemory/sync/format/item-file.ts';
import { nameRefusal } from '@teammemory/sync/format/row-names.ts';
import { maxContentBytes, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import { CliError } from '../cli-error.ts';
import { readFolderFile } from './folder-file.ts';
import { type ItemLine, itemsFolder } from './format.ts';

/** As YAML, a list in front matter has a line for each element, indented by its depth: up to nine times its JSON. */
const maxItemFileBytes = maxContentBytes + 16 * maxFrontmatterBytes;
const ownerOnly = 0o600;
const ownerOnlyFolder = 0o700;

/** Writes items as files below a folder, and returns the line of each for `items.jsonl`. */
export interface ItemFiles {
  put(item: Item): Promise<ItemLine>;
  remove(rowKey: string): Promise<void>;
}

/**
 * An item becomes a file only if that works on every system: no name that Windows refuses, none that differs from another
 * in case alone. What a guest may have written for agents to obey stays data.
 */
export function createItemFiles(root: string): ItemFiles {
  /** What stands at a path, without regard to case. */
  const claims = new Map<string, { path: string; kind: 'file' | 'folder' }>();
  const files = new Set<string>();

  function claim(rowKey: string): boolean {
    const names = rowKey.split('/');
    const wanted = names.map((_, index) => ({
      path: names.slice(0, index + 1).join('/'),
      kind: index === names.length - 1 ? ('file' as const) : ('folder' as const),
    }));
    const isFree = wanted.every((place) => {
      const taken = claims.get(folded(place.path));
      return taken === undefined || isDeepStrictEqual(taken, place);
    });
    if (isFree) for (const place of wanted) claims.set(folded(place.path), place);
    return isFree;
  }

  return {
    async put(item) {
      const { row_key, title, tier, checksum, updated_at, updated_by } = item;
      const about = { row_key, title, tier, checksum, updated_at, updated_by };
      const whole = wholeItem(item);
      const refusal = nameRefusal(
        row_key,
        { tier: tier === 'team' ? 'team' : 'external' },
        { platform: 'win32', allowInstructions: false },
      );
      if (refusal !== undefined || !claim(row_key)) {
        // It may have been a file while it had another tier.
        if (files.delete(row_key)) await rm(pathOf(root, row_key), { force: true });
        return { ...about, file: null, item: whole };
      }
      const bytes = fileFromItem(item);
      await mkdir(dirname(pathOf(root, row_key)), { recursive: true, mode: ownerOnlyFolder });
      await writeFile(pathOf(root, row_key), bytes, { mode: ownerOnly });
      files.add(row_key);
      const fileChecksum = checksumOf(bytes);
      return {
        ...about,
        file: `${itemsFolder}/${row_key}`,
        ...(fileChecksum === checksum.toLowerCase() ? {} : { file_checksum: fileChecksum }),
        ...(isDeepStrictEqual(readBack(bytes), whole) ? {} : { item: whole }),
      };
    },
    async remove(rowKey) {
      if (files.delete(rowKey)) await rm(pathOf(root, rowKey), { force: true });
    },
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function pathOf(root: string, rowKey: string): string {
  return join(root, itemsFolder, ...rowKey.split('/'));
}

function wholeItem({ content, frontmatter, frontmatter_text }: Item): NonNullable<ItemLine['item']> {
  return { content, frontmatter, ...(frontmatter_text === undefined ? {} : { frontmatter_text }) };
}

function readBack(bytes: Buffer): object | undefined {
  try {
    return contentFromFile(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the item of a line of `items.jsonl`. If its file was edited after the export, the file counts.
 * Throws CliError `damaged_export` if the file is missing, is a link, or cannot be read as an item.
 */
export async function itemOfLine(root: string, line: ItemLine): Promise<ItemImport> {
  const { row_key, tier, checksum, item } = line;
  if (line.file === null) {
    if (item === undefined)
      throw new CliError('damaged_export', `${row_key} has neither a file nor an item.`);
    return { row_key, tier, checksum, ...item };
  }
  if (line.file !== `${itemsFolder}/${row_key}` || !isSafe(row_key)) {
    throw new CliError('damaged_export', `The file of ${row_key} is not where it should be.`);
  }
  const bytes = await readFolderFile(root, line.file, {
    maxBytes: maxItemFileBytes,
    missing: 'is missing. If you removed it, remove its line of items.jsonl.',
  });
  const found = checksumOf(bytes);
  const isEdited = found !== (line.file_checksum ?? checksum.toLowerCase());
  if (!isEdited && item !== undefined) return { row_key, tier, checksum, ...item };
  const content = readBack(bytes);
  if (content === undefined) {
    throw new CliError(
      'damaged_export',
      `${line.file} cannot be read: its front matter or its encoding is wrong.`,
    );
  }
  return {
    row_key,
    tier,
    checksum: isEdited ? found : checksum,
    ...(content as NonNullable<ItemLine['item']>),
  };
}

function isSafe(rowKey: string): boolean {
  const wanted = { platform: 'win32', allowInstructions: true };
  return nameRefusal(rowKey, { tier: 'team' }, wanted) === undefined;
}
