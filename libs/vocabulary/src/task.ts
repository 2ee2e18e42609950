/** What the box of a task says: `[ ]`, `[x]` or `[-]`. */
export const taskStatuses = ['open', 'done', 'cancelled'] as const;

/** One of `taskStatuses`. */
export type TaskStatus = (typeof taskStatuses)[number];

/** The form of the owner of a task, without the @ that is before it in the text. */
export const taskOwnerPattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}])?$/u;

/** The end of a sentence that refuses what is no owner. */
export const taskOwnerRule =
  'must be 1 to 64 letters, digits and . _ -, beginning and ending with a letter or digit, without @';

/** Returns an owner in the form in which owners are compared: `@Ada` and `@ada` are the same person. */
export function comparableOwner(owner: string): string {
  return owner.normalize('NFC').toLowerCase();
}
