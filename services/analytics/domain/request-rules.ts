import { AppError, type Violation } from '@teammemory/errors/app-error.ts';

/** Faults named in one error. A request can have 20,000 more. */
const maxViolations = 100;

/** Collects the faults of a request, so that one error names them all. */
export interface Faults {
  /** Adds a fault: the value at a JSON Pointer breaks a rule. */
  add(pointer: string, detail: string): void;
  /** Throws AppError `invalid_request` if anything was noted. */
  throwIfAny(): void;
}

/** Starts an empty collection. */
export function createFaults(): Faults {
  const violations: Violation[] = [];
  return {
    add(pointer, detail) {
      if (violations.length < maxViolations) violations.push({ pointer, detail });
    },
    throwIfAny() {
      if (violations.length === 0) return;
      throw new AppError('invalid_request', 'The request breaks a rule; errors names each place.', {
        violations,
      });
    },
  };
}

/** The largest count: what every engine, language and JSON parser holds in 32 bits. */
export const maxCount = 2 ** 31 - 1;

/** Whether a value is a whole number from 0 to `maxCount`. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maxCount;
}

/** Whether a value is finite and from 0 to `maximum`; NaN is not. */
export function isAmount(value: number, maximum = Number.MAX_VALUE): boolean {
  return value >= 0 && value <= maximum;
}

/**
 * Whether a text has 1 to `maxCharacters` code points, none of them a control
 * character, and a UTF-8 form: what names something in one line.
 */
export function isName(text: string, maxCharacters: number): boolean {
  return text !== '' && isText(text, maxCharacters) && !/\p{Cc}/u.test(text);
}

/** What `isName` demands, for people. */
export function nameRule(maxCharacters: number): string {
  return `must be 1 to ${maxCharacters} characters without control characters`;
}

/** Whether a text has at most `maxCharacters` code points and a UTF-8 form. */
export function isText(text: string, maxCharacters: number): boolean {
  // A code point is at most two units, so a hopeless text is never taken apart.
  if (text.length > 2 * maxCharacters || !text.isWellFormed()) return false;
  return text.length <= maxCharacters || [...text].length <= maxCharacters;
}
