import { createHash } from 'node:crypto';

/** `sha256:` and the lower-case hex digest of the bytes: the form of the wire. */
export function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
