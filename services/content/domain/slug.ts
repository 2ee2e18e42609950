const slugForm = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;

/** Whether a value is a slug (decisions §1): what is not names no project. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && slugForm.test(value);
}
