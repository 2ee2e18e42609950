/** Any JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** The value as an object; what is none has no members. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

/** The value as a list; what is none is empty. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text; what is none is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** More tokens than a session has. One damaged line must not drown the others; sums of so many stay exact. */
const maxCount = 10_000_000_000;

/** The value as a number of things: not negative and at most `maxCount`, else 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= maxCount ? value : 0;
}

/** The value as a time in milliseconds since the epoch: a number of them or an ISO text; NaN for anything else. */
export function timeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
}

/** Parses JSON text; undefined for text that is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
