import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { JsonBounds, JsonScan } from '@teammemory/vocabulary/json-scan.ts';

declare global {
  // ECMAScript's "JSON.parse source text access": Node has it, TypeScript's library does not yet.
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
 * Values of a body with a number that a double may not represent. Such a body is parsed with a reviver that is called for
 * each value, which takes ten times as long.
 */
const maxValuesWithLongNumbers = 20_000;

/**
 * Reads the next bytes of a body.
 * @throws AppError `invalid_request` as soon as the body exceeds its bounds.
 */
export function readWithinBounds(scan: JsonScan, { maxValues, maxLevels }: JsonBounds, bytes: Uint8Array) {
  const exceeded = scan.read(bytes);
  if (exceeded === 'values') refuse(`has more than ${maxValues} values`);
  if (exceeded === 'levels') refuse(`is nested more than ${maxLevels} levels deep`);
  if (scan.hasLongNumber && scan.values > maxValuesWithLongNumbers) {
    refuse(`has more than ${maxValuesWithLongNumbers} values, and numbers of 16 digits or with an exponent`);
  }
}

function refuse(detail: string): never {
  throw new AppError('invalid_request', `The body ${detail}.`, { violations: [{ pointer: '', detail }] });
}

/** A received body that was scanned and is within its bounds. */
export interface ScannedBody {
  bytes: Uint8Array;
  /** Whether it contains numbers that a double may not represent. */
  hasLongNumber: boolean;
}

/**
 * Parses a body as JSON. Front matter is data and must come back as given: keys
 * such as `__proto__` become plain members, and a number that a double cannot
 * represent (2^53 + 1, 1e400) is kept as its text, which `JSON.stringify` writes
 * again. Fractions are rounded to a double, as usual.
 *
 * Decoding, parsing and what follows have a turn each: of a body of 8 MiB each takes up to 30 ms.
 * @throws AppError `invalid_json`, also if there is no body.
 */
export async function parseJsonBody(body: ScannedBody | undefined): Promise<unknown> {
  if (body === undefined) throw new AppError('invalid_json', 'The request has no body.');
  try {
    const isLarge = body.bytes.length > largeBytes;
    const text = utf8.decode(body.bytes);
    if (isLarge) await nextTurn();
    const value = body.hasLongNumber ? JSON.parse(text, keepExactNumber) : JSON.parse(text);
    if (isLarge) await nextTurn();
    return value;
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not UTF-8 JSON.', { cause });
  }
}

/** Smaller bodies are decoded and parsed within two milliseconds. */
const largeBytes = 256 * 1024;

function keepExactNumber(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : JSON.rawJSON(source);
}

/** Returns the nearest double of a number that was kept as its text, and any other value unchanged. */
export function asDouble(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
}
