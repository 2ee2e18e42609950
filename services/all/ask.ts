import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Time for `ps`, which reads two numbers of one process. */
const processStatusTimeoutMs = 2_000;

export type Answer = 'yes' | 'no' | 'later';

/**
 * Asks a question for yes or no. An empty line and the end of the input are a no. Any other line may have been typed for
 * something else: it is as good as no answer in time, and the question is for later.
 */
export async function askYesOrNo(
  question: string,
  { input, output, timeoutMs }: { input: Readable; output: Writable; timeoutMs: number },
): Promise<Answer> {
  const reader = createInterface({ input });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    output.write('\n');
    reader.close();
  }, timeoutMs);
  output.write(`${question} [y/N] `);
  try {
    for await (const line of reader) {
      if (/^\s*y(?:es)?\s*$/i.test(line)) return 'yes';
      return /^\s*(?:no?)?\s*$/i.test(line) ? 'no' : 'later';
    }
    return isLate ? 'later' : 'no';
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
  const [group, inForeground] = process.platform === 'linux' ? groupsByProc() : groupsByPs();
  return group !== undefined && group === inForeground;
}

/** The group of this process, and that of its terminal. Images of Linux often have no `ps`. */
function groupsByProc(): (string | undefined)[] {
  const status = readFileSync('/proc/self/stat', 'utf8');
  // Its second field is a name in parentheses, which may contain anything.
  const [, , group, , , inForeground] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return [group, inForeground];
}

function groupsByPs(): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], {
    encoding: 'utf8',
    timeout: processStatusTimeoutMs,
  });
  return stdout?.match(/\d+/g) ?? [];
}
