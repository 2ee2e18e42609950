import { AppError, type Violation } from '@teammemory/errors/app-error.ts';

/** Places named in one error; a request can be wrong in 20,000 more. */
const violationsMax = 100;

/** Collects what is wrong with a request, so that one error names every place. */
export interface Faults {
  /** Notes that the value at a JSON Pointer breaks a rule. */
  add(pointer: string, detail: string): void;
  /** Throws AppError `invalid_request` where anything was noted. */
  throwIfAny(): void;
}

/** Starts an empty collection. */
export function createFaults(): Faults {
  const violations: Violation[] = [];
  return {
    add(pointer, detail) {
      if (violations.length < violationsMax) violations.push({ pointer, detail });
    },
    throwIfAny() {
      if (violations.length === 0) return;
      throw new AppError('invalid_request', 'The request breaks a rule; errors names each place.', {
        violations,
      });
    },
  };
}
