import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { isMarkdown, isSkippedFolder } from './row-key.ts';

/** A folder with more is not a team's notes but, most likely, a whole disk. */
const maxFiles = 100_000;

/** A file to push and the row_key that it has. */
export interface SourceFile {
  path: string;
  rowKey: string;
}

/**
 * Finds the Markdown files below a folder, in the order of their names. Hidden
 * folders, node_modules and symbolic links are skipped: a link could lead out of
 * the folder, and what it leads to inside is found anyway. Throws CliError
 * `too_many_files`.
 */
export async function findMarkdownFiles(root: string): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) folders.push(relative);
      if (!entry.isFile() || !isMarkdown(entry.name)) continue;
      if (found.length === maxFiles) {
        throw new CliError('too_many_files', `${root} has more than ${maxFiles} Markdown files.`);
      }
      found.push({ path: join(root, relative), rowKey: relative.normalize('NFC') });
    }
  }
  return found.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
}
