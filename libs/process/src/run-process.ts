import { toAppError } from '@teammemory/errors/app-error.ts';

/** Default bound on a stop. Work that is still under way then is cut off. */
const defaultStopTimeoutMs = 30_000;

/** A running program. */
export interface Running {
  /** Finishes what is under way within a bound and closes everything. */
  stop(): Promise<void>;
  /** Runs once the program is up, for example to print a banner. */
  started?(): Promise<void>;
}

/**
 * Runs the main program of this process: starts it, and ends it with exit code 0
 * on SIGTERM, on SIGINT, or when the supervisor that started it is gone; at once
 * while it is still starting. A start that fails says so in one sentence on
 * standard error and ends with 1.
 */
export async function runProcess(
  start: () => Promise<Running>,
  options: { stopTimeoutMs?: number } = {},
): Promise<void> {
  // Everything that is written is for this user alone, also in a directory that others may enter.
  process.umask(0o077);
  let program: Running | undefined;
  endWhenTold(() => program, options.stopTimeoutMs ?? defaultStopTimeoutMs);
  try {
    program = await start();
    await program.started?.();
  } catch (thrown) {
    const error = toAppError(thrown);
    console.error(error.code === 'internal' ? (error.cause ?? error) : error.message);
    process.exit(1);
  }
}

/** Stops the process once, however many signals arrive. */
function endWhenTold(running: () => Running | undefined, stopTimeoutMs: number): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    // A program that is still starting has no work to finish.
    await running()?.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A program with a supervisor ends when the supervisor does, also if that ended while this program was loading.
  process.once('disconnect', stop);
  if (process.connected === false) void stop();
}
