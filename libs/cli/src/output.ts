import type { CliContext } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import type { TextStream } from './terminal.ts';
import { printable } from './terminal.ts';

/**
 * Writes to standard output and resolves when it is taken, so that a slow reader slows down the command and nothing
 * piles up. Throws CliError `write_failed` if the reader is gone or the disk is full.
 */
export async function writeOutput(stdout: TextStream, chunk: string | Uint8Array): Promise<void> {
  const problem = await new Promise<Error | null | undefined>((resolve) => {
    // Without a listener a failed write would end the process before its exit code is known.
    stdout.once('error', resolve);
    stdout.write(chunk, (error) => {
      stdout.removeListener('error', resolve);
      resolve(error);
    });
  });
  if (problem) {
    if (stdout.listenerCount('error') === 0) stdout.on('error', () => undefined);
    const failure = new CliError('write_failed', `Standard output cannot be written: ${problem.message}`);
    failure.cause = problem;
    throw failure;
  }
}

/** Whether a command ended because nobody reads its output any more. */
export function hasLostReader(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return (reason as NodeJS.ErrnoException).code === 'EPIPE' || hasLostReader(reason.cause);
}

/** Writes the lines of one page, without what would steer a terminal. */
export async function writeLines(
  { stdout }: Pick<CliContext, 'stdout'>,
  rows: readonly string[],
): Promise<void> {
  if (rows.length > 0) await writeOutput(stdout, `${rows.map(oneLine).join('\n')}\n`);
}

/** Returns foreign text as one safe line. */
export function oneLine(text: string): string {
  return printable(text)
    .replace(/[\n\t]+/g, ' ')
    .trimEnd();
}

/** No column is wider, so that one long name does not push all others off the screen. */
const maxColumnWidth = 60;

/** Puts rows into columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, Math.min(cell.length, maxColumnWidth));
    }
  }
  return clean.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns a time of the service to the minute, in UTC. */
export function minuteOf(time: string | null | undefined): string {
  return time ? `${time.slice(0, 16)}Z` : '';
}
