import { createHash } from 'node:crypto';

/** Returns the checksum of a file in the form of the public API: `sha256:` and the digest in lower-case hex. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
