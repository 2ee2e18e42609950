import { AppError } from '@teammemory/errors/app-error.ts';

/** How much JSON one request may hold, beside its bytes. */
export interface JsonBounds {
  /** Members of objects and elements of arrays, at every level together; an empty one counts as if it had one. */
  maxValues: number;
  /** Objects and arrays inside one another. */
  maxLevels: number;
}

/**
 * Values of a body that has a number that a double may not hold. Such a body is read with a function that is called
 * for each value, which takes ten times as long.
 */
const maxValuesWithLongNumbers = 20_000;
/** Digits of a whole number that a double may not hold; it holds every one that is shorter. */
const longNumberDigits = 16;

/** Bytes of strings after which the next quote is searched for: in long texts that is ten times as fast, in short ones slower. */
const plainBytesBeforeSkip = 32;

/** What a scan has seen so far. */
export interface JsonScan {
  /**
   * Reads the next bytes of the body.
   * @throws AppError `invalid_request` as soon as the body has more than its bounds allow.
   */
  read(bytes: Uint8Array): void;
  /** Values seen so far. */
  readonly values: number;
  /** Whether a number has an exponent or so many digits that a double may not hold it. */
  readonly hasLongNumber: boolean;
}

const [quote, backslash, comma, dot] = [0x22, 0x5c, 0x2c, 0x2e];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [zero, nine, upperE, lowerE] = [0x30, 0x39, 0x45, 0x65];

/**
 * Counts what a body is made of while it arrives, in one pass over its bytes and
 * without making anything of them: `JSON.parse` must not begin before it is
 * known that it ends soon. Whether the body is JSON at all is not its question.
 */
export function createJsonScan({ maxValues, maxLevels }: JsonBounds): JsonScan {
  let values = 0;
  let level = 0;
  let hasLongNumber = false;
  let inString = false;
  let escaped = false;
  /** Bytes of strings that are neither quotes nor escapes. */
  let plain = 0;
  /** Digits of the whole number at this place, from 1 on; 0 outside of numbers. */
  let digits = 0;
  let inFraction = false;

  function refuse(detail: string): never {
    const violations = [{ pointer: '', detail }];
    throw new AppError('invalid_request', `The body ${detail}.`, { violations });
  }

  function checkValues(): void {
    if (values > maxValues) refuse(`has more than ${maxValues} values`);
    if (hasLongNumber && values > maxValuesWithLongNumbers) {
      refuse(
        `has more than ${maxValuesWithLongNumbers} values, and numbers of 16 digits or with an exponent`,
      );
    }
  }

  function foundLongNumber(): void {
    if (hasLongNumber) return;
    hasLongNumber = true;
    checkValues();
  }

  /** One byte outside of strings. */
  function readByte(byte: number): void {
    if (byte >= zero && byte <= nine) {
      if (inFraction) return;
      digits += 1;
      if (digits === longNumberDigits) foundLongNumber();
      return;
    }
    if (digits > 0 && (byte === upperE || byte === lowerE)) foundLongNumber();
    inFraction = digits > 0 && byte === dot;
    if (inFraction) return;
    digits = 0;
    if (byte === comma) {
      values += 1;
      checkValues();
    } else if (byte === openArray || byte === openObject) {
      values += 1;
      level += 1;
      if (level > maxLevels) refuse(`is nested more than ${maxLevels} levels deep`);
      checkValues();
    } else if (byte === closeArray || byte === closeObject) level -= 1;
  }

  /** Returns the place of the next quote, or the end; what stands before it decides whether it is escaped. */
  function skip(bytes: Uint8Array, from: number): number {
    const found = bytes.indexOf(quote, from);
    const end = found < 0 ? bytes.length : found;
    let slashes = 0;
    while (end - slashes > from && bytes[end - slashes - 1] === backslash) slashes += 1;
    escaped = slashes % 2 === 1;
    return end;
  }

  return {
    get values() {
      return values;
    },
    get hasLongNumber() {
      return hasLongNumber;
    },
    read(bytes) {
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index] as number;
        if (!inString) {
          if (byte === quote) inString = true;
          else readByte(byte);
        } else if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        else {
          plain += 1;
          if (plain % plainBytesBeforeSkip === 0) index = skip(bytes, index + 1) - 1;
        }
      }
    },
  };
}
