import { contentSaysPrivate, frontmatterSaysPrivate } from '@teammemory/vocabulary/private-markers.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import { checksumOf } from '../format/checksum.ts';
import { frontmatterTier } from '../format/frontmatter-tier.ts';
import { contentFromFile } from '../format/item-file.ts';
import type { Fault } from '../plan/plan-types.ts';
import type { FileStat } from '../state/file-system.ts';
import { SyncError } from '../sync-error.ts';

/** What a scan found out about a file, so that the next one need not read it again. */
export interface KnownFile {
  /** Empty for a fault that has to be looked at again, and is remembered only because it was told. */
  stamp: string;
  fileChecksum: string;
  isPrivate: boolean;
  fault?: Fault;
}

/** Finds out what matters about a file's bytes; `bytes` is undefined for a file that is too large. */
export function examine(
  rowKey: string,
  bytes: Uint8Array | undefined,
  stat: Pick<FileStat, 'stamp'>,
): Omit<KnownFile, 'stamp'> {
  if (bytes === undefined) {
    const fault = { code: 'too_large', reason: 'is larger than 1 MiB' };
    // It has no checksum that an item could have, and another one whenever it changes.
    return { fileChecksum: `too large: ${stat.stamp}`, isPrivate: false, fault };
  }
  const fileChecksum = checksumOf(bytes);
  const nameFault = rowKeyFault(rowKey);
  try {
    const { content, frontmatter } = contentFromFile(bytes);
    const isPrivate = frontmatterSaysPrivate(frontmatter) || contentSaysPrivate(content);
    if (isPrivate) return { fileChecksum, isPrivate };
    if (nameFault !== undefined) {
      return { fileChecksum, isPrivate, fault: { code: 'bad_name', reason: `has a path that ${nameFault}` } };
    }
    frontmatterTier(frontmatter);
    return { fileChecksum, isPrivate };
  } catch (cause) {
    if (!(cause instanceof SyncError)) throw cause;
    return { fileChecksum, isPrivate: false, fault: { code: cause.code, reason: cause.message } };
  }
}
