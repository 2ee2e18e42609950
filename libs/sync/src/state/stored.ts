// Checks of what `.tms/` has stored. Written by hand: a library of schemas takes longer to load than all else that
// `tms status` does.

/** Whether a value is an object with members, of which any may be missing or of another type. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object in which these members are texts. */
export function hasTexts<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Record<string, unknown> & Record<Name, string> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}
