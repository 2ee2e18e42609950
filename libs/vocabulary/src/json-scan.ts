/** Bounds of a JSON text, in addition to its bytes. */
export interface JsonBounds {
  /** Members of all objects and elements of all arrays; an empty one counts as one. */
  maxValues: number;
  /** Depth of nested objects and arrays. */
  maxLevels: number;
}

/** Digits of a whole number that a double may not represent; it represents every shorter one. */
const longNumberDigits = 16;

/** Bytes of a string after which the next quote is searched with indexOf: ten times as fast in long texts, slower in short ones. */
const plainBytesBeforeSkip = 32;

/** The state of a scan. */
export interface JsonScan {
  /** Reads the next bytes. Returns which bound the text exceeds; what follows is not read. */
  read(bytes: Uint8Array): 'values' | 'levels' | undefined;
  /** Values seen so far. */
  readonly values: number;
  /** Whether a number has an exponent, or more digits than a double represents. */
  readonly hasLongNumber: boolean;
}

const [quote, backslash, comma, dot] = [0x22, 0x5c, 0x2c, 0x2e];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [zero, nine, upperE, lowerE] = [0x30, 0x39, 0x45, 0x65];

/**
 * Counts the values and levels of a JSON text while it arrives, in one pass over its
 * bytes, so that `JSON.parse` never starts on one that would take it too long: two
 * bytes become an object of dozens. It does not check that the text is valid JSON.
 */
export function createJsonScan({ maxValues, maxLevels }: JsonBounds): JsonScan {
  let values = 0;
  let level = 0;
  let hasLongNumber = false;
  let inString = false;
  let escaped = false;
  /** Bytes of strings, without quotes and escapes. */
  let plain = 0;
  /** Digits so far of the current whole number; 0 outside numbers. */
  let digits = 0;
  let inFraction = false;
  let exceeded: 'values' | 'levels' | undefined;

  /** Reads one byte outside strings. */
  function readByte(byte: number): void {
    if (byte >= zero && byte <= nine) {
      if (inFraction) return;
      digits += 1;
      if (digits === longNumberDigits) hasLongNumber = true;
      return;
    }
    if (digits > 0 && (byte === upperE || byte === lowerE)) hasLongNumber = true;
    inFraction = digits > 0 && byte === dot;
    if (inFraction) return;
    digits = 0;
    if (byte === comma) values += 1;
    else if (byte === openArray || byte === openObject) {
      values += 1;
      level += 1;
      if (level > maxLevels) exceeded = 'levels';
    } else if (byte === closeArray || byte === closeObject) level -= 1;
    if (values > maxValues) exceeded ??= 'values';
  }

  /** Returns the index of the next quote, or the end; the backslashes before it decide whether it is escaped. */
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
      for (let index = 0; index < bytes.length && exceeded === undefined; index += 1) {
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
      return exceeded;
    },
  };
}
