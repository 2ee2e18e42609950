import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FileDigest {
  name: string;
  /** In hexadecimal. */
  sha256: string;
}

/** Returns the digests of the files in a folder, by name. */
export function digests(folder: string): FileDigest[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({
      name,
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    }));
}

/** The text that `sha256sum --check` takes. */
export function checksums(files: readonly FileDigest[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}
