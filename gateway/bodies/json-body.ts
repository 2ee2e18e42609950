import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** A body as it was received, scanned and within its bounds. */
export interface ScannedBody {
  bytes: Uint8Array;
  /** Whether it has numbers that a double may not hold. */
  hasLongNumber: boolean;
}

/**
 * Reads a body as JSON. Front matter is data and comes back as given: keys such
 * as `__proto__` become plain members, and a whole number or a size that a
 * double does not hold (2^53 + 1, 1e400) is kept as its text, which
 * `JSON.stringify` writes again. Fractions are rounded to a double, as usual.
 *
 * Decoding and parsing are turns of their own: of a body of 8 MiB each takes up to 30 ms.
 * @throws AppError `invalid_json`, for no body at all too.
 */
export async function parseJsonBody(body: ScannedBody | undefined): Promise<unknown> {
  if (body === undefined) throw new AppError('invalid_json', 'The request has no body.');
  try {
    const text = utf8.decode(body.bytes);
    if (body.bytes.length > largeBytes) await nextTurn();
    return body.hasLongNumber ? JSON.parse(text, keepExactNumber) : JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not UTF-8 JSON.', { cause });
  }
}

/** Bytes that are decoded and parsed in under a millisecond or two. */
const largeBytes = 256 * 1024;

function keepExactNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : JSON.rawJSON(source);
}

/** The double nearest to a number that was kept as its text, for who wants to reckon with it; all else as it is. */
export function asDouble(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
}
