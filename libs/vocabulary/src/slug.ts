/** The form of the slug of a team, a project or a codebase (docs/contract.md, "Names"). It fits a DNS label. */
export const slugPattern = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;

/** The end of a sentence that refuses what is not a slug. */
export const slugRule = 'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit';

/** Whether a value is a slug. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && slugPattern.test(value);
}
