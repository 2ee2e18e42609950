import type { Access } from '@teammemory/vocabulary/access.ts';

/**
 * The access that is stored with a key. A key that proposes is stored as one that reads, beside which it says that it
 * proposes: programs of earlier versions know no other access, and their tables in SQLite refuse one.
 */
export function storedAccess(access: Access): Exclude<Access, 'propose'> {
  return access === 'propose' ? 'read' : access;
}
