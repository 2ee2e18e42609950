import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { SeededRandom } from '@teammemory/testkit/seeded-random.ts';

/** How a call fails: with an `errno`, or it writes a half. */
export const faultKinds = { EIO: 5, ENOSPC: 28, EINTR: 4, 'short write': -1 } as const;
export type FaultKind = keyof typeof faultKinds;

/** Bytes of `struct fault` in recorder.c. */
const size = 512;
const never = 2 ** 30;

/** Lets one call of a program fail that has recorder.c in it, while the program runs. */
export interface CallFault {
  /** For the program, beside `recordedEnvironment`. */
  environment: { POWER_LOSS_FAULT: string };
  /** From now on the `nth` call fails, 1 for the next one. */
  arm(nth: number, kind: FaultKind): void;
  /** No call fails any more. Returns which one did, `W content.sqlite-wal`; undefined: there were not so many. */
  disarm(): string | undefined;
  /** Returns how many calls some work makes. */
  count(work: () => Promise<unknown>): Promise<number>;
}

/** Makes the file by which recorder.c is told of faults. */
export function createCallFault(file: string): CallFault {
  writeFileSync(file, Buffer.alloc(size));
  const order = (left: number, kind: number) => {
    const bytes = Buffer.alloc(size);
    bytes.writeInt32LE(left, 0);
    bytes.writeInt32LE(kind, 4);
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, bytes);
    closeSync(descriptor);
  };
  return {
    environment: { POWER_LOSS_FAULT: file },
    arm: (nth, kind) => order(nth, faultKinds[kind]),
    disarm() {
      const text = readFileSync(file).toString('utf8', 8);
      order(0, 0);
      return text.slice(0, text.indexOf('\0')) || undefined;
    },
    async count(work) {
      order(never, 0);
      await work();
      const left = readFileSync(file).readInt32LE(0);
      order(0, 0);
      return never - left;
    },
  };
}

/** Something that is done while one of its calls fails. */
export interface Operation {
  name: string;
  /** How many calls it makes. */
  calls(): Promise<number>;
  /** Does it once. Returns which call failed, if there were so many, what was answered, and what was not right. */
  attempt(nth: number, kind: FaultKind): Promise<Attempt>;
}

export interface Attempt {
  call: string | undefined;
  answer: string;
  faults: string[];
}

/** What came of failing calls. */
export interface FailedCalls {
  name: string;
  calls: number;
  attempts: number;
  faults: string[];
}

/**
 * Has the calls of an operation fail in every way, one at a time: every one, or so many that chance picks. Ends with the
 * first attempt that shows a fault, which the next would only show again.
 */
export async function failCalls(
  { name, calls, attempt }: Operation,
  { sample, random }: { sample?: number; random: SeededRandom },
): Promise<FailedCalls> {
  const count = await calls();
  const kinds = Object.keys(faultKinds) as FaultKind[];
  const all = Array.from({ length: count }, (_, index) => kinds.map((kind) => ({ nth: index + 1, kind })));
  const chosen =
    sample === undefined ? all.flat() : Array.from({ length: sample }, () => random.pick(all.flat()));
  const done: FailedCalls = { name, calls: count, attempts: 0, faults: [] };
  for (const { nth, kind } of chosen) {
    const { call = 'none', answer, faults } = await attempt(nth, kind);
    done.attempts += 1;
    const where = `${name}, call ${nth} of ${count}, ${call}, ${kind}, answered by ${answer.trim()}`;
    done.faults.push(...faults.map((fault) => `${where}: ${fault}`));
    if (faults.length > 0) break;
  }
  return done;
}
