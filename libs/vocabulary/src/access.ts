import type { Tier } from './tier.ts';

/**
 * What the holder of a key may do with the rows that its tier sees, from least to most: `read` pulls and asks; `propose`
 * also pushes items that wait until a reviewer accepts them; `own` pushes new items, and changes or removes items that the
 * key's member wrote last; `write` does everything its tier allows.
 */
export const accesses = ['read', 'propose', 'own', 'write'] as const;

export type Access = (typeof accesses)[number];

/** The access of a key for which no other was chosen: guests write only what is theirs. */
export const defaultAccess: Readonly<Record<Tier, Access>> = { team: 'write', external: 'own' };

/** Bounds of a key's own limit of item writes per minute, so that one mistyped number cannot switch the limit off. */
export const minItemWritesPerMinute = 1;
export const maxItemWritesPerMinute = 1_000_000;

/** Returns whether a value is a name of an access. */
export function isAccess(value: unknown): value is Access {
  return (accesses as readonly unknown[]).includes(value);
}
