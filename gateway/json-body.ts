import { AppError } from '@teammemory/errors/app-error.ts';

declare global {
  // ECMAScript's "JSON.parse source text access", which Node has and the compiler's library does not know yet.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): value is { rawJSON: string };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/**
 * A value, not text, that may be a number that a double does not hold: long, or with an exponent. Without one a plain
 * parse, several times as fast, loses nothing; now and then it finds one in a text, which costs time only.
 */
const longNumber = /(?:"\s*:|[[,])\s*-?(?:\d{16}|\d+(?:\.\d+)?[eE])/;

/**
 * Reads a body as JSON. Front matter is data and comes back as given: keys such
 * as `__proto__` become plain members, and a whole number or a size that a
 * double does not hold (2^53 + 1, 1e400) is kept as its text, which
 * `JSON.stringify` writes again. Fractions are rounded to a double, as usual.
 * @throws AppError `invalid_json`, for no body at all too.
 */
export function parseJsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) throw new AppError('invalid_json', 'The request has no body.');
  try {
    const text = utf8.decode(body);
    return longNumber.test(text) ? JSON.parse(text, keepExactNumber) : JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not UTF-8 JSON.', { cause });
  }
}

function keepExactNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : JSON.rawJSON(source);
}

/** The double nearest to a number that was kept as its text, for who wants to reckon with it; all else as it is. */
export function asDouble(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
}
