import { createRequire } from 'node:module';

/** Returns the checksum of a file in the form of the public API: `sha256:` and the digest in lower-case hex. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${hashes().createHash('sha256').update(bytes).digest('hex')}`;
}

/** Loading them takes longer than `tms status` needs for a thousand unchanged files. */
function hashes(): typeof import('node:crypto') {
  loaded ??= createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return loaded;
}

let loaded: typeof import('node:crypto') | undefined;
