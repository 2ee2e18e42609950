import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Time for `ps`, which reads two numbers of one process. */
const processStatusTimeoutMs = 2_000;

/**
 * Asks a question for yes or no. Anything but yes is a no, and so are the end of the input and no answer in time.
 */
export async function askYesOrNo(
  question: string,
  { input, output, timeoutMs }: { input: Readable; output: Writable; timeoutMs: number },
): Promise<boolean> {
  const reader = createInterface({ input });
  const timer = setTimeout(() => {
    output.write('\n');
    reader.close();
  }, timeoutMs);
  output.write(`${question} [y/N] `);
  try {
    for await (const line of reader) return /^\s*y(?:es)?\s*$/i.test(line);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether somebody at a terminal can answer. A program in the background is not asked: the system would stop it as soon as
 * it reads from the terminal.
 */
export function canBeAsked(): boolean {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return false;
  if (process.platform === 'win32') return true;
  const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
    encoding: 'utf8',
    timeout: processStatusTimeoutMs,
  });
  const [group, inForeground] = (stdout ?? '').trim().split(/\s+/);
  return group !== '' && group === inForeground;
}
