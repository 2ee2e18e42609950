import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const processId = randomUUID();

/** Identifies the time since the machine started; if the machine does not say, the time since this process started. */
export function startOfMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return processId;
  }
}
